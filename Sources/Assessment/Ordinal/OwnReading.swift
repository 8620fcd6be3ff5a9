import Clinical

/// Whether a red or orange finding is meant, by what the model that judges messages makes of the finding's own words.
///
/// Rules know words, not that a ragdoll "goes limp when you pick him up" or that someone was "at death's door". A finding is no sign
/// only where two readings agree. The message as a whole is as good as never urgent, and none of the finding's windows, its own
/// sentences whole and cut at their joints (``IntakeReading/ownWindows(of:)``), read alone with nothing of the form but the species,
/// tells of anything that has to be seen. What stands in other sentences, in the form, or joined on behind a comma or a "but" is
/// missing from one of the windows, so it can't argue a finding away; a short report that the model is unsure of is not doubted,
/// for then the whole is unsure too.
///
/// - Source: the three probabilities were chosen on development messages that were not fitted to, with every short message of
///   3,628 keeping its floor (triage/CARD.md).
package enum OwnReading {
  /// Whether a finding may be doubted at all. A poison that was eaten or given is no figure of speech, at whatever dose.
  static func isDoubtful(_ finding: TriageResult.Fired) -> Bool { finding.floor != nil && !finding.isTaken }

  /// Whether the whole message leaves room for doubt. `whole`: P(at least green), …, P(red).
  package static func isHarmless(whole: [Double]) -> Bool { whole[Urgency.orange.rank - 1] < 0.05 }

  /// Whether a window speaks for its finding. `window`: P(at least green), …, P(red) of its words alone.
  package static func convinces(_ window: [Double]) -> Bool {
    window[Urgency.orange.rank - 1] >= 0.5 || window[Urgency.yellow.rank - 1] >= 0.98
  }

  /// Of an urgent case: the whole message outweighs one rule's reading of a clause.
  static let probable = 0.75
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
