import Clinical
import VetNet

/// The practice's settings, features and state as JSON.
enum SettingRoutes {
  static let all: [Route] = [settings, change, feature, status]

  private static let shape = Schema.object([
    "settings": .list(
      .object(
        ["key": .string(), "source": .string(), "summary": .string(), "allowed": .string()],
        optional: ["value": .string()])),
    "features": .list(.object(["name": .string(), "on": .boolean, "summary": .string()])),
  ])

  private struct Output: Encodable {
    let settings: [SettingValue]
    let features: [FeatureState]

    init(_ call: Call) throws {
      settings = try call.perform(ListSettings())
      features = try call.perform(ListFeatures())
    }
  }

  private static let settings = Route(
    "GET", "/settings", .api, .reading, "Every setting with the value that holds, and what can be switched off.",
    answer: shape
  ) { call in try .json(Output(call)) }

  private static let keys = PracticeSetting.allCases.filter(\.isSetInWorkspace).map(\.rawValue)

  private static let change = Route(
    "PATCH", "/settings", .api, .writing,
    "Gives settings other values; null takes one away. Where one isn't allowed none is changed, and `field` names it.",
    body: .object([:], optional: Dictionary(uniqueKeysWithValues: keys.map { ($0, .string()) })), answer: shape
  ) { call in
    let fields = try Fields(call, known: Set(keys))
    let wanted = try keys.filter(fields.names).map { (key: $0, value: try fields.text($0, atMost: 400)) }
    for (key, value) in wanted {
      _ = try call.about(key) { try call.perform(ChangeSetting(key: key, value: value, isDryRun: true)) }
    }
    for (key, value) in wanted { try call.perform(ChangeSetting(key: key, value: value)) }
    return try .json(Output(call))
  }

  private static let feature = Route(
    "PUT", "/features/{name}", .api, .writing, "Switches a feature on or off.", body: .object(["on": .boolean]),
    answer: shape
  ) { call in
    guard let feature = Feature(rawValue: call.value("name")) else {
      throw ErrorBody(
        404, "not_found", "there is no feature '\(call.value("name").prefix(40))'",
        hint: "There are \(Feature.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    try call.perform(SwitchFeature(feature, isOn: Fields(call, known: ["on"]).flag("on")))
    return try .json(Output(call))
  }

  private static let status = Route(
    "GET", "/status", .api, .reading, "What the practice file holds, how fresh its index is, and its last backup.",
    answer: .object(
      [
        "file": .string(), "patients": .integer, "notes": .integer, "appointments": .integer, "backup_due": .boolean,
        "backup_folder": .string(), "version": .string(),
      ], optional: ["index": .any, "last_backup": .any])
  ) { call in try .json(call.perform(ShowStatus())) }
}

extension Call {
  /// Does what reads one field of a request: what can't be meant is said of that field.
  func about<Value>(_ field: String, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as PracticeError where error.code == .invalidArgument || error.code == .notFound {
      var body = ErrorBody(error)
      body.field = field
      throw body
    }
  }
}
