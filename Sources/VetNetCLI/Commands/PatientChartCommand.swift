import Chart
import Clinical
import VetNet

enum PatientChartCommand {
  static let command = Command(
    "patient chart", "shows what a record says of how treatments were borne, with the words it rests on",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient", repeating: true)],
    examples: [
      Example("vetnet patient chart P001", "reactions, bans, and what was tolerated"),
      Example("vetnet patient chart P001 --json", "the same as data, with places in the notes"),
    ],
    discussion: """
      Folded from the notes in time order by a model that learned from machine-written examples: it misses reactions, and takes other
      things for them. Read the words beside each line. What the chart does not show is unknown, not safe.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let (patient, chart, notes) = try practice.chart(
      of: invocation.arguments.positionals.joined(separator: " "), now: now)
    let output = PatientChartOutput(patient, chart, notes, zone: practice.timeZone)
    let terminal = invocation.terminal
    if invocation.wantsJSON {
      try terminal.printJSON(output)
      return .ok
    }
    terminal.print(terminal.styled("\(patient.name) (\(patient.id))", .bold))
    for line in output.lines { terminal.print("  \(line)".withoutControls) }
    if output.reactions.isEmpty { terminal.print("  The record says nothing of how treatments were borne.") }
    return .ok
  }
}

/// A chart as data: keys as in the contract.
struct PatientChartOutput: Encodable {
  struct Evidence: Encodable {
    let note_id: String
    let recorded_at: String
    let start: Int
    let end: Int
    let quote: String
    let probability: Double
  }

  struct Reaction: Encodable {
    let treatment: String
    /// `reaction`, `avoid` or `tolerated`.
    let state: String
    /// Whether it warns unasked, in briefs.
    let warns: Bool
    let evidence: [Evidence]
    /// Given without harm after the last word of a reaction.
    let tolerated_since: [Evidence]
  }

  let patient_id: String
  let reactions: [Reaction]

  init(_ patient: Patient, _ chart: PatientChart, _ notes: [String: ClinicalNote], zone: PracticeTimeZone) {
    func shown(_ evidence: ChartEvidence) -> Evidence? {
      guard let quote = notes[evidence.noteID]?.text.slice(utf8: evidence.passage) else { return nil }
      return Evidence(
        note_id: evidence.noteID, recorded_at: zone.iso8601(evidence.recordedAt), start: evidence.passage.lowerBound,
        end: evidence.passage.upperBound, quote: String(quote), probability: evidence.probability)
    }
    patient_id = patient.id
    reactions = chart.reactions.map { course in
      Reaction(
        treatment: course.treatment, state: course.state.rawValue,
        warns: course.isWarning,
        evidence: course.evidence.compactMap(shown), tolerated_since: course.laterTolerations.compactMap(shown))
    }
  }

  /// Warnings first, then suspicions, then what was tolerated.
  var lines: [String] {
    let ordered =
      reactions.filter(\.warns) + reactions.filter { !$0.warns && $0.state != "tolerated" }
      + reactions.filter { $0.state == "tolerated" }
    return ordered.flatMap { reaction -> [String] in
      let doubt = reaction.warns || reaction.state == "tolerated" ? "" : " (unsure)"
      return ["\(reaction.state.uppercased()) \(reaction.treatment)\(doubt)"]
        + reaction.evidence.map { "  \(Self.told($0))" }
        + reaction.tolerated_since.map { "  given since without harm: \(Self.told($0))" }
    }
  }

  private static func told(_ evidence: Evidence) -> String {
    let words = evidence.quote.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "\(evidence.recorded_at.prefix(10)) “\(words)” (\(evidence.note_id))"
  }
}
