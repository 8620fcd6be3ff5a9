import Clinical
import FoundationEssentials
import Interchange

/// What a practice can say about itself, under the names by which people know it.
public enum PracticeSetting: String, CaseIterable, Codable, Sendable {
  case name
  case timeZone = "time-zone"
  case hours
  case units
  case dateOrder = "date-order"
  case quantile
  case readerAddress = "reader-address"
  case calendarDaysBack = "calendar-days-back"
  case photoOriginal = "photo-original"
  case photoDetails = "photo-details"
  case photoCheck = "photo-check"
  case links
  case groupSignIn = "group-sign-in"

  static let standardCalendarDaysBack = 30

  /// The setting that somebody wrote, in whatever case, with hyphens, underscores or spaces.
  public init?(named word: String) {
    let key = String(word.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    self.init(rawValue: key)
  }

  /// Whether it may be set from a browser. A program that runs on this machine is named by whoever may use this machine, and so is who lets
  /// people in.
  public var isSetInWorkspace: Bool { ![.photoCheck, .groupSignIn].contains(self) }

  /// In one line, for a person.
  public var summary: String {
    switch self {
    case .name: "the practice's name, as briefs show it"
    case .timeZone: "the zone whose clocks the practice goes by"
    case .hours: "when the practice is open: where free slots are looked for, and which \"3\" is meant"
    case .units: "in which weights are shown, and read where none is written"
    case .dateOrder: "which number of 03/04/2026 is the day, where nothing else tells"
    case .quantile: "the share of visits' predicted lengths that plans reserve"
    case .readerAddress: "the one address of this machine that a reader may reach, with ask --reader --reader-network"
    case .calendarDaysBack: "how many past days of other programs' calendars are read"
    case .photoOriginal: "the longer edge, in pixels, of a photo's original as it is kept"
    case .photoDetails:
      "whether place, time and device stay in a photo's original, of photos added from then on; one that is made smaller loses them"
    case .photoCheck: "a program of the practice's own that looks at photos, for vetnet photo checks --run"
    case .links: "places of the workspace by names of the practice's own, which the field that finds everything shows"
    case .groupSignIn: "the group whose sign-in lets the practice's users in, where a server holds many practices"
    }
  }

  /// What may be said, for a person.
  public var allowed: String {
    switch self {
    case .name: "any text of at most 200 characters"
    case .timeZone: "an IANA name such as Europe/London"
    case .hours: "such as \"mon-fri 08:30-18:30, sat 09:00-12:00\""
    case .units: "metric or imperial"
    case .dateOrder: "dmy or mdy"
    case .quantile: "a number from 0.05 to 0.99"
    case .readerAddress: "an address of 127.0.0.0/8 with its port, such as 127.0.0.1:11434"
    case .calendarDaysBack: "a whole number of days from 0 to 3660"
    case .photoOriginal: "a number of pixels from \(PhotoRules.smallestEdge) to \(PhotoRules.largestEdge), none, or any"
    case .photoDetails: "strip or keep"
    case .photoCheck: "a program's whole path and its arguments, such as /usr/local/bin/look --quick"
    case .links:
      "NAME=/PATH, several with ; between them, such as \"Yard days=/week/today; Post=/inbox?kind=letter\": of the workspace only, and without words of a record"
    case .groupSignIn: "the group's id, as vetnet serve --practices says it"
    }
  }

  /// The environment variable that stands before the practice file's value: `VETNET_TIME_ZONE`.
  public var variable: String {
    "VETNET_" + rawValue.uppercased().replacing("-", with: "_")
  }

  /// Its key in the practice file.
  var key: String {
    switch self {
    case .name: Setting.name
    case .timeZone: Setting.timeZone
    case .hours: "opening_hours"
    case .units: "units"
    case .dateOrder: "date_order"
    case .quantile: Setting.planQuantile
    case .readerAddress: "reader_address"
    case .calendarDaysBack: "calendar_days_back"
    case .photoOriginal: "photo_original"
    case .photoDetails: "photo_details"
    case .photoCheck: "photo_check"
    case .links: "named_links"
    case .groupSignIn: "group_sign_in"
    }
  }

  /// The value as it is kept; nil for one that is not allowed.
  func canonical(_ text: String) -> String? {
    let text = text.trimmed
    switch self {
    case .name:
      let isPlain = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return !text.isEmpty && text.count <= 200 && isPlain ? text : nil
    case .timeZone: return PracticeTimeZone(identifier: text)?.identifier
    case .hours: return OpeningHours(text)?.description
    case .units: return MeasureUnits(rawValue: text.lowercased())?.rawValue
    case .dateOrder: return DateOrder(rawValue: text.lowercased())?.rawValue
    case .quantile:
      guard let number = Double(text), number >= 0.05, number <= 0.99 else { return nil }
      return String(number)
    case .readerAddress: return LoopbackAddress(text)?.description
    case .photoOriginal: return PhotoRules.edge(text) == nil ? nil : text.lowercased()
    case .photoDetails: return ["strip", "keep"].contains(text.lowercased()) ? text.lowercased() : nil
    case .photoCheck:
      let isPlain = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      guard text.hasPrefix("/"), text.count <= 400, isPlain else { return nil }
      return (try? ProgramCheck(command: text)) == nil ? nil : text
    case .calendarDaysBack: return Int(text).flatMap { (0...3660).contains($0) ? String($0) : nil }
    case .links: return NamedLinks(text)?.description
    case .groupSignIn:
      let isID =
        (8...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Self.isHexadecimal($0) }
      return isID ? text.lowercased() : nil
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

  /// The value as it is kept; `origin` says in the error where it stands. Throws ``PracticeError`` saying what is allowed.
  func validated(_ text: String, from origin: String? = nil) throws -> String {
    if let value = canonical(text) { return value }
    let shown = text.count <= 60 ? text : text.prefix(59) + "…"
    throw PracticeError(
      .invalidArgument, "\(origin ?? rawValue) '\(shown)' is not allowed", hint: "Give \(allowed).")
  }
}

/// In which units weights are read and shown.
public enum MeasureUnits: String, Sendable {
  case metric, imperial

  /// Kilograms in an international avoirdupois pound, by definition.
  static let kilogramsPerPound = 0.45359237

  /// `31.2 kg`, or `68.8 lb`.
  public func weight(_ kilograms: Double) -> String {
    switch self {
    case .metric: return "\(kilograms) kg"
    case .imperial:
      return "\((kilograms / Self.kilogramsPerPound * 10).rounded() / 10) lb"
    }
  }

  /// The kilograms of a weight as somebody wrote it: `31.2`, `31.2 kg`, `68.8lb`, `450 g`; nil for anything else.
  public func kilograms(_ text: String) -> Double? {
    let text = text.lowercased().replacing(" ", with: "")
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = Double(number) else { return nil }
    switch text.dropFirst(number.count) {
    case "": return self == .metric ? value : value * Self.kilogramsPerPound
    case "kg": return value
    case "g": return value / 1000
    case "lb", "lbs": return value * Self.kilogramsPerPound
    default: return nil
    }
  }
}

/// Where a setting's value comes from, the strongest first.
public enum SettingSource: String, Codable, Sendable {
  case flag, environment
  case file = "practice file"
  case standard = "default"
}

/// A setting with the value that holds now.
public struct SettingValue: Encodable, Sendable {
  public let key: String
  /// Nil where nothing is said and there is no default.
  public let value: String?
  public let source: SettingSource
  /// What the practice file says, where something stands before it.
  public let stored: String?
  public let summary: String
  public let allowed: String
  public let variable: String
}

/// Values that stand before those of the practice file, for one run of the program.
public struct SettingOverrides: Sendable {
  private(set) var values: [PracticeSetting: (value: String, source: SettingSource)] = [:]

  public init() {}

  /// What is said of an address for readers; nil where nothing is.
  public var readerAddress: LoopbackAddress? { (values[.readerAddress]?.value).flatMap(LoopbackAddress.init) }

  /// Those of the environment, and before them those that `flags` give as `KEY=VALUE`.
  ///
  /// - Throws: ``PracticeError`` for a key that isn't known or a value that isn't allowed.
  public init(flags: [String], environment: [String: String]) throws {
    for setting in PracticeSetting.allCases {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      values[setting] = (try setting.validated(text, from: setting.variable), .environment)
    }
    for flag in flags {
      let parts = flag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw PracticeError(
          .invalidArgument, "--config '\(flag)' is no KEY=VALUE", hint: "Write --config time-zone=Europe/London.")
      }
      guard let setting = PracticeSetting(named: parts[0]) else { throw PracticeError.unknownSetting(parts[0]) }
      values[setting] = (try setting.validated(parts[1], from: "--config \(setting.rawValue)"), .flag)
    }
  }
}

extension PracticeError {
  static func unknownSetting(_ word: String) -> Self {
    PracticeError(
      .invalidArgument, "there is no setting '\(word)'",
      hint: "There are \(PracticeSetting.allCases.map(\.rawValue).joined(separator: ", ")).")
  }
}

extension String {
  fileprivate var trimmed: String {
    let tail = drop(while: \.isWhitespace)
    return String(tail.prefix(tail.count - tail.reversed().prefix(while: \.isWhitespace).count))
  }
}
