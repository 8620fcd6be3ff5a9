import Briefing
import Clinical
import Presentation
import VetNet

/// A patient's record: what must not be overlooked first, then what it has and gets, then everything in time order.
enum PatientPage {
  private static let most = 40

  static func page(_ call: Call) throws -> HTML {
    let overview = try call.perform(ShowPatient(reference: call.value("id")))
    let patient = overview.patient
    // The address names one patient by its id, whatever words led here.
    let charted = try call.permitted(ChartPatient(reference: patient.id))
    let chart = charted.map { PatientChartOutput($0, at: call.now, zone: call.zone) }
    // The dead get no brief; their record stays.
    let brief = patient.deceasedAt == nil ? try call.permitted(BriefPatient(reference: patient.id)) : nil
    let timeline = try call.permitted(ListTimeline(reference: patient.id))
    let photos = try call.permitted(ListPhotos(filter: PhotoFilter(patient: patient.id), limit: 8))
    let live = RecordView(
      overview: overview, chart: chart, measures: charted?.measures ?? [], brief: brief, photos: photos,
      timeline: timeline.map { Array($0.reversed()) }, call: call)
    let main: HTML = """
      <div id="live" data-live="\(Link.patient(patient.id))?part=live\(older(call))" data-kinds="patient client note appointment photo">\(try live.html(most: most))</div>
      """
    if call.request.parameter("part") == "live" {
      return "<div hidden data-head>\(head(overview, call))</div>\(try live.html(most: most))"
    }
    return Layout(
      title: patient.name, tab: .patients, script: "record.js",
      main: "<div id=\"head\">\(head(overview, call))</div>" + askBox(patient) + main,
      presence: RecordReference(.patient, patient.id),
      dialogs:
        "\(Dialogs.panel)\(photos == nil ? "" : PhotoPieces.viewer)\(photos == nil ? "" : "<script type=\"module\" src=\"\(Assets.path("photos.js"))\"></script>" as HTML)"
    ).page(call)
  }

  /// The part of a long history that is looked at.
  private static func older(_ call: Call) -> HTML {
    call.request.parameter("offset").flatMap { Int($0) }.map { "&amp;offset=\($0)" } ?? ""
  }

  /// Names that are mistaken for each other are told apart before anybody acts on the wrong animal.
  private static func lookalikes(_ overview: PatientOverview, _ call: Call) -> HTML {
    guard !overview.lookalikes.isEmpty else { return "" }
    let others = overview.lookalikes.prefix(6).html {
      "<li><a href=\"\(Link.patient($0.id))\"><b><bdi>\($0.name)</bdi></b></a> <span class=\"id\">\($0.id)</span> \($0.facts(on: call.today))</li>"
    }
    let count = overview.lookalikes.count
    return
      "<details class=\"lookalikes\" data-testid=\"lookalikes\"><summary>\(count == 1 ? "Another patient has" : "\(count) other patients have") this name or nearly: check which is meant</summary><ul class=\"plain\">\(others)</ul></details>"
  }

  private static func head(_ overview: PatientOverview, _ call: Call) -> HTML {
    let patient = overview.patient
    let phones = (overview.client?.phones ?? []).html {
      "<a class=\"phone\" href=\"\("tel:\($0.number.filter { $0.isNumber || $0 == "+" })")\">\($0.label.map { "\($0) " })\($0.number)</a> "
    }
    let owner = overview.client?.name ?? patient.ownerName
    let died: HTML = patient.deceasedAt.map { "<p class=\"alert\">Died on \(Badges.longDate($0)).</p>" } ?? ""
    return """
      <div class="patient-head"><h1><bdi>\(patient.name)</bdi> <span class="id">\(patient.id)</span> <a class="button small" href="\(Link.path(["patient", patient.id, "edit"]))" data-testid="edit_patient_button">Edit</a>\(encounter(patient, call))</h1>
      <p class="signalment">\(patient.facts(on: call.today).prefix { $0 != "·" })\(patient.microchip.map { " · chip \($0)" })</p>
      <p>\(owner.map { "<bdi>\($0)</bdi> " as HTML })\(phones)</p>\(died)\(lookalikes(overview, call))</div>
      """
  }

  /// The way to what is written at its side, for whom that is.
  private static func encounter(_ patient: Patient, _ call: Call) -> HTML {
    guard patient.deceasedAt == nil, call.session.actor.role.may(.writeRecord) else { return "" }
    return
      " <a class=\"button small\" href=\"\(Link.newEncounter(of: patient.id))\" data-testid=\"new_encounter_button\">Write an encounter</a>"
  }

  private static func askBox(_ patient: Patient) -> HTML {
    """
    <form class="ask" id="ask" data-draft="ask-\(patient.id)"><input type="hidden" name="patient_id" value="\(patient.id)"><label for="ask-input">Ask this record</label>
    <div class="ask-line"><input id="ask-input" name="question" autocomplete="off" placeholder="what is on file of …?" data-testid="ask_input"><button type="submit" class="primary" data-testid="ask_submit_button">Ask</button></div></form>
    <div id="answer" aria-live="polite"></div>
    """
  }
}

