import Briefing
import Clinical
import Presentation
import VetNet

enum BriefCommand {
  static let command = Command(
    "brief", "prepares pre-appointment briefs",
    options: [
      Option("--date", "DATE", "every appointment of a day: 2026-11-23, tomorrow, mon or 24 nov"),
      Option("--appointment", "ID", "one appointment"),
      Option("--patient", "PATIENT", "one patient, whether booked or not"),
      Option("--clinician", "NAME", "with --date: only this clinician's appointments, by id or name"),
      Option("--location", "NAME", "with --date: only appointments at this location, by id or name"),
      Option("--format", "FORMAT", "text, markdown, html or json (default: text)"),
      Option("--full", nil, "every line, not only what fits on a screen (text) or a page (html)"),
    ],
    examples: [
      Example("vetnet brief --date tomorrow", "the day's briefs, in order"),
      Example("vetnet brief --patient P001 --format html > p001.html", "one page to print"),
    ],
    discussion: """
      Chart lines are the notes' own words with their date and note id; doses and due dates are quoted, not retold. What \
      VetNet infers stands apart, marked as a suggestion; drug alerts name the row of the formulary they rest on, with a \
      star where nobody has checked it. A patient that has died gets no brief.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let format = try BriefCommand.format(invocation)
    let briefs: [Brief]
    if let date = try invocation.day("--date", in: practice.timeZone) {
      let day = try invocation.perform(
        BriefDay(
          date: date, clinicianID: invocation.staff("--clinician", practice), locationID: invocation.location(practice)),
        on: practice, at: now)
      briefs = day.briefs
      for appointment in day.without { invocation.terminal.say(appointment.line(in: practice.timeZone)) }
      if briefs.isEmpty { invocation.terminal.say("No appointments that need a brief on \(date).") }
    } else if let id = arguments.value("--appointment") {
      briefs = [try invocation.perform(BriefAppointment(id: id), on: practice, at: now)]
    } else if let reference = arguments.value("--patient") {
      briefs = [try invocation.perform(BriefPatient(reference: reference), on: practice, at: now)]
    } else {
      throw UsageError("'vetnet brief' needs --date, --appointment or --patient")
    }
    switch format {
    case .json:
      for brief in briefs { try invocation.terminal.printJSON(BriefOutput(brief, zone: practice.timeZone)) }
    case .text:
      let renderer = BriefText(
        zone: practice.timeZone, width: invocation.terminal.width,
        rows: arguments.isSet("--full") ? nil : BriefText.screenRows)
      for (index, brief) in briefs.enumerated() {
        if index > 0 { invocation.terminal.print() }
        for line in renderer.lines(brief) { invocation.terminal.print(line) }
      }
    case .markdown:
      invocation.terminal.print(BriefMarkdown(zone: practice.timeZone).document(briefs))
    case .html:
      invocation.terminal.print(BriefHTML(zone: practice.timeZone, isFull: arguments.isSet("--full")).document(briefs))
    }
    invocation.warnOfDamage(in: practice)
    return .ok
  }

  enum Format: String, CaseIterable { case text, markdown, html, json }

  private static func format(_ invocation: Invocation) throws -> Format {
    guard let word = invocation.arguments.value("--format") else { return invocation.wantsJSON ? .json : .text }
    guard let format = Format(rawValue: word) else {
      throw UsageError(
        "--format '\(word)' is not known; there are \(Format.allCases.map(\.rawValue).joined(separator: ", "))",
        suggestion: Suggestions.nearest(to: word, among: Format.allCases.map(\.rawValue)))
    }
    return format
  }
}
