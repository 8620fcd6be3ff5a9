import Briefing
import Clinical
import Presentation
import VetNet

/// What of an encounter changes while somebody writes: the reading, the decisions, and the way on.
struct EncounterPieces {
  let shown: ShownEncounter
  let call: Call

  static let nothing: HTML =
    "<p class=\"empty\" data-testid=\"encounter_empty\">What you write is read here: sections, values, possibilities, drugs, and what is missing.</p>"

  static let summaryFoot = OwnerSummaryDocument.foot

  private var encounter: Encounter { shown.encounter }
  private var mayWrite: Bool { call.session.actor.role.may(.writeRecord) }

  var live: HTML {
    let state: HTML = """
      <div class="enc-state" data-state-now="\(encounter.state.rawValue)" data-revision-now="\(encounter.revision)"><span class="badge" data-testid="encounter_state">\(encounter.state.rawValue)</span> <span class="id">\(encounter.id)</span> by \(encounter.author)</div><span hidden data-narrative-now>\(encounter.narrative)</span>
      """
    if let note = shown.note { return state + signed(note) }
    if encounter.state.isSigned { return state + "<p class=\"alert\">Its note is not there any more.</p>" }
    guard let reading = shown.reading, !reading.sections.isEmpty else { return state + Self.nothing + discard }
    let sections = reading.sections.html { section(reading, $0) }
    let written = EncounterSection.allCases.filter { reading[$0] == nil && shown.decided[$0] != nil }.html { alone($0) }
    return "\(state)\(questions(reading))\(sections)\(written)\(followUps(reading))\(steps)"
  }

  // MARK: Sections

  private func section(_ reading: EncounterReading, _ section: EncounterReading.Section) -> HTML {
    let name = section.section.rawValue
    let decided = shown.decided[section.section]
    let isOpen = shown.open(for: .planComplete).contains(section.section)
    let lines = section.lines.html { line(reading, $0) }
    let final: HTML =
      decided.map { decided in
        decided.decision.verdict == .edited
          ? "<div class=\"enc-final\"><b>In the note:</b> <span class=\"said\">\(decided.decision.words)</span></div>"
          : ""
      } ?? ""
    return """
      <section class="enc-section\(decided.map { $0.isStale ? " stale" : " done" as HTML })" data-section="\(name)" data-open="\(isOpen ? "1" : "" as HTML)" tabindex="-1" aria-labelledby="enc-\(name)" data-testid="encounter_section_\(name)">
      <h3 id="enc-\(name)">\(section.section.title) \(mark(decided, isOpen: isOpen))</h3><ul class="plain">\(lines)</ul>\(final)
      <span hidden data-words-now>\(decided?.decision.verdict == .edited ? decided?.decision.words ?? "" : section.words)</span>\(buttons(name, of: section.section.title))</section>
      """
  }

  /// A section that was written without anything proposed.
  private func alone(_ section: EncounterSection) -> HTML {
    let words = shown.decided[section]?.decision.words ?? ""
    return """
      <section class="enc-section done" data-section="\(section.rawValue)" data-open="" tabindex="-1" aria-labelledby="enc-\(section.rawValue)" data-testid="encounter_section_\(section.rawValue)"><h3 id="enc-\(section.rawValue)">\(section.title) <span class="badge">written</span></h3><div class="enc-final said">\(words)</div><span hidden data-words-now>\(words)</span></section>
      """
  }

  private func mark(_ decided: DecidedSection?, isOpen: Bool) -> HTML {
    guard let decided else { return isOpen ? "<span class=\"badge\">not decided</span>" : "" }
    return decided.isStale
      ? "<span class=\"badge bad\">changed since: look again</span>"
      : "<span class=\"badge good\">\(decided.decision.verdict.rawValue)</span>"
  }

  private func buttons(_ name: String, of title: String) -> HTML {
    guard mayWrite else { return "" }
    return """
      <div class="actions"><button type="button" data-verdict="accepted" aria-label="Accept: \(title)" data-testid="encounter_accept_\(name)">Accept</button><button type="button" data-edit aria-label="Edit: \(title)" data-testid="encounter_edit_\(name)">Edit…</button><button type="button" class="quiet" data-verdict="dropped" aria-label="Drop: \(title)" data-testid="encounter_drop_\(name)">Drop</button></div>
      """
  }

