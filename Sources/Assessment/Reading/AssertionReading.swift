import Extraction

/// Why words that name a sign may not count.
public enum Standing: String, Hashable, Sendable, CaseIterable {
  case present, uncertain
  case negated
  case past
  case hypothetical
  case otherAnimal = "other animal"

  /// Whether the sign counts: a doubted one does, for two levels in doubt take the more urgent.
  public var counts: Bool { self == .present || self == .uncertain }
}

/// Reads what a text says about some of its words. Made once per text, asked for many places.
protocol AssertionReading {
  /// - Parameter range: UTF-8 bytes of the text.
  func standing(of range: Range<Int>) -> Standing
}

/// The classifier of clinical notes, asked about an intake.
struct ClassifiedAssertions: AssertionReading {
  private let classifiers: [(AssertionClassifier, AssertionContext)]
  private let bytes: [UInt8]

  /// - Parameter classifiers: the first that speaks against a sign decides.
  init(_ text: String, classifiers: [AssertionClassifier]) {
    self.classifiers = classifiers.map { ($0, $0.context(of: text)) }
    bytes = Array(text.utf8)
  }

  func standing(of range: Range<Int>) -> Standing {
    var isUncertain = false
    for (classifier, context) in classifiers {
      let assertion = classifier.assertion(of: range, in: context)
      if assertion.experiencer == .other { return .otherAnimal }
      if assertion.polarity == .absent { return .negated }
      if assertion.temporality == .hypothetical { return .hypothetical }
      if assertion.temporality == .historical, isPast(assertion, range) { return .past }
      if assertion.polarity == .uncertain { isUncertain = true }
    }
    return isUncertain ? .uncertain : .present
  }

  /// Owners date one thing and go on in the same breath: "in heat six weeks ago, drinking a lot". A date reaches no further
  /// than its comma; headings of a letter do.
  private func isPast(_ assertion: Assertion, _ range: Range<Int>) -> Bool {
    assertion.cues.contains { cue in
      if cue.rule.hasPrefix("heading") { return true }
      let between =
        cue.range.upperBound <= range.lowerBound
        ? cue.range.upperBound..<range.lowerBound : range.upperBound..<max(range.upperBound, cue.range.lowerBound)
      return !bytes[between].contains(UInt8(ascii: ","))
    }
  }
}
