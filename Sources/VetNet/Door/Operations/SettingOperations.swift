/// Every setting of the practice with the value that holds, and where that comes from.
public struct ListSettings: Operation {
  public static let name = "config.list"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.setting]

  public init() {}

  public func run(_ passage: Passage) throws -> [SettingValue] {
    try passage.practice.settings.settingValues()
  }
}

/// Gives a setting another value in the practice file, or takes it away.
///
/// - Throws: ``PracticeError`` with `invalidArgument` for a setting that isn't known or a value that isn't allowed, saying what is.
public struct ChangeSetting: Operation {
  public static let name = "config.set"
  public static let permission = Permission.keep
  public static let isOfHub = true
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var key: String
  /// Nil to take the value away.
  public var value: String?
  public var isDryRun: Bool

  public init(key: String, value: String?, isDryRun: Bool = false) {
    self.key = key
    self.value = value
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  /// A setting before and after.
  public struct Change: Encodable, Sendable {
    public let key: String
    public let before: String?
    public let after: String?
  }

  public func run(_ passage: Passage) throws -> Change {
    guard let setting = PracticeSetting(named: key) else { throw PracticeError.unknownSetting(key) }
    let after = try value.map { try setting.validated($0) }
    passage.details["key"] = setting.rawValue
    // What a practice is called is for the file itself.
    passage.details["value"] = setting == .name ? after.map(Passage.digest) ?? "none" : after ?? "none"
    let before =
      try isDryRun ? passage.practice.settings.setting(setting) : passage.practice.settings.keep(setting, after)
    return Change(key: setting.rawValue, before: before, after: after)
  }
}