/// What of a record changes while somebody looks.
struct RecordView {
  let overview: PatientOverview
  let chart: PatientChartOutput?
  let measures: [MeasuredSeries]
  let brief: Brief?
  /// Nil for whoever may not see them.
  let photos: PhotoPage?
  /// The newest first.
  let timeline: [TimelineEntry]?
  let call: Call

  func html(most: Int) throws -> HTML {
    "\(alerts)\(upcoming)<div class=\"cards\">\(trends)\(problems)\(drugs)\(prevention)\(documents)\(photos.map { PhotoPieces.strip($0, patient: overview.patient, call) })</div>\(try history(most: most))"
  }

  // MARK: What must not be overlooked

  private var alerts: HTML {
    let lines = brief?.sections.first { $0.title == "Alerts" }?.lines ?? []
    var items = lines.html { line -> HTML in
      "<li>\(line.text)\(Self.sources(line, brief?.citations ?? []))</li>"
    }
    if brief == nil {
      items =
        (chart?.reactions ?? []).filter(\.warns).html {
          "<li>\($0.state == "avoid" ? "Avoid" : "Reaction to") \($0.treatment)</li>"
        }
    }
    guard !items.markup.isEmpty else {
      return chart == nil
        ? ""
        : "<section class=\"alerts none\" data-testid=\"patient_alerts\" aria-label=\"Alerts\"><p>No alert was found in the record. What it doesn't say is unknown, not safe.</p></section>"
    }
    return
      "<section class=\"alerts\" data-testid=\"patient_alerts\" aria-label=\"Alerts\"><h2>Alerts</h2><ul>\(items)</ul></section>"
  }

  /// Each note once, at the first words of it that a line rests on.
  static func sources(_ line: Brief.Line, _ citations: [Citation]) -> HTML {
    var notes: Set<String> = []
    return line.citations.map { citations[$0] }.filter { notes.insert($0.noteID).inserted }.html {
      " <a class=\"source\" data-note href=\"\(Link.note($0.noteID, words: $0.codePoints))\" title=\"\($0.quote)\">\($0.noteID)</a>"
    }
  }

  private var upcoming: HTML {
    guard !overview.upcoming.isEmpty else { return "" }
    let rows = overview.upcoming.prefix(5).html { appointment in
      let date = call.zone.date(of: appointment.start)
      return
        "<li><a href=\"\(Link.day(date))\">\(Badges.longDate(date)), \(call.zone.clock(appointment.start))</a> \(Badges.status(appointment.status)) \(appointment.reason?.shortened(to: 90) ?? appointment.visitType?.rawValue)</li>"
    }
    return "<section class=\"card\"><h2>Booked</h2><ul class=\"plain\">\(rows)</ul></section>"
  }

  // MARK: What it has and gets

  private func card(_ title: HTML, _ body: HTML) -> HTML {
    body.markup.isEmpty ? "" : "<section class=\"card\"><h2>\(title)</h2>\(body)</section>"
  }

