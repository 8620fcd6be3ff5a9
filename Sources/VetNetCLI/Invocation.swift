import Clinical
import VetNet

/// A practice that was only read, left as it is until the process ends: the system takes memory, files and locks back at once, where
/// to take apart what a question read takes a twentieth of the question's time.
final class LeftOpen {
  /// Whether the process ends with the command: not where another program, or a server, runs it.
  let endsProcess: Bool
  var practice: Practice?

  init(endsProcess: Bool = false) { self.endsProcess = endsProcess }

  /// Waits for what another core is at: before the process may end.
  func end() { practice?.models.endBegunWork() }
}

/// What a command gets to work with: its words, the surroundings, and the two ways out.
struct Invocation {
  let arguments: Arguments
  let environment: [String: String]
  let terminal: Terminal
  /// The present moment as the machine sees it; `--now` overrides.
  let clock: @Sendable () -> Timestamp
  /// The path of the running program, for finding `Models/`.
  let executable: String
  var leftOpen = LeftOpen()
  /// How the open practice reads and shows times and weights.
  let manners = PracticeManners()
  /// Who does what this command does.
  let identity = Identity()

  var wantsJSON: Bool { arguments.isSet("--json") }

  var practicePath: String {
    PracticeLocation.path(option: arguments.value("--practice"), environment: environment)
  }

  func models() throws -> ModelDirectory {
    try ModelDirectory.locate(
      option: arguments.value("--models"), environment: environment, executable: executable)
  }

  /// The practice; `prepare` may have other cores begin with what will be needed, while this one opens the file.
  func openPractice(
    _ access: Practice.Access = .read, at path: String? = nil, preparing prepare: (ModelDirectory) -> Void = { _ in }
  ) throws -> Practice {
    let models = try models()
    prepare(models)
    let file = path ?? practicePath
    try unlock(file)
    let practice = try Practice.open(at: file, models: models, access: access)
    practice.settings.override(try overrides())
    manners.take(from: practice)
    return practice
  }

  /// The practice, for a command that reads it for a question and is over.
  func openForQuestion(preparing prepare: (ModelDirectory) -> Void) throws -> Practice {
    guard leftOpen.endsProcess else { return try openPractice(preparing: prepare) }
    LargePages.use()
    let practice = try openPractice(preparing: prepare)
    leftOpen.practice = practice
    return practice
  }

  /// A backup, to be looked at where it lies.
  func openBackup(_ path: String) throws -> Practice {
    try unlock(path)
    let practice = try Practice.openBackup(at: path, models: models())
    practice.settings.override(try overrides())
    manners.take(from: practice)
    return practice
  }

  /// What stands before the practice's own settings: flags before the environment.
  func overrides() throws -> SettingOverrides {
    try SettingOverrides(flags: arguments.values("--config"), environment: environment)
  }

  /// Does an operation as whoever is signed in, or runs the program; says so where records were shown and that could not be put on record.
  @discardableResult
  func perform<Wanted: VetNet.Operation>(
    _ operation: Wanted, on practice: Practice, at now: Timestamp? = nil,
    progress: @escaping (Progress) -> Void = { _ in }, message: @escaping (String) -> Void = { _ in }
  ) throws -> Wanted.Outcome {
    let outcome = try practice.perform(
      operation, by: actor(in: practice), at: now ?? self.now(in: practice.timeZone), progress: progress,
      message: message)
    if let warning = Self.recordWarning(practice) { terminal.say(warning) }
    return outcome
  }

  static func recordWarning(_ practice: Practice) -> String? {
    practice.door.unrecorded.map { "This is not in the audit log: \($0)" }
  }

  /// Says which notes were met that are not what was written, and were not quoted.
  func warnOfDamage(in practice: Practice) {
    if let warning = Self.damageWarning(practice) { terminal.say(warning) }
  }

  static func damageWarning(_ practice: Practice) -> String? {
    let notes = practice.memos.damagedNotes.sorted()
    guard !notes.isEmpty else { return nil }
    return
      "Not what was written, and not quoted: \(notes.count == 1 ? "note" : "notes") \(notes.joined(separator: ", ")). "
      + "Run vetnet doctor."
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
    guard let text = arguments.value("--now") else { return clock() }
    guard let time = ISODateTime(text) else {
      throw UsageError("--now '\(text)' is not a date or time; write 2026-11-23 or 2026-11-23T09:30")
    }
    return try moment(time, in: zone, option: "--now")
  }

