import Assessment
import Briefing
import Clinical
import VetNet

/// A day's briefs, one a printed page; each is sent as soon as it is made.
enum BriefPage {
  static func pieces(_ call: Call) throws -> Pieces {
    let date = try call.date()
    let day = try call.perform(ListBriefed(date: date, clinicianID: call.request.parameter("clinician")))
    // A level that a person gave counts above what the words say.
    let levels = Dictionary(
      try call.permitted(ShowDay(date: date))?.entries.map { ($0.appointment.id, $0.urgency) } ?? [],
      uniquingKeysWith: { first, _ in first })
    let layout = Layout(
      title: "Briefs \(Badges.shortDate(date))", tab: .briefs, script: "record.js", dialogs: Dialogs.panel)
    let (opening, closing) = layout.frame(call)
    return .markup(opening + head(day, date, call), last: closing) { call, send in
      for (number, visit) in day.visits.enumerated() {
        try send("<div id=\"brief-\(number)\">\(article(of: visit, levels[visit.appointment.id] ?? nil, call))</div>")
      }
    }
  }

  private static func head(_ day: BriefedDay, _ date: CalendarDate, _ call: Call) -> HTML {
    let without = day.without.html { "<li>\($0.line(in: call.zone))</li>" }
    let index = day.visits.enumerated().html { number, visit in
      "<li><a href=\"#brief-\(number)\">\(call.zone.clock(visit.appointment.start)) <bdi>\(visit.patient.name)</bdi></a></li>"
    }
    let none: HTML =
      day.visits.isEmpty
      ? "<p class=\"empty\">No appointment of this day needs a brief.</p>" : "<ul class=\"plain index\">\(index)</ul>"
    return """
      <div class="toolbar"><h1>Briefs, \(Badges.longDate(date))</h1>
      <div class="group"><a class="button" href="\(Link.briefs(date.adding(days: -1)))" aria-label="The day before">‹</a><a class="button" href="/brief/today">Today</a><a class="button" href="\(Link.briefs(date.adding(days: 1)))" aria-label="The day after">›</a>
      <a class="button" href="\(Link.day(date))">The day</a><button type="button" id="print">Print</button></div></div>
      \(none)\(without.markup.isEmpty ? "" : "<details><summary>Without a brief: \(day.without.count)</summary><ul class=\"plain\">\(without)</ul></details>" as HTML)
      """
  }

  /// Whether an error keeps one brief from being made, and not the others.
  static func isAboutOne(_ error: PracticeError) -> Bool {
    [.invalidArgument, .notFound, .integrity, .failed, .notPermitted].contains(error.code)
  }

  /// The brief of one visit, or why there is none; the others are shown all the same.
  private static func article(of visit: BriefedDay.Visit, _ level: Urgency?, _ call: Call) throws -> HTML {
    do {
      return article(try call.perform(BriefAppointment(id: visit.appointment.id)), level, call)
    } catch let error as PracticeError where BriefPage.isAboutOne(error) {
      return """
        <article class="brief"><h2><a href="\(Link.patient(visit.patient.id))"><bdi>\(visit.patient.name)</bdi></a> <span class="id">\(visit.patient.id)</span></h2>
        <p class="alert" role="alert">No brief can be made: \(error.description)</p></article>
        """
    }
  }

  /// The brief as text, each line with what it rests on.
  private static func copy(_ brief: Brief, _ call: Call) -> HTML {
    var lines = ["\(brief.patient.name) (\(brief.patient.id)), \(brief.patient.facts(on: call.today))"]
    for section in brief.sections {
      lines += ["", section.title + (section.kind == .suggestion ? " (suggested)" : "")]
      for line in section.lines {
        var notes: Set<String> = []
        let sources = line.citations.map { brief.citations[$0] }.filter { notes.insert($0.noteID).inserted }
        lines.append("- \(line.text)")
        lines += sources.map { "  [\(CopyPiece.source($0, call))]" }
      }
    }
    return CopyPiece(text: lines.joined(separator: "\n")).html
  }

  /// The way to what is written at the patient's side, for whom that is.
  private static func encounter(_ brief: Brief, _ call: Call) -> HTML {
    guard call.session.actor.role.may(.writeRecord) else { return "" }
    let address = Link.newEncounter(of: brief.patient.id, visit: brief.appointment?.id)
    return "<a class=\"button small no-print\" href=\"\(address)\">Write an encounter</a>"
  }

  private static func article(_ brief: Brief, _ level: Urgency?, _ call: Call) -> HTML {
    let time: HTML =
      brief.appointment.map {
        "\(call.zone.clock($0.start)), \($0.durationMinutes) min\(brief.clinicianName.map { ", \($0)" }) · "
      } ?? ""
    let sections = brief.sections.html { section in
      let lines = section.lines.html { line in
        "<li>\(line.text)\(RecordView.sources(line, brief.citations))</li>"
      }
      let isAlert: HTML = section.title == "Alerts" ? " alerts" : ""
      let mark: HTML = section.kind == .suggestion ? " <span class=\"badge\">suggested</span>" : ""
      return
        "<section class=\"part \(section.kind.rawValue)\(isAlert)\"><h3>\(section.title)\(mark)</h3><ul>\(lines)</ul></section>"
    }
    let trends = brief.trends.html { TrendFigure(trend: $0, citations: brief.citations).html }
    return """
      <article class="brief">\(copy(brief, call))<h2><a href="\(Link.patient(brief.patient.id))"><bdi>\(brief.patient.name)</bdi></a> <span class="id">\(brief.patient.id)</span> \(Badges.level(level ?? brief.assessment?.triage.urgency)) \(encounter(brief, call))</h2>
      <p class="signalment">\(time)\(brief.patient.facts(on: call.today))</p>
      \(sections)\(trends.markup.isEmpty ? "" : "<div class=\"trends\">\(trends)</div>" as HTML)</article>
      """
  }
}