  private func line(_ reading: EncounterReading, _ line: EncounterReading.Line) -> HTML {
    let style: HTML = line.isWarning ? " class=\"enc-warning\"" : line.kind == .words ? " class=\"enc-own\"" : ""
    var notes: Set<String> = []
    let places = line.citations.map { reading.citations[$0] }.html { citation -> HTML in
      if citation.noteID == reading.narrativeID {
        return line.kind == .words
          ? ""
          : " <button type=\"button\" class=\"source\" data-words=\"\(citation.codePoints.lowerBound):\(citation.codePoints.upperBound)\" title=\"\(citation.quote)\">“\(citation.quote.shortened(to: 28))”</button>"
      }
      guard notes.insert(citation.noteID).inserted else { return "" }
      return
        " <a class=\"source\" data-note href=\"\(Link.note(citation.noteID, words: citation.codePoints))\" title=\"\(citation.quote)\">\(citation.noteID)</a>"
    }
    let rows = line.references.html { reference in
      " <span class=\"enc-row\" title=\"\(reference.id)\(reference.source.map { ": \($0)" })\">\(reference.rowID)</span>"
    }
    return "<li\(style)><span class=\"said\">\(line.text)</span>\(places)\(rows)</li>"
  }

  private func questions(_ reading: EncounterReading) -> HTML {
    guard !reading.questions.isEmpty else { return "" }
    return
      "<section class=\"enc-questions\" aria-labelledby=\"enc-missing\" data-testid=\"encounter_questions\"><h3 id=\"enc-missing\">Missing for a safe decision</h3><ul>\(reading.questions.html { line(reading, $0) })</ul></section>"
  }

  // MARK: Coming again

  private func followUps(_ reading: EncounterReading) -> HTML {
    guard call.session.actor.role.may(.writeBook), !reading.followUps.isEmpty else { return "" }
    let items = reading.followUps.enumerated().html { number, followUp in
      let when: HTML =
        followUp.due.map { due in
          due.lowerBound == due.upperBound
            ? "<b>\(Badges.shortDate(due.lowerBound))</b>"
            : "<b>\(Badges.shortDate(due.lowerBound)) to \(Badges.shortDate(due.upperBound))</b>"
        } ?? "no day is written"
      let start: HTML = followUp.due.map { " data-start=\"\("\($0.lowerBound)")T09:00\"" } ?? ""
      return
        "<li>“\(followUp.text)” \(when) <button type=\"button\" class=\"small\" data-book\(start) data-reason=\"\(followUp.text)\" data-testid=\"encounter_book_\(number)\">Book…</button></li>"
    }
    return
      "<section class=\"enc-section plainly\" aria-labelledby=\"enc-again\"><h3 id=\"enc-again\">To be booked</h3><ul class=\"plain\">\(items)</ul></section>"
  }

  // MARK: Going on

  private var steps: HTML {
    guard mayWrite else { return "" }
    let open = shown.open(for: .planComplete)
    let rest: HTML =
      open.isEmpty
      ? ""
      : "<button type=\"button\" data-accept-open=\"\(open.map(\.rawValue).joined(separator: " "))\" data-testid=\"encounter_accept_open\">Accept the \(open.count) that are open</button>"
    let needed = shown.open(for: encounter.state.next ?? .planComplete)
    let hint: HTML =
      needed.isEmpty
      ? "" : "<p class=\"hint\">Before the next step: \(needed.map(\.title).joined(separator: ", ")).</p>"
    let next: HTML =
      switch encounter.state {
      case .draft:
        "<button type=\"button\" class=\"primary\" data-step=\"advance\" data-testid=\"encounter_advance\">History is complete</button>"
      case .historyComplete:
        "<button type=\"button\" class=\"primary\" data-step=\"advance\" data-testid=\"encounter_advance\">Plan is complete</button>"
      case .planComplete:
        "<button type=\"button\" class=\"primary\" data-sign data-testid=\"encounter_sign\">Sign…</button>"
      case .final, .amended: ""
      }
    let summary: HTML =
      shown.noteText.isEmpty
      ? ""
      : "<a class=\"button\" href=\"\(Link.encounter(encounter.id))/summary\" data-testid=\"encounter_summary_link\">For the owner</a>"
    return
      "\(hint)<div class=\"actions enc-steps\">\(next)\(rest)\(summary)\(discardButton)</div><span hidden data-note-now>\(shown.noteText)</span>"
  }

  private var discardButton: HTML {
    "<button type=\"button\" class=\"quiet danger\" data-discard data-testid=\"encounter_discard\">Throw away…</button>"
  }

