import Assessment
import Clinical
import Presentation
import VetNet

/// A case in words, judged while somebody types.
enum TriagePage {
  static func page(_ call: Call) throws -> HTML {
    let day = try call.perform(ShowDay(date: call.today))
    let species = Species.allCases.html { "<option value=\"\($0.rawValue)\">\($0.rawValue)</option>" }
    let levels = Urgency.allCases.html {
      "<option value=\"\($0.rawValue)\">\($0.rawValue), within \($0.targetMinutes) min</option>"
    }
    let main: HTML = """
      <h1>Triage</h1><div class="split">
      <form id="triage" data-draft="triage" novalidate>
      <div class="field"><label for="triage-text">What the owner says</label><textarea id="triage-text" name="text" rows="9" data-testid="triage_symptoms_input" placeholder="In the owner's own words: what, since when, how bad, what they gave" autofocus></textarea></div>
      \(PatientPicker(id: "triage-patient", testID: "triage_patient_input").html)
      <details class="more"><summary>Not on file? Species, age, sex, weight</summary><div class="fields">
      <div class="field"><label for="triage-species">Species</label><select id="triage-species" name="species"><option value="">unknown</option>\(species)</select></div>
      <div class="field"><label for="triage-age">Age</label><input id="triage-age" name="age" placeholder="4y, 12 weeks"></div>
      <div class="field"><label for="triage-sex">Sex</label><select id="triage-sex" name="sex"><option value="">unknown</option><option>MN</option><option>FS</option><option>M</option><option>F</option></select></div>
      <div class="field"><label for="triage-weight">Weight, kg</label><input id="triage-weight" name="weight_kg" type="number" step="0.1" min="0.01" max="1999" inputmode="decimal"></div></div></details>
      <input type="hidden" id="triage-answers" name="answers">
      <fieldset><legend>Another level? Say why</legend><div class="fields"><div class="field"><label for="triage-level">Level</label><select id="triage-level" name="urgency" data-testid="triage_urgency_picker"><option value="">as judged</option>\(levels)</select></div>
      <div class="field"><label for="triage-reason">Reason</label><input id="triage-reason" name="reason" data-testid="triage_reason_input"></div></div></fieldset>
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="triage_submit_button">Keep assessment</button>
      <button type="button" data-slots data-testid="find_slots_button">Find a slot</button>
      <button type="button" class="danger" data-emergency data-testid="emergency_button">Make room now</button>
      <button type="button" data-take-in data-needs="file inbox" data-testid="triage_inbox_button">Into the inbox</button>
      <button type="button" class="quiet" data-clear data-testid="triage_cancel_button">Clear</button></div></form>
      <section class="judged" aria-label="Assessment"><div id="judged" aria-live="polite"><p class="empty">The level appears here while you type.</p></div><div class="proposals" data-proposals></div></section></div>
      """
    let clinicians = day.workload.map { ($0.clinicianID, $0.name) }
    return Layout(
      title: "Triage", tab: .triage, script: "triage.js", main: main,
      dialogs: Dialogs.booking(clinicians: clinicians, date: call.today) + Dialogs.emergency
    ).page(call)
  }

  /// The assessment as it is now, with the question that is most worth asking next.
  static func piece(_ call: Call) throws -> HTML {
    let fields = try Fields(call, known: CaseFields.names.union(["urgency", "reason", "answers"]))
    let intake = try CaseFields.intake(fields, call)
    let patient = try fields.text("patient_id", atMost: 200)
    let session = try GuidedAnswers(fields).session(intake, patient, call)
    let assessment = try call.perform(AssessIntake(intake: intake, patient: patient, settled: session.conclusion))
    return shown(assessment, session)
  }

  private static func shown(_ assessment: CaseAssessment, _ session: GuidedTriage) -> HTML {
    let triage = assessment.triage
    let level = triage.urgency.rawValue
    let minutes = triage.targetMinutes == 0 ? "now" : "within \(triage.targetMinutes) min"
    let others = assessment.animals.dropFirst().html {
      "<p>Also \($0.animal.label): \(Badges.level($0.assessment.triage.urgency))</p>"
    }
    let animal: HTML = assessment.animals.first.map { "<p>About \($0.animal.label)</p>" } ?? ""
    return """
      <div class="verdict level-\(level)"><p class="level"><span data-testid="triage_urgency_value">\(level)</span> <span class="target">seen \(minutes)</span></p><p class="action">\(triage.action)</p></div>
      \(triage.hasTooLittleInformation ? "<p class=\"hint\">Too little is said to judge: call back.</p>" : "" as HTML)\(animal)\(others)
      \(guided(session))\(basis(triage))\(letters(triage))
      <dl class="facts"><dt>For</dt><dd>\(assessment.specialties.prefix(3).map(\.specialty.rawValue).joined(separator: ", "))</dd>
      <dt>Visit</dt><dd>\(assessment.visitType.visitType.rawValue), about \(Int(assessment.duration.p50.rounded())) min; 8 of 10 within \(Int(assessment.duration.p80.rounded()))</dd>
      <dt>Complexity</dt><dd>C\(assessment.complexity.level)</dd>
      \(assessment.staff.isEmpty ? "" : "<dt>With</dt><dd>\(assessment.staff.prefix(3).map(\.name).joined(separator: ", "))</dd>" as HTML)</dl>
      \(questions(triage))\(triage.implausible.html { "<p class=\"hint\">Check: \($0)</p>" })
      <p class="disclaimer">\(CaseAssessment.disclaimer)</p>
      """
  }

