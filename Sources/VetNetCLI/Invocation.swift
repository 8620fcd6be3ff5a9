import Clinical
import VetNet

/// What a command gets to work with: its words, the surroundings, and the two ways out.
struct Invocation {
  let arguments: Arguments
  let environment: [String: String]
  let terminal: Terminal
  /// The present moment as the machine sees it; `--now` overrides.
  let clock: @Sendable () -> Timestamp
  /// The path of the running program, for finding `Models/`.
  let executable: String

  var wantsJSON: Bool { arguments.isSet("--json") }

  var practicePath: String {
    PracticeLocation.path(option: arguments.value("--practice"), environment: environment)
  }

  func models() throws -> ModelDirectory {
    try ModelDirectory.locate(
      option: arguments.value("--models"), environment: environment, executable: executable)
  }

  func openPractice(_ access: Practice.Access = .read) throws -> Practice {
    try Practice.open(at: practicePath, models: models(), access: access)
  }

  /// The practice, or an empty one where nobody has made or named any: a text can be triaged without a record.
  func openPracticeOrEmpty() throws -> Practice {
    do {
      return try openPractice()
    } catch let error as PracticeError where error.code == .noPracticeFile && !namesPractice {
      return try Practice.inMemory(models: models(), timeZone: .current)
    }
  }

  private var namesPractice: Bool {
    arguments.value("--practice") != nil || arguments.value("--patient") != nil
      || !(environment["VETNET_PRACTICE"] ?? "").isEmpty
  }

  /// `--now`, or the clock; a time without an offset is the practice's.
  func now(in zone: PracticeTimeZone) throws -> Timestamp {
    try moment("--now", in: zone) ?? clock()
  }

  /// The moment an option names, or nil when it is not given.
  func moment(_ option: String, in zone: PracticeTimeZone) throws -> Timestamp? {
    guard let text = arguments.value(option) else { return nil }
    guard let time = ISODateTime(text) else {
      throw UsageError("\(option) '\(text)' is not a date or time; write 2026-11-23 or 2026-11-23T09:30")
    }
    return zone.timestamp(of: time)
  }

  /// The day an option names (`today` and `tomorrow` too), or nil when it is not given.
  func day(_ option: String, in zone: PracticeTimeZone) throws -> CalendarDate? {
    guard let text = arguments.value(option) else { return nil }
    let today = zone.date(of: try now(in: zone))
    switch text {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    default:
      guard let date = CalendarDate(iso: text) else {
        throw UsageError("\(option) '\(text)' is not a date; write 2026-11-23, today or tomorrow")
      }
      return date
    }
  }

  func integer(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(option) '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
