/// What a note shows to whoever asks whether a treatment was borne: its treatments and the signs of disease, each with what the
/// note says of it.
struct ReactionScene {
  struct Sign {
    let words: Range<Int>
    /// The body system, empty where the table names none.
    let system: String
    let assertion: Assertion
  }

  let text: ScannedText
  /// In the order of the text.
  let treatments: [Treatment]
  /// Of each treatment.
  let assertions: [Assertion]
  let signs: [Sign]

  /// - Complexity: O(treatments × cues of a sentence + findings).
  init(_ context: FactContext, treatments: [Treatment], findings: [Finding]) {
    text = context.text
    self.treatments = treatments
    assertions = treatments.map { context.assertion(of: $0.words) }
    signs = findings.filter { $0.kind == .sign || $0.kind == .problem }.map {
      Sign(words: context.text.wordRange(of: $0.range), system: $0.system, assertion: $0.assertion)
    }
  }
}
