public import Answering
import Clinical

/// What a labelled question should be answered with.
public struct RightAnswer: Sendable {
  public var answerClass: Answer.Class
  /// Ids of the notes that state the answer or part of it.
  public var evidence: Set<String>
  /// What it says: of each group one variant.
  public var decisive: [[String]]

  public init(_ answerClass: Answer.Class, evidence: Set<String>, decisive: [[String]] = []) {
    self.answerClass = answerClass
    self.evidence = evidence
    self.decisive = decisive
  }

  /// Whether it is that the record says nothing of it.
  var isSilence: Bool { answerClass == .notRecorded }

  /// Whether a sentence is of a note that states it.
  func isStated(by reading: Reading) -> Bool { evidence.contains(reading.match.unit.note.id) }

  /// The places of the sentences that are right: for each thing the answer has to say, those that say it.
  func targets(among readings: [Reading]) -> [[Int]] {
    let places = readings.indices.filter { isStated(by: readings[$0]) }
    let texts = places.map { (place: $0, text: readings[$0].match.unit.text.lowercased()) }
    let said = decisive.map { variants in
      texts.filter { item in variants.contains { item.text.contains($0.lowercased()) } }.map(\.place)
    }.filter { !$0.isEmpty }
    return said.isEmpty ? (places.isEmpty ? [] : [places]) : said
  }
}
