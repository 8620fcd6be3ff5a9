import Clinical

/// Finds where a note goes on about a drug without naming it: "Back on 10mg every day", "down to 0.25 ml twice daily", "Stop it".
///
/// A sentence that names no drug and says how much is given how often, or that it is stopped, speaks of the drug that was named
/// last, unless several were named together: then nobody can say of which.
struct DrugEllipsis {
  /// A drug where it is meant but not named.
  struct Mention {
    /// The words that stand for it.
    let drug: DrugMention
    /// The words that name it.
    let antecedent: Range<Int>
  }

  let phrases: ContextPhrases
  let parser: QuantityParser

  /// Sentences back to the one that names the drug.
  private static let reach = 4
  /// Words between what was done and how much: "back on the 10 mg", "only gives one 300 mg".
  private static let actionReach = 3

  /// - Parameters:
  ///   - named: the drugs that the note names, and those whose level it tells, in order.
  ///   - context: the note.
  /// - Returns: in the order of the text.
  /// - Complexity: O(words) for a note that names a drug.
  func mentions(after named: [DrugMention], in context: FactContext) -> [Mention] {
    guard !named.isEmpty else { return [] }
    let text = context.text
    var result: [Mention] = []
    for (place, sentence) in text.sentences.enumerated() {
      guard !named.contains(where: { sentence.overlaps($0.words) }), let last = antecedent(of: place, named, text)
      else { continue }
      if let words: (range: Range<Int>, action: TreatmentAction) = regimen(in: sentence, context)
        ?? stop(in: sentence, context)
      {
        let drug = DrugMention(drug: last.drug, brand: nil, words: words.range, action: words.action)
        result.append(Mention(drug: drug, antecedent: last.words))
      }
    }
    return result
  }

  /// The only drug of the last sentence that names one.
  private func antecedent(of sentence: Int, _ named: [DrugMention], _ text: ScannedText) -> DrugMention? {
    for back in 1...Self.reach where sentence >= back {
      let drugs = named.filter { text.sentences[sentence - back].overlaps($0.words) }
      if drugs.isEmpty { continue }
      return Set(drugs.map(\.drug.generic)).count == 1 ? drugs.last : nil
    }
    return nil
  }

  /// What is done, then how much, then how often.
  private func regimen(in sentence: Range<Int>, _ context: FactContext) -> (Range<Int>, TreatmentAction)? {
    let hits = phrases.hits(in: sentence, of: context.text, axes: [.action, .frequency])
    for action in hits {
      guard let done = action.action, Self.regimens.contains(done) else { continue }
      let end = min(sentence.upperBound, action.words.upperBound + Self.actionReach)
      for index in action.words.upperBound..<max(end, action.words.upperBound) {
        guard let (quantity, after) = parser.quantity(at: index, in: context.text),
          Self.doses.contains(quantity.dimension), after <= sentence.upperBound,
          hits.contains(where: { $0.axis == .frequency && $0.words.lowerBound >= after })
        else { continue }
        return (action.words, done)
      }
    }
    return nil
  }

  /// "Stop it", "they were stopped".
  private func stop(in sentence: Range<Int>, _ context: FactContext) -> (Range<Int>, TreatmentAction)? {
    let text = context.text
    for hit in phrases.hits(in: sentence, of: text, axes: .action) where hit.action == .stopped {
      let around =
        max(sentence.lowerBound, hit.words.lowerBound - 2)..<min(sentence.upperBound, hit.words.upperBound + 2)
      if let word = around.first(where: { Self.pronouns.contains(text.words[$0].hash) }) {
        return (word..<(word + 1), .stopped)
      }
    }
    return nil
  }

  private static let regimens: [TreatmentAction] = [.started, .changed, .continued, .given]
  private static let doses: Set<String> = ["drug mass", "volume", "units", "count", "dose rate"]
  private static let pronouns = Set(["it", "they", "them", "these", "those"].map { Spelling.hash($0) })
}
