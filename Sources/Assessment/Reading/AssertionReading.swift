import Extraction
import TextAnalysis

/// Why words that name a sign may not count.
public enum Standing: String, Hashable, Sendable, CaseIterable {
  case present, uncertain
  case negated
  case past
  case hypothetical
  case otherAnimal = "other animal"
  /// Another animal of the writer's, who is ill now: a patient too where it is urgent.
  case household = "another animal of the household"
  /// A figure of speech, a story, a name: see ``OwnReading``.
  case notMeant = "not meant as a sign"

  /// Whether the sign counts: a doubted one does, for two levels in doubt take the more urgent.
  public var counts: Bool { self == .present || self == .uncertain }

  /// Whether the sign is spoken of though nobody says that it ever was.
  var isSupposed: Bool { self == .hypothetical || self == .notMeant }
}

/// What the classifier of clinical notes reads of an intake. Made once per text, asked for many places.
struct ClassifiedAssertions {
  private let classifiers: [(AssertionClassifier, AssertionContext)]
  private let bytes: [UInt8]
  private let past: PastReading
  /// Words between an eating and what was eaten: "ate at least half a packet of my husband's old".
  private static let longestMeal = 8

  /// Reads `text` with all `classifiers`, any of which may speak against a sign; `past` says which of their cues show that it is over.
  init(_ text: String, classifiers: [AssertionClassifier], past: PastReading) {
    self.past = past
    self.classifiers = classifiers.map { ($0, $0.context(of: text)) }
    bytes = Array(text.utf8)
  }

  /// What the text says about some words.
  ///
  /// - Parameters:
  ///   - range: UTF-8 bytes of the text.
  ///   - isExposure: whether the words name something that can be eaten, not something that is wrong: who ate it counts then,
  ///     not whose it was.
  /// - Returns: why they may not count.
  func standing(of range: Range<Int>, isExposure: Bool) -> Standing {
    let assertions = classifiers.map { classifier, context in
      var assertion = classifier.assertion(of: range, in: context)
      // "He has eaten my neighbour's rat poison".
      if isExposure, assertion.experiencer == .other,
        let eating = classifier.ingestion(before: range, within: Self.longestMeal, in: context)
      {
        assertion.experiencer = classifier.assertion(of: eating, in: context).experiencer
      }
      return assertion
    }
    let others = assertions.filter { $0.experiencer == .other }
    if !others.isEmpty { return others.allSatisfy { isHousehold($0, range) } ? .household : .otherAnimal }
    if assertions.contains(where: { $0.polarity == .absent }) { return .negated }
    if assertions.contains(where: { $0.temporality == .hypothetical }) { return .hypothetical }
    if assertions.contains(where: { $0.temporality == .historical && isPast($0, range) }) { return .past }
    return assertions.contains { $0.polarity == .uncertain } ? .uncertain : .present
  }

  /// "The other one has swallowed a needle": not "my other dog had that years ago", nor "unlike the other".
  private func isHousehold(_ assertion: Assertion, _ range: Range<Int>) -> Bool {
    guard assertion.polarity != .absent, assertion.temporality != .hypothetical else { return false }
    if assertion.temporality == .historical, assertion.cues.contains(where: { past.isOver($0, of: range) }) {
      return false
    }
    return assertion.cues.contains { cue in
      let words = WordForm.runs(of: String(decoding: bytes[cue.range], as: UTF8.self))
      return words.contains("other") && !words.contains("than") && words.count <= Self.longestSubject
    }
  }

  /// Words of "my other little dog".
  private static let longestSubject = 4

  /// "Since last winter" goes on; "last winter" is over.
  private func isBeginning(_ cue: Range<Int>) -> Bool {
    let since = Array("since ".utf8)
    guard cue.lowerBound >= since.count else { return false }
    return bytes[(cue.lowerBound - since.count)..<cue.lowerBound].elementsEqual(since)
  }

  /// Owners date one thing and go on in the same breath: "in heat six weeks ago, drinking a lot". A date reaches no further
  /// than its comma; headings of a letter do, and rules that speak of all that was said ("that was last winter").
  private func isPast(_ assertion: Assertion, _ range: Range<Int>) -> Bool {
    assertion.cues.contains { cue in
      if cue.rule.hasPrefix("heading") { return true }
      guard past.isOver(cue, of: range) else { return false }
      if cue.rule.hasPrefix("whole-") { return true }
      let between =
        cue.range.upperBound <= range.lowerBound
        ? cue.range.upperBound..<range.lowerBound : range.upperBound..<max(range.upperBound, cue.range.lowerBound)
      return !bytes[between].contains(UInt8(ascii: ",")) && !isBeginning(cue.range)
    }
  }
}
