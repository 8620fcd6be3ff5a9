public import Chart
public import Clinical
import Extraction

/// A patient's problems by what the latest note on each says.
public struct ProblemList: Sendable {
  public struct Entry: Sendable {
    public let name: String
    /// The latest word on it.
    let latest: RecordedFact
    /// The notes that speak of it as the patient's, in time order.
    let mentions: [ClinicalNote]
    let isChronic: Bool

    public var firstAt: Timestamp { mentions.first?.recordedAt ?? latest.note.recordedAt }
    public var lastAt: Timestamp { latest.note.recordedAt }
    /// When notes spoke of it, in time order.
    public var mentionedAt: [Timestamp] { mentions.map(\.recordedAt) }
  }

  /// An acute problem that no note has named for so long is over, whether one says so or not.
  static let acuteDays = 180

  /// Present in the latest note on it, and lasting or recent; the latest first.
  public private(set) var active: [Entry] = []
  /// Suspected in the latest note on it, and lasting or recent.
  public private(set) var suspected: [Entry] = []
  /// Resolved, no longer found, or acute and long not named.
  public private(set) var earlier: [Entry] = []
  /// Excluded after a note had suspected it. What was only looked for is no problem.
  public private(set) var ruledOut: [Entry] = []

  /// - Complexity: O(facts of the record).
  public init(_ record: PatientRecord, at now: Timestamp) {
    var latest: [String: RecordedFact] = [:]
    var mentions: [String: [ClinicalNote]] = [:]
    var chronic: Set<String> = []
    var wasFound: Set<String> = []
    for item in record.recordedFacts([.problem]) {
      let assertion = item.fact.assertion
      guard assertion.experiencer == .patient, assertion.temporality != .hypothetical else { continue }
      let name = item.fact.name
      latest[name] = item
      if item.fact.finding?.isChronic == true { chronic.insert(name) }
      if assertion.polarity == .present { wasFound.insert(name) }
      if assertion.polarity != .absent, mentions[name]?.last?.id != item.note.id {
        mentions[name, default: []].append(item.note)
      }
    }
    let horizon = now.adding(days: -Self.acuteDays)
    let entries = latest.map {
      Entry(name: $0.key, latest: $0.value, mentions: mentions[$0.key] ?? [], isChronic: chronic.contains($0.key))
    }
    for entry in entries.sorted(by: { ($1.lastAt, $0.name) < ($0.lastAt, $1.name) }) {
      let assertion = entry.latest.fact.assertion
      let isRecent = entry.lastAt >= horizon
      switch assertion.polarity {
      case .absent where entry.mentions.isEmpty: break
      case .absent: wasFound.contains(entry.name) ? earlier.append(entry) : ruledOut.append(entry)
      case .uncertain where isRecent || entry.isChronic: suspected.append(entry)
      case .present where assertion.temporality == .current && (isRecent || entry.isChronic): active.append(entry)
      case .uncertain, .present: earlier.append(entry)
      }
    }
  }
}
