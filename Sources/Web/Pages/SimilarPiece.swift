import Clinical
import VetNet

/// Cases that resemble one, each with the words that do.
struct SimilarPiece {
  let cases: [SimilarCase]
  let call: Call

  var html: HTML {
    guard !cases.isEmpty else { return .empty }
    let items = cases.html { found in
      """
      <li><a data-note href="\(Link.note(found.noteID, words: found.codePoints))"><bdi>\(found.patient.name)</bdi></a> <span class="id">\(found.patient.id)</span> · \(found.patient.species.rawValue) · \(Badges.shortDate(call.zone.date(of: found.recordedAt)))<br><q>\(found.quote)</q></li>
      """
    }
    return """
      <details class="similar" data-testid="similar_cases"><summary>Similar cases: \(cases.count)</summary>
      <p class="hint">Other patients' notes that resemble the one this answer rests on. They are no evidence for it.</p><ol class="citations">\(items)</ol></details>
      """
  }
}
