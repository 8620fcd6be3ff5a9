import Chart
import Clinical
import VetNet

enum PatientChartCommand {
  static let command = Command(
    "patient chart",
    "shows what a record says of drugs given and how treatments were borne, with the words it rests on",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient", repeating: true)],
    examples: [
      Example("vetnet patient chart P001", "reactions, bans, what was tolerated, and the courses of drugs"),
      Example("vetnet patient chart P001 --json", "the same as data, with places in the notes"),
    ],
    discussion: """
      Folded from the notes in time order. Reactions are read by a model that learned from machine-written examples: it misses some,
      and takes other things for them. A drug is CURRENT when no later note ended it and one named it in the last 200 days; longer
      unnamed, it is UNCONFIRMED. Read the words beside each line. What the chart does not show is unknown, not safe.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let charted = try practice.chart(of: invocation.arguments.positionals.joined(separator: " "), now: now)
    let patient = charted.patient
    let output = PatientChartOutput(charted, at: now, zone: practice.timeZone)
    let terminal = invocation.terminal
    if invocation.wantsJSON {
      try terminal.printJSON(output)
      return .ok
    }
    terminal.print(terminal.styled("\(patient.name) (\(patient.id))", .bold))
    for line in output.lines + output.drugLines { terminal.print("  \(line)".withoutControls) }
    if output.drugs.isEmpty { terminal.print("  The record says nothing of drugs given on and on.") }
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

  /// A course of a drug.
  struct Drug: Encodable {
    let drug: String
    /// `current`, `unconfirmed` (not ended, not named of late) or `ended` (by a word or a written length).
    let state: String
    let begun: Mention?
    /// The latest mention with a dose or with how often.
    let regimen: Mention?
    /// The latest word on it; of an ended course the word that ended it.
    let latest: Mention?
  }

  struct Mention: Encodable {
    let note_id: String
    let recorded_at: String
    let start: Int
    let end: Int
    let quote: String
  }

  let patient_id: String
  let reactions: [Reaction]
  /// The last course of each drug, what is given first.
  let drugs: [Drug]

  init(_ charted: ChartedPatient, at now: Timestamp, zone: PracticeTimeZone) {
    let chart = charted.chart
    func shown(_ evidence: ChartEvidence) -> Evidence? {
      guard let quote = charted.notes[evidence.noteID]?.text.slice(utf8: evidence.passage) else { return nil }
      return Evidence(
        note_id: evidence.noteID, recorded_at: zone.iso8601(evidence.recordedAt), start: evidence.passage.lowerBound,
        end: evidence.passage.upperBound, quote: String(quote), probability: evidence.probability)
    }
    func shown(_ item: RecordedFact?) -> Mention? {
      guard let item else { return nil }
      let sentence = charted.sentence(of: item)
      guard let quote = item.note.text.slice(utf8: sentence) else { return nil }
      return Mention(
        note_id: item.note.id, recorded_at: zone.iso8601(item.note.recordedAt), start: sentence.lowerBound,
        end: sentence.upperBound, quote: String(quote))
    }
    let last = Dictionary(chart.drugs.all.map { ($0.drug, $0) }, uniquingKeysWith: { $1 }).values
      .sorted { ($1.latest.note.recordedAt, $0.drug) < ($0.latest.note.recordedAt, $1.drug) }
    let current = Set(chart.drugs.current(at: now).map(\.drug))
    func drugs(_ state: String, _ isMeant: (DrugCourse) -> Bool) -> [Drug] {
      last.filter(isMeant).map {
        Drug(
          drug: $0.drug, state: state, begun: shown($0.begun), regimen: shown($0.regimen), latest: shown($0.latest))
      }
    }
    self.drugs =
      drugs("current") { current.contains($0.drug) }
      + drugs("unconfirmed") { $0.isOngoing(at: now) && !current.contains($0.drug) }
      + drugs("ended") { !$0.isOngoing(at: now) }
    patient_id = charted.patient.id
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

  /// Of each drug how it stands, the regimen, and the latest word where it is another.
  var drugLines: [String] {
    drugs.flatMap { drug -> [String] in
      let begun = drug.begun.map { ", since \($0.recorded_at.prefix(10))" } ?? ""
      let told = [drug.regimen, drug.latest].compactMap(\.self)
      let lines = told.map { "  \($0.recorded_at.prefix(10)) “\(Self.oneLine($0.quote))” (\($0.note_id))" }
      return ["\(drug.state.uppercased()) \(drug.drug)\(begun)"]
        + (lines.count == 2 && lines[0] == lines[1] ? [lines[0]] : lines)
    }
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func told(_ evidence: Evidence) -> String {
    "\(evidence.recorded_at.prefix(10)) “\(oneLine(evidence.quote))” (\(evidence.note_id))"
  }
}
