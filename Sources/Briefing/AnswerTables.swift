public import Assessment
public import Chart

/// The word lists of answers from facts, from `Models/briefing`: which states exclude each other, what is told of an animal's life,
/// reactions and bans, anaesthetics, what prevents what, and how often drugs are given.
public struct AnswerTables: Sendable {
  let opposites: StateOpposites
  let attributes: AttributeTable
  let alerts: AlertLexicon
  let anaesthesia: AnaesthesiaWords
  let prevention: PreventionGroups
  let frequencies: FrequencyWords
  let tolerance: ToleranceKnowledge
  let vitals: VitalRanges

  /// - Parameters:
  ///   - opposites: states that can't be left, with what speaks against them.
  ///   - attributes: how an animal lives and with whom.
  ///   - alerts: words of reactions, bans and risks.
  ///   - anaesthesia: words by which anaesthetics and their course are told.
  ///   - prevention: vaccines and parasite control by what they are against.
  ///   - frequencies: how often something is given.
  ///   - tolerance: how questions ask whether something is borne, and what relates drugs to each other.
  ///   - vitals: what is normal of vital signs.
  public init(
    opposites: StateOpposites, attributes: AttributeTable, alerts: AlertLexicon, anaesthesia: AnaesthesiaWords,
    prevention: PreventionGroups, frequencies: FrequencyWords, tolerance: ToleranceKnowledge,
    vitals: VitalRanges
  ) {
    self.opposites = opposites
    self.attributes = attributes
    self.alerts = alerts
    self.anaesthesia = anaesthesia
    self.prevention = prevention
    self.frequencies = frequencies
    self.tolerance = tolerance
    self.vitals = vitals
  }
}
