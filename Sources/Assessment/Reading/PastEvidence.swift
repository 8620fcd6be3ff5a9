import Clinical
import Extraction

/// What the rules of the past show in an intake: that a sign is over, or only that it is quiet now.
///
/// "Collapsed on his walk yesterday, fine now" tells of a sign that came and went: it is current. A sign is over when it lies more
/// than a week back or a vet has treated it since, and its own sentence says so.
struct PastEvidence: Sendable {
  enum Kind: String, Sendable {
    /// The sign belongs to an earlier life, or was treated.
    case over
    /// Over where the date is more than ``horizonHours`` back.
    case date
  }

  /// A sign is current for so many hours unless it was treated since.
  static let horizonHours = 168.0

  private let kinds: [String: Kind]
  private let longAgo: Int?
  private let treatment: Int?

  /// - Parameters:
  ///   - table: `triage/past-evidence.tsv`.
  ///   - lexicon: names what is long ago and what tells of a vet's treatment.
  /// - Throws: ``DataTableError`` for an unknown kind.
  init(table: DataTable, lexicon: ConceptLexicon) throws(DataTableError) {
    var kinds: [String: Kind] = [:]
    for row in table.rows {
      guard let kind = Kind(rawValue: row["kind"]) else { throw row.error("kind", "is no kind of evidence") }
      kinds[row["rule"]] = kind
    }
    self.kinds = kinds
    longAgo = lexicon.index(of: "longago")
    treatment = lexicon.index(of: "treatedsince")
  }

  /// The evidence in one text.
  ///
  /// - Complexity: O(words + occurrences).
  func reading(words: [IntakeWord], occurrences: [ConceptOccurrence], quantities: [SpokenQuantity]) -> PastReading {
    var remote = quantities.filter { $0.kind == .ago && $0.value > Self.horizonHours }.map(\.words)
    remote += occurrences.filter { $0.concept == longAgo }.map(\.words)
    remote += words.indices.filter { Self.isYear(words[$0].number) }.map { $0..<($0 + 1) }
    let recent = quantities.filter { $0.kind == .ago && $0.value <= Self.horizonHours }.map(\.words)
    let treated = occurrences.filter { $0.concept == treatment }.map(\.words)
    return PastReading(kinds: kinds, words: words, remote: remote, recent: recent, treated: treated)
  }

  private static func isYear(_ number: Double?) -> Bool {
    guard let number else { return false }
    return (1990...2100).contains(number) && number.rounded() == number
  }
}

/// Where a text dates things and tells of treatment.
struct PastReading {
  fileprivate let kinds: [String: PastEvidence.Kind]
  fileprivate let words: [IntakeWord]
  fileprivate let remote: [Range<Int>]
  fileprivate let recent: [Range<Int>]
  fileprivate let treated: [Range<Int>]

  /// Whether the cue that puts a sign in the past shows that it is over.
  ///
  /// - Parameters:
  ///   - cue: of the assertion.
  ///   - target: UTF-8 bytes of the sign.
  /// - Returns: false for a sign that is only quiet now.
  func isOver(_ cue: Assertion.Cue, of target: Range<Int>) -> Bool {
    switch kinds[cue.rule] {
    case .over: return true
    case .date: return !recent.contains { bytes(of: $0).overlaps(cue.range) } || isDated(in: sentence(of: target))
    case nil:
      // "Fine now", "has stopped": quiet, which alone is not over.
      guard let sentence = sentence(of: target) else { return false }
      return isDated(in: sentence) || treated.contains { words[$0.lowerBound].sentence == sentence }
    }
  }

  private func isDated(in sentence: Int?) -> Bool { remote.contains { words[$0.lowerBound].sentence == sentence } }

  private func sentence(of bytes: Range<Int>) -> Int? {
    words.first { $0.range.upperBound > bytes.lowerBound }?.sentence
  }

  private func bytes(of range: Range<Int>) -> Range<Int> {
    words[range.lowerBound].range.lowerBound..<words[range.upperBound - 1].range.upperBound
  }
}
