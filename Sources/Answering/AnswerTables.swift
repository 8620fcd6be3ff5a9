public import Assessment
public import Chart
package import Clinical
package import Extraction
package import Formulary

/// The word lists of answers from facts, from `Models/briefing`: which states exclude each other, what is told of an animal's life,
/// reactions and bans, anaesthetics, what prevents what, and how often drugs are given.
public struct AnswerTables: Sendable {
  let words: AnswerWords
  let prevention: PreventionGroups
  let vitals: VitalRanges

  var opposites: StateOpposites { words.opposites }
  var attributes: AttributeTable { words.attributes }
  var alerts: AlertLexicon { words.alerts }
  var anaesthesia: AnaesthesiaWords { words.anaesthesia }
  var tolerance: ToleranceKnowledge { words.tolerance }
  var frequencies: FrequencyWords { words.frequencies }

  /// - Parameters:
  ///   - words: what is told in words of many kinds.
  ///   - prevention: vaccines and parasite control by what they are against.
  ///   - vitals: what is normal of vital signs.
  public init(words: AnswerWords, prevention: PreventionGroups, vitals: VitalRanges) {
    self.words = words
    self.prevention = prevention
    self.vitals = vitals
  }
}

/// Of the tables of answers those with the most words, which are worked out beforehand together.
public struct AnswerWords: Sendable {
  let opposites: StateOpposites
  let attributes: AttributeTable
  let alerts: AlertLexicon
  let anaesthesia: AnaesthesiaWords
  let tolerance: ToleranceKnowledge
  let frequencies: FrequencyWords

  /// - Parameters:
  ///   - opposites: states that can't be left, with what speaks against them.
  ///   - attributes: how an animal lives and with whom.
  ///   - alerts: words of reactions, bans and risks.
  ///   - anaesthesia: words by which anaesthetics and their course are told.
  ///   - tolerance: how questions ask whether something is borne, and what relates drugs to each other.
  ///   - frequencies: how often something is given.
  public init(
    opposites: StateOpposites, attributes: AttributeTable, alerts: AlertLexicon, anaesthesia: AnaesthesiaWords,
    tolerance: ToleranceKnowledge, frequencies: FrequencyWords
  ) {
    self.opposites = opposites
    self.attributes = attributes
    self.alerts = alerts
    self.anaesthesia = anaesthesia
    self.tolerance = tolerance
    self.frequencies = frequencies
  }

  package func pack(into packer: inout Packer) {
    attributes.pack(into: &packer)
    opposites.pack(into: &packer)
    alerts.pack(into: &packer)
    anaesthesia.pack(into: &packer)
    tolerance.pack(into: &packer)
    frequencies.pack(into: &packer)
  }

  /// With the classifier that treatments are found with, and the formulary of the same tables.
  package init(
    from unpacker: inout Unpacker, classifier: AssertionClassifier, formulary: Formulary
  ) throws(PackingError) {
    attributes = try AttributeTable(from: &unpacker)
    // All name the same classes.
    opposites = try StateOpposites(from: &unpacker, slots: attributes.slots)
    alerts = try AlertLexicon(from: &unpacker, slots: attributes.slots)
    anaesthesia = try AnaesthesiaWords(from: &unpacker)
    tolerance = try ToleranceKnowledge(from: &unpacker, classifier: classifier, formulary: formulary)
    frequencies = try FrequencyWords(from: &unpacker)
  }
}