  /// What has been answered, and the next question with why it is that one.
  private static func guided(_ session: GuidedTriage) -> HTML {
    let given = session.answers.html { given in
      let words = given.answer == .unknown ? "don't know" : given.answer.rawValue
      return
        "<li>\(given.id.replacing("_", with: " ").replacing("-", with: " ")): <b>\(words)</b> <button type=\"button\" class=\"quiet small\" data-withdraw=\"\(given.id)\" aria-label=\"Take back the answer on \(given.id)\">take back</button></li>"
    }
    let list: HTML = session.answers.isEmpty ? "" : "<ul class=\"plain answers\">\(given)</ul>"
    guard let next = session.next else {
      return
        "<section class=\"guided\" data-testid=\"guided_questions\"><h2 class=\"minor\">Ask next</h2>\(list)<p class=\"hint\">No further question would change the level.</p></section>"
    }
    let buttons = [(GuidedAnswer.yes, "Yes"), (.no, "No"), (.unknown, "Don't know")].html { answer, word in
      "<button type=\"button\" data-question=\"\(next.id)\" data-answer=\"\(answer.rawValue)\" data-testid=\"guided_\(answer.rawValue)_button\">\(word)</button>"
    }
    let share = Int((next.gain * 100).rounded())
    return """
      <section class="guided" data-testid="guided_questions"><h2 class="minor">Ask next</h2>\(list)
      <p class="question" data-testid="guided_question">\(next.text)</p><div class="actions" role="group" aria-label="Answer">\(buttons)</div>
      <p class="hint">A yes makes it at least \(Badges.level(next.level)). Of all open questions this one is expected to say most about the level\(share > 0 ? " (0.\(share < 10 ? "0" : "")\(min(share, 99)) bits)" : ""); a no never lowers it.</p></section>
      """
  }

  private static func basis(_ triage: TriageResult) -> HTML {
    let words = triage.basis.words.prefix(6).html { "<q>\($0.quote.shortened(to: 60))</q> " }
    let findings = triage.fired.prefix(8).html { finding in
      "<li>\(Badges.level(finding.level)) \(finding.id.replacing("_", with: " ").replacing("-", with: " ")) \(finding.evidence.prefix(3).html { "<q>\($0.quote.shortened(to: 60))</q> " })</li>"
    }
    let put = triage.suppressed.prefix(6).html {
      "<li>not counted, \($0.reason.rawValue): \($0.evidence.prefix(2).html { "<q>\($0.quote.shortened(to: 50))</q> " })</li>"
    }
    return """
      <h2 class="minor">Rests on</h2><p>\(triage.basis.text) \(words)</p><ul class="plain findings">\(findings)\(put)</ul>
      """
  }

  private static func letters(_ triage: TriageResult) -> HTML {
    let cells = ABCDELetter.allCases.html { letter in
      let status = triage.abcde[letter, default: .notStated].rawValue
      return
        "<li class=\"letter \(status.replacing(" ", with: "-"))\"><b>\(letter.rawValue.prefix(1).uppercased())</b> <span>\(letter.rawValue)</span> <span>\(status)</span></li>"
    }
    return "<ul class=\"plain letters\" aria-label=\"ABCDE\">\(cells)</ul>"
  }

  private static func questions(_ triage: TriageResult) -> HTML {
    guard !triage.questions.isEmpty else { return "" }
    return
      "<h2 class=\"minor\">Also worth asking</h2><ol class=\"questions\">\(triage.questions.html { "<li>\($0)</li>" })</ol>"
  }
}

/// Answers to guided questions as a form has them: `id=yes;id=no`, in the order in which they were given.
struct GuidedAnswers {
  private let given: [(id: String, answer: GuidedAnswer)]

  init(_ fields: Fields) throws {
    let text = try fields.text("answers", atMost: 4000) ?? ""
    given = try text.split(separator: ";").map { part in
      let cells = part.split(separator: "=", maxSplits: 1)
      guard cells.count == 2, let answer = GuidedAnswer(rawValue: String(cells[1])) else {
        throw ErrorBody(400, "invalid_field", "'answers' is no list of id=yes, id=no or id=unknown", field: "answers")
      }
      return (String(cells[0]), answer)
    }
  }

  /// The session as it stands after them. What is no question any more counts for nothing.
  func session(_ intake: Intake, _ patient: String?, _ call: Call) throws -> GuidedTriage {
    var session = try call.perform(GuideTriage(intake: intake, patient: patient))
    for (id, answer) in given { session.answer(id, answer) }
    return session
  }
}
