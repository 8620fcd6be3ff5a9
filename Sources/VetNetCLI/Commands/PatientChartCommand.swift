import Chart
import Clinical
import Presentation
import VetNet

enum PatientChartCommand {
  static let command = Command(
    "patient chart",
    "shows what a record says of problems, drugs, prevention and how treatments were borne, with the words it rests on",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient", repeating: true)],
    examples: [
      Example("vetnet patient chart P001", "reactions, problems, courses of drugs, vaccines and parasite control"),
      Example("vetnet patient chart P001 --json", "the same as data, with places in the notes"),
    ],
    discussion: """
      Folded from the notes in time order. Reactions are read by a model that learned from machine-written examples: it misses some,
      and takes other things for them. A drug is CURRENT when no later note ended it and one named it in the last 200 days; longer
      unnamed, it is UNCONFIRMED. A problem stands as the last word on it says; an acute one that no note has named for 180 days is
      marked as long not named. When a vaccine is due is what a note says, else the usual interval. Read the words beside each
      line. What the chart does not show is unknown, not safe.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let charted = try invocation.perform(
      ChartPatient(reference: invocation.arguments.positionals.joined(separator: " ")), on: practice, at: now)
    let patient = charted.patient
    let output = PatientChartOutput(charted, at: now, zone: practice.timeZone)
    let terminal = invocation.terminal
    if invocation.wantsJSON {
      try terminal.printJSON(output)
      return .ok
    }
    terminal.print(terminal.styled("\(patient.name) (\(patient.id))", .bold))
    for line in output.lines + output.problemLines + output.drugLines + output.preventionLines {
      terminal.print("  \(line)".withoutControls)
    }
    if output.drugs.isEmpty { terminal.print("  The record says nothing of drugs given on and on.") }
    if output.reactions.isEmpty { terminal.print("  The record says nothing of how treatments were borne.") }
    return .ok
  }
}