  /// Weight and laboratory values; those with a course first, single values behind them.
  private var trends: HTML {
    let (courses, single) = (measures.filter { $0.points.count > 1 }, measures.filter { $0.points.count == 1 })
    let shown = courses.prefix(8).html { MeasureFigure(series: $0).html }
    let rest = (courses.dropFirst(8) + single).html { MeasureFigure(series: $0).html }
    let more: HTML =
      rest.markup.isEmpty
      ? "" : "<details><summary>\(courses.dropFirst(8).count + single.count) more measured</summary>\(rest)</details>"
    return card("Trends", shown + more)
  }

  /// What others wrote or measured, the newest first.
  private var documents: HTML {
    let kinds = [NoteKind.lab, .referral, .surgery, .prescription].map(\.rawValue)
    let rows = (timeline ?? []).filter { kinds.contains($0.kind) }.prefix(12).html { entry in
      "<li><a data-note href=\"\(Link.note(entry.id))\">\(Badges.shortDate(call.zone.date(of: entry.at)))</a> <span class=\"badge\">\(entry.kind)</span> <span class=\"what\">\(entry.title.shortened(to: 70))</span></li>"
    }
    return card("Documents", rows.markup.isEmpty ? "" : "<ul class=\"plain\">\(rows)</ul>")
  }

  private var problems: HTML {
    let rows = (chart?.problems ?? []).filter { $0.state != "denied" }.prefix(20).html { problem in
      "<li><b>\(problem.problem)</b> <span class=\"badge\">\(problem.state)\(problem.is_open ? "" : ", past")</span>\(said(problem.latest))</li>"
    }
    return card("Problems", rows.markup.isEmpty ? "" : "<ul class=\"plain\">\(rows)</ul>")
  }

  private func said(_ mention: PatientChartOutput.Mention?) -> HTML {
    guard let mention else { return "" }
    return
      "<details class=\"said\"><summary>\(mention.recorded_at.prefix(10))</summary><q>\(mention.quote)</q> <a data-note href=\"\(Link.note(mention.note_id, words: mention.start..<mention.end))\">\(mention.note_id)</a></details>"
  }

  private var drugs: HTML {
    guard let chart, !chart.drugs.isEmpty else { return "" }
    let rows = chart.drugs.prefix(20).html { drug in
      "<tr><th scope=\"row\">\(drug.drug)</th><td><span class=\"badge drug-\(drug.state)\">\(drug.state)</span></td><td>\(bar(drug))</td><td>\(said(drug.regimen ?? drug.latest))</td></tr>"
    }
    return card(
      "Drugs",
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Drug courses\"><table><thead><tr><th scope=\"col\">Drug</th><th scope=\"col\">State</th><th scope=\"col\">Course</th><th scope=\"col\">Said</th></tr></thead><tbody>\(rows)</tbody></table></div>"
    )
  }

  /// A course from its first to its last word, on the line of the whole record.
  private func bar(_ drug: PatientChartOutput.Drug) -> HTML {
    let dates = (chart?.drugs ?? []).flatMap { [$0.begun, $0.latest] }.compactMap { $0 }.compactMap(Self.day)
    guard let first = dates.min(), let begun = drug.begun.flatMap(Self.day) ?? drug.latest.flatMap(Self.day) else {
      return ""
    }
    let last = max(call.today.daysSince1970, first + 1)
    let end = drug.state == "current" ? last : drug.latest.flatMap(Self.day) ?? begun
    func place(_ day: Int) -> Double { Double(min(day, last) - first) / Double(last - first) * 120 }
    let width = max(3, place(end) - place(begun))
    return
      "<svg class=\"bar\" viewBox=\"0 0 120 10\" role=\"img\" aria-label=\"\(drug.begun?.recorded_at.prefix(10) ?? "") to \(drug.state == "current" ? "now" : drug.latest?.recorded_at.prefix(10) ?? "")\"><rect class=\"track\" x=\"0\" y=\"4\" width=\"120\" height=\"2\"/><rect x=\"\(TrendFigure.number(min(117, place(begun)), 1))\" y=\"1\" width=\"\(TrendFigure.number(width, 1))\" height=\"8\" rx=\"2\"/></svg>"
  }