  private var discard: HTML { mayWrite ? "<div class=\"actions\">\(discardButton)</div>" : "" }

  private func signed(_ history: NoteHistory) -> HTML {
    let note = history.note
    let signature = encounter.signature
    let amend: HTML =
      mayWrite ? "<button type=\"button\" data-open=\"enc-amend\" data-testid=\"encounter_amend\">Amend…</button>" : ""
    let retracted: HTML =
      history.retraction.map { "<p class=\"alert\">The note was retracted by \($0.actor): \($0.reason)</p>" } ?? ""
    let versions: HTML =
      history.versions.isEmpty
      ? ""
      : "<details><summary>What it said before (\(history.versions.count))</summary>\(history.versions.reversed().html { "<p class=\"hint\">until \(Badges.shortDate(call.zone.date(of: $0.replacedAt))) \(call.zone.clock($0.replacedAt)), \($0.actor)\($0.reason.map { ": \($0)" })</p><pre class=\"note\">\($0.text)</pre>" })</details>"
    return """
      <p>Signed by \(signature?.actor) on \(signature.map { "\(Badges.shortDate(call.zone.date(of: $0.at))), \(call.zone.clock($0.at))" }) as the note <a href="\(Link.note(note.id))" data-testid="encounter_note_link">\(note.id)</a>. <span class="id" title="BLAKE2b-256 of its text as it was signed">\(signature.map { String($0.hash.prefix(16)) })…</span></p>\(retracted)
      <pre class="note" tabindex="0" role="region" aria-label="The note" data-testid="encounter_note">\(note.text)</pre><span hidden data-note-now>\(note.text)</span>
      <div class="actions">\(amend)<a class="button" href="\(Link.encounter(encounter.id))/summary" data-testid="encounter_summary_link">For the owner</a></div>\(versions)
      """
  }

  // MARK: Lists and windows

  static func listed(_ one: ListedEncounter, _ call: Call) -> HTML {
    let encounter = one.encounter
    let words = encounter.narrative.split(whereSeparator: \.isWhitespace).prefix(14).joined(separator: " ")
    return """
      <li><a href="\(Link.encounter(encounter.id))" data-testid="encounter_\(encounter.id)"><b><bdi>\(one.patient.name)</bdi></b></a> <span class="id">\(one.patient.id)</span> <span class="badge">\(encounter.state.rawValue)</span> \(Badges.shortDate(call.zone.date(of: encounter.changedAt))), \(call.zone.clock(encounter.changedAt)), by \(encounter.author)<br><span class="what">\(words.isEmpty ? "nothing written yet" : words)</span></li>
      """
  }

  static let dialogs: HTML = """
    <dialog id="enc-edit" class="wide" aria-labelledby="enc-edit-title">\(Dialogs.head("Edit the section", id: "enc-edit"))
    <form novalidate><p class="hint" data-about></p><div class="field"><label for="enc-edit-words">What goes into the note</label><textarea id="enc-edit-words" name="text" rows="8" data-testid="encounter_edit_words"></textarea></div>
    <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="primary" data-testid="encounter_edit_save">Take these words</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="enc-sign" class="wide" aria-labelledby="enc-sign-title">\(Dialogs.head("Sign this note", id: "enc-sign"))
    <form novalidate><pre class="note" tabindex="0" role="region" aria-label="The note to be signed" data-note-text></pre><p class="hint">It becomes one note of the record, under your name. What changes after that is an amendment.</p>
    <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="primary" data-testid="encounter_sign_save">Sign</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="enc-amend" class="wide" aria-labelledby="enc-amend-title">\(Dialogs.head("Amend the note", id: "enc-amend"))
    <form novalidate><div class="field"><label for="enc-amend-words">The note</label><textarea id="enc-amend-words" name="text" rows="12" data-testid="encounter_amend_words"></textarea></div>
    <div class="field"><label for="enc-amend-reason">Why</label><input id="enc-amend-reason" name="reason" autocomplete="off" data-testid="encounter_amend_reason"></div>
    <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="primary" data-testid="encounter_amend_save">Amend</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="enc-discard" aria-labelledby="enc-discard-title">\(Dialogs.head("Throw this encounter away?", id: "enc-discard"))
    <form novalidate><p>Its words are gone then, and nothing of it becomes a note.</p><p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="danger" data-testid="encounter_discard_save">Throw away</button><button type="button" class="quiet" data-close>Keep it</button></div></form></dialog>
    """
}
