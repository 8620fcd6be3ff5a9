public import Clinical
import Extraction

/// What a patient is on, as far as the notes tell.
public struct MedicationList: Sendable {
  public struct Entry: Sendable {
    public let name: String
    /// The latest word on the drug.
    let latest: RecordedFact
    /// The latest mention with a dose, which may be older.
    let dosed: RecordedFact?
  }

  /// A drug that nobody has mentioned for so long is not listed as current: courses end without a note that says so.
  static let memoryDays = 200

  /// The drugs whose last mention neither stops nor declines them, latest first, then by name.
  public static func current(_ record: PatientRecord, at now: Timestamp) -> [Entry] {
    var latest: [String: RecordedFact] = [:]
    var dosed: [String: RecordedFact] = [:]
    for item in record.recordedFacts([.drug]) where item.fact.assertion.experiencer == .patient {
      // Advice about a drug ("avoid …", "if … then …") says nothing of what is given.
      if item.fact.assertion.temporality == .hypothetical { continue }
      latest[item.fact.name] = item
      if item.fact.attributes["dose"] != nil { dosed[item.fact.name] = item }
    }
    let horizon = now.adding(days: -memoryDays)
    return latest.values
      .filter { $0.note.recordedAt >= horizon && isGiven($0.fact) }
      .sorted { ($1.note.recordedAt, $0.fact.name) < ($0.note.recordedAt, $1.fact.name) }
      .map { Entry(name: $0.fact.name, latest: $0, dosed: dosed[$0.fact.name]) }
  }

  private static func isGiven(_ fact: Fact) -> Bool {
    guard fact.assertion.polarity == .present, fact.assertion.temporality == .current else { return false }
    switch fact.attributes["action"] {
    case "stopped", "declined", "not given": return false
    default: return true
    }
  }
}