  private static func day(_ mention: PatientChartOutput.Mention) -> Int? {
    CalendarDate(iso: mention.recorded_at.prefix(10))?.daysSince1970
  }

  private var prevention: HTML {
    let rows = (chart?.prevention ?? []).html { entry in
      let late: HTML = entry.is_past_due ? " class=\"late\"" : ""
      return
        "<tr><th scope=\"row\">\(entry.protection)</th><td>\(entry.state)</td><td\(late)>\(entry.due_on.map { "\(entry.is_past_due ? "was due" : "due") \($0)" })</td></tr>"
    }
    return card("Prevention", rows.markup.isEmpty ? "" : "<table><tbody>\(rows)</tbody></table>")
  }

  // MARK: Everything

  private func history(most: Int) throws -> HTML {
    guard let timeline else { return "<p class=\"hint\">Your role doesn't read notes.</p>" }
    let hidden = Set((call.request.parameter("hide") ?? "").split(separator: ",").map(String.init))
    let words = (call.request.parameter("words") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    let fitting = timeline.filter { entry in
      guard !hidden.contains(entry.kind) else { return false }
      let text = words.isEmpty ? "" : entry.title.lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    let page = try Paging(call.request, limit: most)
    let range = page.range(of: fitting.count)
    let kinds = Set(timeline.map(\.kind)).sorted()
    let filters = kinds.html {
      "<label class=\"chip\"><input type=\"checkbox\" data-kind=\"\($0)\"\(hidden.contains($0) ? "" : " checked" as HTML)> \($0)</label>"
    }
    let entries = fitting[range].html(entry)
    let older: HTML =
      range.upperBound < fitting.count
      ? "<p><a class=\"button\" href=\"\(Link.patient(overview.patient.id))?offset=\(range.upperBound)\" data-older=\"\(range.upperBound)\">Older</a></p>"
      : ""
    let newer: HTML =
      range.lowerBound > 0
      ? "<p><a class=\"button\" href=\"\(Link.patient(overview.patient.id))\">Newest</a></p>" : ""
    let none: HTML =
      timeline.isEmpty
      ? "<p class=\"empty\">Nothing is written about this patient yet.</p>"
      : fitting.isEmpty ? "<p class=\"empty\">Nothing fits these filters.</p>" : ""
    let count = fitting.count == timeline.count ? "\(timeline.count)" : "\(fitting.count) of \(timeline.count)"
    return """
      <section class="timeline" data-testid="timeline"><h2>Timeline (\(count))</h2><fieldset class="chips"><legend class="hidden">Show</legend>\(filters)<label class="chip">with <input type="search" id="timeline-words" value="\(call.request.parameter("words"))" aria-label="Words in the timeline" autocomplete="off" data-testid="timeline_words_input"></label></fieldset>\(newer)\(none)<ol class="plain">\(entries)</ol>\(older)</section>
      """
  }

  private func entry(_ entry: TimelineEntry) -> HTML {
    let date = call.zone.date(of: entry.at)
    let isVisit = entry.kind == "appointment"
    let id: HTML =
      isVisit ? "<span class=\"id\">\(entry.id)</span>" : "<a data-note href=\"\(Link.note(entry.id))\">\(entry.id)</a>"
    let isLong = entry.title.count > 320
    let text: HTML =
      isLong
      ? "<details><summary class=\"said\">\(String(entry.title.prefix(280)))…</summary><p class=\"said\">\(entry.title)</p></details>"
      : "<p class=\"said\">\(entry.title)</p>"
    return
      "<li data-kind=\"\(entry.kind)\"><div class=\"when\"><time datetime=\"\("\(date)")\">\(Badges.shortDate(date))</time> \(call.zone.clock(entry.at)) <span class=\"badge\">\(entry.kind)</span> \(id)</div>\(text)</li>"
  }
}
