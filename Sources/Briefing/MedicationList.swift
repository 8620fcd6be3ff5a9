public import Clinical
import Extraction

/// What a patient is on, as far as the notes tell.
///
/// The mentions of a drug are read in time order. Something given on and on begins a regimen (a frequency, a start, a change,
/// a prescription); a stop, a refusal or the end of a course ends it. What was injected once, named in a list of results or
/// said of another animal begins nothing.
public struct MedicationList: Sendable {
  public struct Entry: Sendable {
    public let name: String
    /// The latest word on the drug.
    let latest: RecordedFact
    /// The latest mention with a dose, or else with how often or how much; it may be older.
    let dosed: RecordedFact?
    /// The latest mention with a dose or with how often, which may be newer than ``dosed`` and name no dose.
    let regimen: RecordedFact?
    /// A plan written with the latest word or after it that says another dose: the note is not sure to have been followed.
    let planned: RecordedFact?
    /// In how many notes it was being given.
    let noteCount: Int
  }

  /// A drug that nobody has mentioned for so long is not listed as current: courses end without a note that says so.
  static let memoryDays = 200
  /// For so long a drug of long standing is worth asking about.
  static let questionDays = 3 * 365
  /// Owners finish courses late.
  static let graceDays = 2

  /// The drugs whose last mention neither stops nor declines them, latest first, then by name.
  public static func current(_ record: PatientRecord, at now: Timestamp) -> [Entry] {
    let horizon = now.adding(days: -memoryDays)
    return entries(record, at: now).filter { $0.latest.note.recordedAt >= horizon }
  }

  /// Drugs of long standing that no note has stopped, but none has mentioned of late.
  static func unconfirmed(_ record: PatientRecord, at now: Timestamp) -> [Entry] {
    let dates = now.adding(days: -questionDays)..<now.adding(days: -memoryDays)
    return entries(record, at: now).filter { $0.noteCount > 1 && dates.contains($0.latest.note.recordedAt) }
  }

  private struct State {
    var latest: RecordedFact
    var dosed: RecordedFact?
    var regimen: RecordedFact?
    var planned: RecordedFact?
    var notes: Set<String> = []
    /// The last day of a course, when the notes name its length.
    var end: Timestamp?
    var isEnded = false
  }

  private static func entries(_ record: PatientRecord, at now: Timestamp) -> [Entry] {
    var states: [String: State] = [:]
    for item in record.recordedFacts([.drug]) where item.fact.assertion.experiencer == .patient {
      let name = item.fact.name
      // Advice about a drug ("avoid …", "if … then …") says nothing of what is given; a planned dose is kept beside it.
      if item.fact.assertion.temporality == .hypothetical {
        if isDosed(item.fact), item.fact.dosage?.frequency != nil { states[name]?.planned = item }
      } else if ends(item.fact) {
        // "Stop insulin" ends the lente insulin that he is on.
        for known in Self.kinds(of: name, among: states) { states[known]?.isEnded = true }
      } else if isRegimen(item), isOngoing(item) || states[name]?.isEnded == false {
        var state = states[name] ?? State(latest: item)
        if state.isEnded { state = State(latest: item, notes: state.notes) }
        state.latest = item
        state.notes.insert(item.note.id)
        if isDosed(item.fact) || (isTelling(item.fact) && state.dosed.map { !isDosed($0.fact) } ?? true) {
          state.dosed = item
        }
        if isDosed(item.fact) || item.fact.dosage?.frequency != nil {
          state.regimen = item
          state.end = courseEnd(item)
        }
        // A plan of an older note has been overtaken.
        if let planned = state.planned, planned.note.id != item.note.id { state.planned = nil }
        states[name] = state
      } else if var state = states[name], !state.isEnded, item.fact.assertion.polarity == .present {
        // "ALT for the phenobarb": it is still talked about.
        state.latest = item
        states[name] = state
      }
    }
    return states.filter { !$0.value.isEnded && ($0.value.end.map { $0 >= now } ?? true) }
      .sorted { ($1.value.latest.note.recordedAt, $0.key) < ($0.value.latest.note.recordedAt, $1.key) }
      .map { name, state in
        Entry(
          name: name, latest: state.latest, dosed: state.dosed, regimen: state.regimen, planned: state.planned,
          noteCount: state.notes.count)
      }
  }

  /// The drugs that a name stands for: its own, or, of a general one, all that are called so: "protamine zinc insulin" is an
  /// insulin.
  private static func kinds(of name: String, among states: [String: State]) -> [String] {
    states.keys.filter { $0 == name || FactNaming.isKind($0, of: name) }
  }

  static func isDosed(_ fact: Fact) -> Bool {
    fact.dosage?.dose != nil || fact.dosage?.rate != nil
  }

  /// How often or how much, if not how large a dose.
  private static func isTelling(_ fact: Fact) -> Bool {
    fact.dosage?.frequency != nil || fact.drugEvent?.strength != nil || fact.drugEvent?.quantity != nil
  }

  /// Stopped, declined, not given, or spoken of as past.
  private static func ends(_ fact: Fact) -> Bool {
    if fact.hasAction(in: TreatmentAction.ends) || fact.assertion.polarity == .absent { return true }
    return fact.assertion.temporality == .historical && !fact.hasAction(in: lastingActions)
  }

  /// Now, or begun not long before the note: "was added on 23 Sept" is told as past, but what was begun goes on.
  private static func isOngoing(_ item: RecordedFact) -> Bool {
    if item.fact.assertion.temporality == .current { return true }
    guard item.fact.hasAction(in: beginnings) else { return false }
    guard let date = item.fact.writtenDate.flatMap({ CalendarDate(iso: $0) }) else { return true }
    return item.note.recordedAt.seconds / 86_400 - Int64(date.daysSince1970) <= Int64(memoryDays)
  }

  private static let beginnings: [TreatmentAction] = [.started, .changed]

  /// Given on and on, not once.
  private static func isRegimen(_ item: RecordedFact) -> Bool {
    let fact = item.fact
    guard fact.assertion.polarity == .present else { return false }
    let isPrescribed = item.note.kind == .prescription || fact.action == .dispensed
    if let frequency = fact.dosage?.frequency, frequency != .once { return true }
    // A test named beside a prescription is not prescribed.
    if isPrescribed { return isDosed(fact) || isTelling(fact) || fact.drugEvent?.brand != nil }
    // An injection is one injection unless a frequency says otherwise.
    if fact.dosage?.frequency == .once || fact.dosage?.route?.isParenteral == true {
      return false
    }
    return fact.hasAction(in: lastingActions)
  }

  private static let lastingActions: [TreatmentAction] = [.started, .changed, .continued, .dispensed]

  /// The end of a course whose length is written, unless a lower dose follows it ("14 d then SID").
  private static func courseEnd(_ item: RecordedFact) -> Timestamp? {
    guard let days = item.fact.dosage?.duration?.days, !isTapered(item) else {
      return nil
    }
    return item.note.recordedAt.adding(days: days + graceDays)
  }

  /// Whether "then" follows the drug's name within its sentence.
  private static func isTapered(_ item: RecordedFact) -> Bool {
    let bytes = Array(item.note.text.utf8.dropFirst(item.fact.range.upperBound).prefix(160))
    let sentence = bytes.prefix { $0 != 0x0A && $0 != 0x3B }
    return String(decoding: sentence, as: UTF8.self).lowercased().split { !$0.isLetter }.contains("then")
  }
}