  /// The moment an option names, or nil when it is not given; a day alone is its first moment, unless a time is needed.
  func moment(_ option: String, in zone: PracticeTimeZone, needsTime: Bool = false) throws -> Timestamp? {
    guard let text = arguments.value(option) else { return nil }
    if let time = ISODateTime(text), time.hasTime { return try moment(time, in: zone, option: option) }
    let written = try written(option, text, in: zone)
    if let exact = written.exact { return exact }
    let date = try written.date ?? zone.date(of: now(in: zone))
    if needsTime, written.minuteOfDay == nil {
      throw UsageError("\(option) '\(text)' names no time of day; write \(date)T09:30")
    }
    return try moment(LocalDateTime(date: date, minuteOfDay: written.minuteOfDay ?? 0), in: zone, option: option)
  }

  /// The moments of several readings one after another, such as the ends of a stretch of time; one without a day is of the day before it.
  func moments(_ texts: [String], option: String, in zone: PracticeTimeZone) throws -> [Timestamp] {
    var day = try zone.date(of: now(in: zone))
    return try texts.map { text in
      let text = String(text.drop(while: \.isWhitespace))
      if let time = ISODateTime(text), time.hasTime {
        day = time.local.date
        return try moment(time, in: zone, option: option)
      }
      let written = try written(option, text, in: zone)
      guard let minute = written.minuteOfDay else {
        throw UsageError("\(option) '\(text)' names no time of day; write \(written.date ?? day)T09:30")
      }
      day = written.date ?? day
      return try moment(LocalDateTime(date: day, minuteOfDay: minute), in: zone, option: option)
    }
  }

  /// The moment that a reading means; an error where the clocks skip it.
  func moment(_ time: ISODateTime, in zone: PracticeTimeZone, option: String) throws -> Timestamp {
    guard time.offsetMinutes == nil, time.hasTime else { return zone.timestamp(of: time) }
    return try moment(time.local, in: zone, option: option)
  }

  private func moment(_ reading: LocalDateTime, in zone: PracticeTimeZone, option: String) throws -> Timestamp {
    if let gap = zone.gap(around: reading) {
      let clock = PracticeTimeZone.utc.clock
      let utc = PracticeTimeZone.utc
      throw UsageError(
        "\(option): that time does not exist: on \(gap.start.date) the clocks skip from \(clock(utc.timestamp(of: gap.start))) to \(clock(utc.timestamp(of: gap.end)))"
      )
    }
    return zone.timestamp(of: reading)
  }

  /// Refuses options that say different things about the same.
  func requireOne(of options: String...) throws {
    let given = options.filter { arguments.isSet($0) }
    guard given.count > 1 else { return }
    throw UsageError("\(given.map { "'\($0)'" }.joined(separator: " and ")) exclude each other")
  }

  /// The day an option names (`tomorrow`, `mon`, `24 nov` too), or nil when it is not given.
  func day(_ option: String, in zone: PracticeTimeZone) throws -> CalendarDate? {
    guard let text = arguments.value(option) else { return nil }
    if let date = CalendarDate(iso: text) { return date }
    let written = try? written(option, text, in: zone)
    guard let date = written?.date, written?.minuteOfDay == nil else {
      if written == nil, text.contains(where: \.isNumber), !text.contains("-") {
        _ = try self.written(option, text, in: zone)
      }
      throw UsageError("\(option) '\(text)' is not a date; write 2026-11-23, today, tomorrow, mon or 24 nov")
    }
    return date
  }

  /// `--species`, in any word that names one.
  func species() throws -> Species? {
    guard let word = arguments.value("--species") else { return nil }
    guard let species = Species(field: word) else { throw UsageError("--species '\(word)' is not known") }
    return species
  }

  /// `--sex`, in any word that names one.
  func sex() throws -> Sex? {
    guard let word = arguments.value("--sex") else { return nil }
    guard let sex = Sex(describing: word) else {
      throw UsageError("--sex '\(word)' is not known; write MN, FS, M, F or unknown")
    }
    return sex
  }

  /// `--weight`, in kilograms.
  func weight() throws -> Double? {
    guard let word = arguments.value("--weight") else { return nil }
    guard let weight = manners.units.kilograms(word), weight > 0, weight < 2000 else {
      throw UsageError(
        "--weight '\(word)' is no weight; write 31.2kg or 68lb (a number alone is in \(manners.units == .metric ? "kilograms" : "pounds"))"
      )
    }
    return weight
  }

  func integer(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(option) '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
