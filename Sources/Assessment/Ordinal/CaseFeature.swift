/// One thing a case shows, as a named number.
///
/// The name's first part says what kind it is: `word:limp`, `not:breath`, `rule:gdv`. Names are what the weights are kept by.
struct CaseFeature: Hashable, Sendable {
  let name: String
  /// 0 for absent, else how much of it; most are 1.
  var value: Double
  /// Indices of ``IntakeWord`` that show it; nil for what is known of the patient.
  var words: Range<Int>?

  init(_ name: String, _ value: Double = 1, words: Range<Int>? = nil) {
    self.name = name
    self.value = value
    self.words = words
  }

  /// Whether it is a finding of the rules, which may only make a case more urgent.
  var mayOnlyRaise: Bool { Self.mayOnlyRaise(name) }

  static func mayOnlyRaise(_ name: String) -> Bool {
    name.hasPrefix("rule:") || name.hasPrefix("level:") || name.hasPrefix("group:")
  }
}
