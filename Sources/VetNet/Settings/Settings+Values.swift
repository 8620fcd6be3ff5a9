import Clinical
import Interchange
import Scheduling
import Store

/// What holds while a practice file is open, beside what it says itself.
final class SettledValues {
  /// The zone the practice works in; a setting of the file.
  var timeZone: PracticeTimeZone
  /// What stands before the settings of the file.
  var overrides = SettingOverrides()

  init(_ timeZone: PracticeTimeZone) { self.timeZone = timeZone }
}

extension Practice.Settings {
  /// The practice's name, where one was given.
  public func name() throws -> String? { try reporting { try connection.settings.value(Setting.name) } }

  /// Has values stand before those of the practice file, for as long as it is open.
  public func override(_ overrides: SettingOverrides) {
    practice.settled.overrides = overrides
    if let name = overrides.values[.timeZone]?.value, let zone = PracticeTimeZone(identifier: name) {
      practice.settled.timeZone = zone
    }
  }

  /// Goes by the time zone that the practice file says now: another session may have changed it since this one was opened.
  public func rereadTimeZone() {
    guard practice.settled.overrides.values[.timeZone] == nil,
      let name = try? connection.settings.value(Setting.timeZone), let zone = PracticeTimeZone(identifier: name)
    else { return }
    practice.settled.timeZone = zone
  }

  /// The units in which weights are shown, and read where none is written.
  public var units: MeasureUnits { (try? setting(.units)).flatMap { $0 }.flatMap(MeasureUnits.init) ?? .metric }

  /// Reads times as people write them, by this practice's clocks, opening hours and order of dates; ``MomentReader/at(_:looksBack:)``
  /// says when it is.
  public var moments: MomentReader {
    MomentReader(zone: timeZone, now: Timestamp(seconds: 0), dateOrder: dateOrder, hours: openingHours)
  }

  /// The one address of this machine that a reader may be let reach; nil where the practice allows none.
  public var readerAddress: LoopbackAddress? {
    (try? setting(.readerAddress)).flatMap { $0 }.flatMap(LoopbackAddress.init)
  }

  /// When the practice is open; nil where it hasn't said.
  var openingHours: OpeningHours? { (try? setting(.hours)).flatMap { $0 }.flatMap(OpeningHours.init) }

  var dateOrder: DateOrder? { (try? setting(.dateOrder)).flatMap { $0 }.flatMap(DateOrder.init) }

  /// The value that holds now; nil where nobody said one.
  ///
  /// A value in the practice file that isn't allowed, written by something else, counts as none.
  func setting(_ setting: PracticeSetting) throws -> String? {
    if let value = practice.settled.overrides.values[setting]?.value { return value }
    return try reporting { try connection.settings.value(setting.key) }.flatMap(setting.canonical)
  }

  func settingValues() throws -> [SettingValue] {
    try reading {
      try PracticeSetting.allCases.map { setting in
        let stored = try connection.settings.value(setting.key).flatMap(setting.canonical)
        let override = practice.settled.overrides.values[setting]
        let standard = try standardValue(setting)
        return SettingValue(
          key: setting.rawValue, value: override?.value ?? stored ?? standard,
          source: override?.source ?? (stored == nil ? .standard : .file), stored: override == nil ? nil : stored,
          summary: setting.summary, allowed: setting.allowed, variable: setting.variable)
      }
    }
  }

  private func standardValue(_ setting: PracticeSetting) throws -> String? {
    switch setting {
    case .name, .hours, .dateOrder, .readerAddress, .photoCheck, .links, .groupSignIn: nil
    case .timeZone: "UTC"
    case .units: MeasureUnits.metric.rawValue
    case .quantile: String(try models.schedulingRules().planQuantile)
    case .calendarDaysBack: String(PracticeSetting.standardCalendarDaysBack)
    case .photoOriginal: String(PhotoRules.standardEdge)
    case .photoDetails: "strip"
    }
  }

  /// Keeps a value, or none; returns what was kept before.
  func keep(_ setting: PracticeSetting, _ value: String?) throws -> String? {
    let before = try reporting { try connection.settings.value(setting.key) }
    guard before != value else { return before }
    try writing { try connection.settings.set(setting.key, to: value) }
    if setting == .timeZone, practice.settled.overrides.values[.timeZone] == nil {
      practice.settled.timeZone = value.flatMap(PracticeTimeZone.init(identifier:)) ?? .utc
    }
    return before
  }
}
