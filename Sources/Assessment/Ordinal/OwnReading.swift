import Clinical

/// Whether a red or orange finding is meant: what exemplars make of its own sentences, read without the rest of the message.
///
/// Rules know words, not that a ragdoll "goes limp when you pick him up" or that someone was "at death's door". A finding is no sign
/// only where two things speak against it. Its own clause has to show by a sign that can be named that it may be no report
/// (``IntakeReading/mayBeFigure(_:)``), and the model that judges messages, asked about the finding's own sentences alone with nothing
/// of the form but the species, has to take them for harmless. Nothing outside those sentences is read, so no other sentence can
/// argue a finding away; nothing outside its clause can give the sign.
///
/// - Source: chosen on development messages that were not fitted to. Of 236
///   urgent ones with findings none lost its finding; the least likely true one with a sign had .53, without .10.
struct OwnReading {
  /// The least probability of yellow or more, 0…1, at which a finding is taken as meant; nil where it isn't doubted at all.
  ///
  /// A poison that was eaten or given is no figure of speech, at whatever dose. Without a named sign only a finding is doubted that
  /// is below orange already, and by a model that is nearly certain.
  static func leastProbability(of finding: TriageResult.Fired, in reading: IntakeReading) -> Double? {
    if finding.floor == nil || finding.isTaken { return nil }
    if reading.mayBeFigure(finding) { return evenChance }
    return finding.level < TriageFloor.leastLevel ? nearlyNone : nil
  }

  static let evenChance = 0.5
  /// Of an urgent case: the whole message outweighs one rule's reading of a clause.
  static let probable = 0.75
  static let nearlyNone = 0.15
  /// With fewer known words than this, fillers aside, there is nothing by which to doubt a finding.
  static let leastWords = 3
  /// Sentences that are read in turn for one finding; one that is still found after them counts.
  static let mostSentences = 4
}

extension TriageResult {
  /// The findings with floors that `isMeant` speaks against are moved to those that don't count.
  func keepingFindings(where isMeant: (Fired) -> Bool) -> TriageResult {
    var result = self
    result.fired = []
    for finding in fired {
      if finding.floor == nil || isMeant(finding) {
        result.fired.append(finding)
      } else {
        result.suppressed.append(
          Suppressed(id: finding.id, level: finding.level, reason: .notMeant, evidence: finding.evidence))
      }
    }
    result.suppressed.sort { ($0.level.rank, $1.id) > ($1.level.rank, $0.id) }
    return result
  }
}
