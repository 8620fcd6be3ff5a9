import Briefing
import Clinical
import VetNet

/// What is written at the patient's side: the words on one side, what they read as beside it.
enum EncounterPage {
  /// A blank one for the patient that the address names. It is begun when something is written: to look is no draft.
  static func new(_ call: Call) throws -> HTML {
    guard let reference = call.request.parameter("patient") else {
      throw ErrorBody(
        400, "invalid_field", "an encounter is of a patient", hint: "Open it from the patient's page.", field: "patient"
      )
    }
    let patient = try call.perform(IdentifyPatient(reference: reference))
    let open = try call.perform(
      ListEncounters(patient: patient.id, states: EncounterState.allCases.filter { !$0.isSigned }))
    let known: HTML =
      open.isEmpty
      ? ""
      : "<section class=\"enc-known\"><h2>Not finished yet</h2><ul class=\"plain\">\(open.prefix(5).html { EncounterPieces.listed($0, call) })</ul></section>"
    return try layout(
      patient, main: "\(known)\(writing(patient, nil, appointment: call.request.parameter("appointment"), call))", nil,
      call)
  }

  static func page(_ call: Call) throws -> HTML {
    let shown = try call.perform(ShowEncounter(id: call.value("id")))
    if call.request.parameter("part") == "live" { return EncounterPieces(shown: shown, call: call).live }
    return try layout(shown.patient, main: writing(shown.patient, shown, appointment: nil, call), shown, call)
  }

  private static func layout(_ patient: Patient, main: HTML, _ shown: ShownEncounter?, _ call: Call) throws -> HTML {
    let mayBook = call.session.actor.role.may(.writeBook)
    let booking: HTML =
      mayBook
      ? Dialogs.booking(
        clinicians: try call.perform(ShowDay(date: call.today)).workload.map { ($0.clinicianID, $0.name) },
        date: call.today) : ""
    return Layout(
      title: "Encounter, \(patient.name)", tab: .patients, script: "encounter.js", main: main,
      presence: shown.map { RecordReference(.encounter, $0.encounter.id) } ?? RecordReference(.patient, patient.id),
      dialogs: Dialogs.panel + EncounterPieces.dialogs + booking
    ).page(call)
  }

  private static func writing(
    _ patient: Patient, _ shown: ShownEncounter?, appointment: String?, _ call: Call
  ) -> HTML {
    let encounter = shown?.encounter
    let isOpen = !(encounter?.state.isSigned ?? false)
    let mayWrite = call.session.actor.role.may(.writeRecord)
    let live: HTML = shown.map { EncounterPieces(shown: $0, call: call).live } ?? EncounterPieces.nothing
    let address: HTML = encounter.map { " data-live=\"\(Link.encounter($0.id))?part=live\"" } ?? ""
    let words: HTML =
      isOpen
      ? """
      <section class="enc-words" aria-labelledby="enc-words-title"><h2 id="enc-words-title"><label for="narrative">What you saw, found and plan</label></h2>
      <textarea id="narrative" rows="16" spellcheck="true" data-testid="encounter_text"\(mayWrite ? "" : " readonly" as HTML) aria-describedby="enc-hint" autofocus>
      \(encounter?.narrative ?? "")</textarea>
      <p class="enc-saved" data-testid="encounter_saved" id="enc-saved" role="status">\(encounter.map { "Saved at \(call.zone.clock($0.changedAt))." } ?? "Nothing is written yet.")</p>
      <p class="hint" id="enc-hint">It is saved while you type. Ctrl+Enter goes to the next section that is not decided on; there <kbd>a</kbd> accepts, <kbd>e</kbd> edits, <kbd>d</kbd> drops, <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>n</kbd> leads back to the words.</p></section>
      """ : ""
    return """
      <div class="toolbar"><h1>Encounter: <a href="\(Link.patient(patient.id))"><bdi>\(patient.name)</bdi></a> <span class="id">\(patient.id)</span></h1><div class="group"><a class="button" href="/encounters" data-testid="encounters_link">My unfinished ones</a></div></div>
      <p class="signalment">\(patient.facts(on: call.today))</p>
      <div id="enc-banner" class="alert enc-banner" role="alert" data-testid="encounter_banner" hidden></div>
      <p id="enc-working" class="enc-working" role="status" data-testid="encounter_working" hidden></p>
      <div class="enc\(isOpen ? "" : " enc-signed" as HTML)" id="encounter" data-patient="\(patient.id)" data-name="\(patient.name)"\(encounter.map { " data-id=\"\($0.id)\" data-revision=\"\($0.revision)\"" as HTML })\(appointment.map { " data-appointment=\"\($0)\"" as HTML })>
      \(words)
      <div class="enc-reading"><div id="live"\(address) data-kinds="encounter note patient">\(live)</div></div></div>
      """
  }
}

/// Encounters that are not finished: one's own first.
enum EncountersPage {
  static func page(_ call: Call) throws -> HTML {
    let isAll = call.request.parameter("all") != nil
    let listed = try call.perform(
      ListEncounters(isOwn: !isAll, states: EncounterState.allCases.filter { !$0.isSigned }))
    let rows = listed.html { EncounterPieces.listed($0, call) }
    let live: HTML =
      listed.isEmpty
      ? "<p class=\"empty\" data-testid=\"encounters_empty\">Nothing is unfinished. An encounter begins on the patient's page.</p>"
      : "<ul class=\"plain enc-list\" data-testid=\"encounter_list\">\(rows)</ul>"
    if call.request.parameter("part") == "live" { return live }
    let main: HTML = """
      <div class="toolbar"><h1>Unfinished encounters</h1><div class="group"><a class="button" href="/encounters"\(isAll ? "" : " aria-current=\"page\"" as HTML)>Mine</a><a class="button" href="/encounters?all=1"\(isAll ? " aria-current=\"page\"" as HTML : "")>Everybody's</a></div></div>
      <div id="live" data-live="/encounters?part=live\(isAll ? "&amp;all=1" as HTML : "")" data-kinds="encounter">\(live)</div>
      """
    return Layout(title: "Unfinished encounters", tab: .patients, main: main).page(call)
  }
}

/// What an owner takes home, to be printed.
enum EncounterSummaryPage {
  static func page(_ call: Call) throws -> HTML {
    let summarized = try call.perform(SummarizeEncounter(id: call.value("id")))
    let patient = summarized.patient
    let parts = summarized.summary.parts.html { part in
      "<section class=\"part\"><h2>\(part.title)</h2><ul>\(part.lines.html { "<li>\($0.text)</li>" })</ul></section>"
    }
    let main: HTML = """
      <div class="toolbar no-print"><p><a href="\(Link.encounter(summarized.encounter.id))">‹ Encounter</a></p><div class="group"><button type="button" id="print" data-testid="print_button">Print</button></div></div>
      <article class="owner-summary" data-testid="owner_summary"><h1><bdi>\(patient.name)</bdi>, visit of \(Badges.longDate(call.zone.date(of: summarized.encounter.beganAt)))</h1>
      \(parts)<p class="disclaimer">\(EncounterPieces.summaryFoot)</p></article>
      """
    return Layout(title: "For the owner of \(patient.name)", tab: .patients, main: main).page(call)
  }
}
