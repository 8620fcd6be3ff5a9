import Assessment
import Clinical
import Presentation
import VetNet

/// Who sees patients, a card each, with the field of work that is looked for in the address; words of a case never stand there.
enum SpecialistsPage {
  static func page(_ call: Call) throws -> HTML {
    let cards = try call.perform(ListSpecialists())
    let skill = call.request.parameter("skill").flatMap { $0.isEmpty ? nil : $0 }
    let live = list(fitting(cards, skill), skill: skill, matches: nil, call)
    if call.request.parameter("part") == "live" { return live }
    let skills = Set(cards.flatMap { $0.member.skills.filter { $0.value > 0 }.keys }).union(skill.map { [$0] } ?? [])
    let options = skills.sorted().html {
      "<option value=\"\($0)\"\($0 == skill ? " selected" : "" as HTML)>\($0)</option>"
    }
    let main: HTML = """
      <div class="toolbar"><h1>Specialists</h1><div class="group"><label for="skill">Field of work</label><select id="skill" data-testid="skill_picker"><option value="">any</option>\(options)</select></div></div>
      \(question(call))
      <div id="live" data-live="/specialists?part=live\(skill.map { "&amp;skill=\(Link.encoded($0))" as HTML })" data-kinds="staff appointment resource location">\(live)</div>
      """
    return Layout(title: "Specialists", tab: .specialists, script: "specialists.js", main: main).page(call)
  }

  /// A case in words, for whom it suits; for those who may assess one.
  private static func question(_ call: Call) -> HTML {
    guard call.session.actor.role.may(.assess) else { return "" }
    return """
      <details class="case-question"><summary>Whom does a case suit?</summary>
      <form id="suits" data-draft="suits" novalidate><div class="field"><label for="suits-text">The case in words</label><textarea id="suits-text" name="text" rows="3" data-testid="suits_text_input"></textarea></div>
      \(PatientPicker(id: "suits-patient", testID: "suits_patient_input", label: "Patient, if on file").html)
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="suits_submit_button">Rank</button><button type="button" class="quiet" data-clear>As before</button></div><p class="hint" role="status" data-outcome data-testid="suits_outcome"></p></form></details>
      """
  }

  /// The cards in the order in which a case suits them, with why.
  static func ranked(_ call: Call) throws -> HTML {
    let fields = try Fields(call, known: CaseFields.names.union(["skill"]))
    let skill = try fields.text("skill", atMost: 100)
    let assessed = try call.perform(
      AssessIntake(intake: CaseFields.intake(fields, call), patient: fields.text("patient_id", atMost: 200)))
    let minutes = min(480, max(5, (Int(assessed.duration.p50.rounded(.up)) + 4) / 5 * 5))
    let cards = fitting(try call.perform(ListSpecialists(minutes: minutes)), skill)
    let needs = assessed.specialties.prefix(3).map(\.specialty.rawValue).joined(separator: ", ")
    let head: HTML =
      "<p class=\"suits\" data-testid=\"suits_case\">\(Badges.level(assessed.triage.urgency)) \(needs), about \(minutes) min. Free times below are for that long. <span class=\"hint\">\(CaseAssessment.disclaimer)</span></p>"
    return head + list(cards, skill: skill, matches: assessed.staff, call)
  }

  /// Those who have some competence in a field, the most competent first; everybody where none is asked for.
  private static func fitting(_ cards: [SpecialistCard], _ skill: String?) -> [SpecialistCard] {
    guard let skill else { return cards }
    return cards.enumerated().filter { $0.element.member.skills[skill] ?? 0 > 0 }.sorted {
      let (first, second) = ($0.element.member.skills[skill] ?? 0, $1.element.member.skills[skill] ?? 0)
      return first != second ? first > second : $0.offset < $1.offset
    }.map(\.element)
  }

  private static func list(
    _ cards: [SpecialistCard], skill: String?, matches: [StaffMatch]?, _ call: Call
  ) -> HTML {
    guard !cards.isEmpty else {
      return
        "<p class=\"empty\">\(skill == nil ? "Nobody who sees patients is on file. They come with an import of the staff." : "Nobody on file has this field of work.")</p>"
    }
    var cards = cards
    var places: [String: Int] = [:]
    if let matches {
      for (index, match) in matches.enumerated() { places[match.staffID] = index }
      // Those whom a case isn't ranked for, such as nurses, stand behind.
      cards = cards.enumerated().sorted {
        (places[$0.element.member.id] ?? .max, $0.offset) < (places[$1.element.member.id] ?? .max, $1.offset)
      }.map(\.element)
    }
    let shown = cards.html { card in
      SpecialistPiece(card: card, skill: skill, match: matches?.first { $0.staffID == card.member.id }, call: call).html
    }
    return "<div class=\"specialists\">\(shown)</div>"
  }
}

/// One card.
struct SpecialistPiece {
  let card: SpecialistCard
  let skill: String?
  /// How the case suits them, where one was asked about.
  let match: StaffMatch?
  let call: Call

  var html: HTML {
    let member = card.member
    return """
      <article class="card specialist" data-testid="specialist_\(member.id)"><h2><bdi>\(member.name)</bdi> <span class="id">\(member.role.rawValue) \(member.id)</span></h2>\(suits)
      \(free)<div class="loads">\(load("Today", card.days.first?.load))\(load("This week", card.week))</div>
      \(week)\(leave)\(skills)\(credentials)\(regulars)</article>
      """
  }

