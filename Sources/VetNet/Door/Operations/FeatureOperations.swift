import Store

/// Every feature that a practice can switch off, and whether it is on.
public struct ListFeatures: Operation {
  public static let name = "config.features"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.setting]

  public init() {}

  public func run(_ passage: Passage) throws -> [FeatureState] { try passage.practice.settings.featureStates() }
}

/// Switches a feature on or off in the practice file.
public struct SwitchFeature: Operation {
  public static let name = "config.feature"
  public static let permission = Permission.keep
  public static let isOfHub = true
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var feature: Feature
  public var isOn: Bool
  public var isDryRun: Bool

  public init(_ feature: Feature, isOn: Bool, isDryRun: Bool = false) {
    self.feature = feature
    self.isOn = isOn
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    passage.details = ["feature": feature.rawValue, "to": isOn ? "on" : "off"]
    guard !isDryRun else { return }
    let connection = passage.practice.connection
    try passage.practice.writing {
      try connection.settings.set(feature.key, to: isOn == feature.isOnAtFirst ? nil : isOn ? "on" : "off")
    }
  }
}
