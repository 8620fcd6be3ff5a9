public import Clinical
public import Extraction
import TextAnalysis

/// One course of a drug: from the word that it is given on and on to the word that ends it.
public struct DrugCourse: Sendable {
  /// The generic drug.
  public let drug: String
  /// The word that began it; nil where only its end is on record.
  public internal(set) var begun: RecordedFact?
  /// The latest word on it: of a course that has ended, on its end.
  public internal(set) var latest: RecordedFact
  /// The latest mention with a dose, or else with how often or how much; it may be older.
  public internal(set) var dosed: RecordedFact?
  /// The latest mention with a dose and its unit.
  public internal(set) var measured: RecordedFact?
  /// The latest mention with a dose or with how often, which may be newer than ``dosed`` and name no dose.
  public internal(set) var regimen: RecordedFact?
  /// A plan written with the latest word or after it that says another dose: nobody wrote that it was followed.
  public internal(set) var planned: RecordedFact?
  /// The word that ended it: stopped, declined, not given, spoken of as past. Nil while nobody has.
  public internal(set) var end: RecordedFact?
  /// The last day of a course whose length is written.
  public internal(set) var plannedEnd: Timestamp?
  /// In which notes the drug was being given, in this course or one before it.
  var notes: Set<String> = []

  /// In how many notes it was being given.
  public var noteCount: Int { notes.count }

  /// Whether no word and no written length has ended it by a moment.
  public func isOngoing(at now: Timestamp) -> Bool { state.isOngoing(at: now) }
}

extension DrugCourse {
  /// Whether a mention says how large a dose is.
  public static func isDosed(_ fact: Fact) -> Bool { fact.dosage?.dose != nil || fact.dosage?.rate != nil }

  /// Whether it says so with a unit: the 50 of "carprofen 50 once daily" leaves it to the reader.
  public static func isMeasured(_ fact: Fact) -> Bool { isDosed(fact) && fact.value != nil }

  /// Whether it says how often or how much, if not how large a dose is.
  static func isTelling(_ fact: Fact) -> Bool {
    fact.dosage?.frequency != nil || fact.drugEvent?.strength != nil || fact.drugEvent?.quantity != nil
  }

  /// Stopped, declined, not given, or spoken of as past.
  public static func isEnd(_ fact: Fact) -> Bool {
    if fact.hasAction(in: TreatmentAction.ends) || fact.assertion.polarity == .absent { return true }
    return fact.assertion.temporality == .historical && !fact.hasAction(in: lastingActions)
  }

  /// Now, or begun not long before the note: "was added on 23 Sept" is told as past, but what was begun goes on.
  static func isOngoing(_ item: RecordedFact) -> Bool {
    if item.fact.assertion.temporality == .current { return true }
    guard item.fact.hasAction(in: beginnings) else { return false }
    guard let date = item.fact.writtenDate.flatMap({ CalendarDate(iso: $0) }) else { return true }
    return item.note.recordedAt.seconds / 86_400 - Int64(date.daysSince1970) <= Int64(DrugCourses.memoryDays)
  }

  /// Given on and on, not once.
  static func isRegimen(_ item: RecordedFact) -> Bool {
    let fact = item.fact
    guard fact.assertion.polarity == .present else { return false }
    if let frequency = fact.dosage?.frequency, frequency != .once { return true }
    // A test named beside a prescription is not prescribed.
    if item.note.kind == .prescription || fact.action == .dispensed {
      return isDosed(fact) || isTelling(fact) || fact.drugEvent?.brand != nil
    }
    // An injection is one injection unless a frequency says otherwise.
    if fact.dosage?.frequency == .once || fact.dosage?.route?.isParenteral == true { return false }
    return fact.hasAction(in: lastingActions)
  }

  private static let beginnings: [TreatmentAction] = [.started, .changed]
  private static let lastingActions: [TreatmentAction] = [.started, .changed, .continued, .dispensed]

  /// The end of a course whose length is written, unless a lower dose follows it ("14 d then SID").
  static func plannedEnd(_ item: RecordedFact) -> Timestamp? {
    guard let days = item.fact.dosage?.duration?.days, !isTapered(item) else { return nil }
    return item.note.recordedAt.adding(days: days + DrugCourses.graceDays)
  }

  /// Whether "then" follows the drug's name within its sentence.
  private static func isTapered(_ item: RecordedFact) -> Bool {
    let bytes = item.note.text.utf8.dropFirst(item.fact.range.upperBound).prefix(160)
      .prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: ";") }
    return WordForm.runs(of: String(decoding: bytes, as: UTF8.self)).contains("then")
  }
}