  private var suits: HTML {
    guard let match else { return "" }
    let reasons = match.explanation.details.filter { abs($0.value) >= 0.005 }.sorted { abs($0.value) > abs($1.value) }
      .prefix(5).html { "<li><span class=\"number\">\(TrendFigure.number($0.value))</span> \($0.description)</li>" }
    return
      "<div class=\"match\" data-testid=\"suits_\(card.member.id)\"><p><b>Suits the case: \(Badges.percent(match.score))</b></p><ul class=\"plain reasons\">\(reasons)</ul></div>"
  }

  private var free: HTML {
    guard let next = card.nextFree else {
      return "<p class=\"next-free\">Not free within two weeks.</p>"
    }
    let date = call.zone.date(of: next)
    return
      "<p class=\"next-free\">Next free <a href=\"\(Link.day(date))\" data-testid=\"next_free_\(card.member.id)\">\(day(date)), \(call.zone.clock(next))</a></p>"
  }

  private func day(_ date: CalendarDate) -> String {
    if date == call.today { return "today" }
    if date == call.today.adding(days: 1) { return "tomorrow" }
    return "\(Badges.longDate(date).prefix(3)) \(Badges.shortDate(date).dropLast(5))"
  }

  private func load(_ words: HTML, _ load: SpecialistCard.Load?) -> HTML {
    guard let load, load.workingMinutes > 0 || load.bookedMinutes > 0 else {
      return "<p>\(words): not at work</p>"
    }
    return
      "<p>\(words): <meter min=\"0\" max=\"1\" value=\"\(TrendFigure.number(min(1, load.share)))\" aria-label=\"booked\"></meter> \(Badges.percent(load.share)), \(Badges.minutes(load.bookedMinutes)) of \(Badges.minutes(load.workingMinutes)) booked, \(load.visits) \(load.visits == 1 ? "visit" : "visits")</p>"
  }

  private var week: HTML {
    let rows = card.days.html { entry -> HTML in
      let stretches = entry.hours.map { "\(clock($0.lowerBound))–\(clock($0.upperBound))" }.joined(separator: ", ")
      let hours = entry.isOnLeave ? "on leave" : stretches.isEmpty ? "–" : stretches
      let booked: HTML = entry.load.workingMinutes > 0 ? "\(Badges.percent(entry.load.share))" : ""
      return
        "<tr><th scope=\"row\"><a href=\"\(Link.day(entry.date))\">\(day(entry.date))</a></th><td>\(hours)</td><td class=\"number\">\(booked)</td></tr>"
    }
    return
      "<table class=\"work-week\"><thead class=\"hidden\"><tr><th scope=\"col\">Day</th><th scope=\"col\">Hours</th><th scope=\"col\">Booked</th></tr></thead><tbody>\(rows)</tbody></table>"
  }

  private func clock(_ minute: Int) -> String { "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)" }

  private var leave: HTML {
    guard !card.leave.isEmpty else { return "" }
    let words = card.leave.map { days in
      days.lowerBound == days.upperBound
        ? Badges.shortDate(days.lowerBound)
        : "\(Badges.shortDate(days.lowerBound)) to \(Badges.shortDate(days.upperBound))"
    }.joined(separator: "; ")
    return "<p>Leave: \(words)</p>"
  }

  private var skills: HTML {
    let all = card.member.skills.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard !all.isEmpty else { return "" }
    func chips(_ list: some Sequence<(key: String, value: Double)>) -> HTML {
      list.html {
        "<li><a class=\"badge\(skill == $0.key ? " good" : "" as HTML)\" href=\"/specialists?skill=\(Link.encoded($0.key))\">\($0.key) \(Badges.percent($0.value))</a></li>"
      }
    }
    let rest: HTML =
      all.count > 5
      ? "<details><summary>\(all.count - 5) more fields</summary><ul class=\"plain fields-of-work\">\(chips(all.dropFirst(5)))</ul></details>"
      : ""
    return "<ul class=\"plain fields-of-work\" aria-label=\"Fields of work\">\(chips(all.prefix(5)))</ul>\(rest)"
  }

  private var credentials: HTML {
    guard !card.member.credentials.isEmpty else { return "" }
    let items = card.member.credentials.html { credential -> HTML in
      let isOver = !credential.holds(on: call.today)
      let word: HTML = isOver ? "late\">ended" : "hint\">until"
      let until = credential.expires.map { " <span class=\"\(word) \(Badges.shortDate($0))</span>" as HTML }
      return "<li>\(credential.name)\(until)</li>"
    }
    return "<p><b>Credentials</b></p><ul class=\"credentials\">\(items)</ul>"
  }

  private var regulars: HTML {
    guard !card.regulars.isEmpty else { return "" }
    let items = card.regulars.html { regular in
      "<li><a href=\"\(Link.patient(regular.patient.id))\"><bdi>\(regular.patient.name)</bdi></a> <span class=\"id\">\(regular.patient.id)</span> \(regular.visits) \(regular.visits == 1 ? "visit" : "visits"), last \(Badges.shortDate(call.zone.date(of: regular.last)))</li>"
    }
    return "<details open><summary>Knows best (last year)</summary><ul class=\"plain\">\(items)</ul></details>"
  }
}
