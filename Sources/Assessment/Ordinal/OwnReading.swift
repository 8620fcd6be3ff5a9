import Clinical

/// Whether a red or orange finding is meant: what exemplars make of its own sentences, read without the rest of the message.
///
/// Rules know words, not that a ragdoll "goes limp when you pick him up" or that someone was "at death's door". The model that
/// judges messages is asked about the finding's own sentences alone, with the finding among its features; where it takes them
/// for harmless, the finding is no sign. Nothing outside those sentences is read, so no other sentence can argue a finding away.
///
/// - Source: chosen on development messages that were not fitted to. Below one half, because a sign that is lost costs more than
///   one that is kept: at .5 a fainting fit told with a figure of speech was lost, at .4 none was.
struct OwnReading {
  /// The least probability of yellow or more, 0…1, at which a finding is taken as meant.
  static let leastProbability = 0.4
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
