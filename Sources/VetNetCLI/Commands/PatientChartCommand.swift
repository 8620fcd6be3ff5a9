import Chart
import Clinical
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

  struct Problem: Encodable {
    let problem: String
    /// `confirmed`, `suspected`, `resolved`, `ruled out`, or `denied`: looked for only.
    let state: String
    /// Whether it may still be there: it lasts, or a note has named it of late.
    let is_open: Bool
    let is_chronic: Bool
    /// The word that brought the state about.
    let begun: Mention?
    /// The last word on it.
    let latest: Mention?
  }

  /// A vaccine or parasite treatment.
  struct Prevention: Encodable {
    let protection: String
    /// `given`, `declined`, `overdue` or `due`, by the last word on it.
    let state: String
    let latest: Mention?
    /// When it is to be given next: a date; nil where nobody can say, or the owner declined.
    let due_on: String?
    /// `written`, or `interval` where it is the usual time from the last one.
    let due_by: String?
    let is_past_due: Bool
    /// The words with the date.
    let due: Mention?
  }

  let patient_id: String
  let reactions: [Reaction]
  /// What it has first, then what it may have, had, and has not.
  let problems: [Problem]
  /// In the order of a brief.
  let prevention: [Prevention]
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
    let problems = chart.problems
    let told = problems.active(at: now) + problems.suspected(at: now) + problems.earlier(at: now) + problems.ruledOut
    self.problems = (told + problems.all.filter { $0.state == .denied }).map {
      Problem(
        problem: $0.name, state: $0.state.rawValue, is_open: $0.isOpen(at: now), is_chronic: $0.isChronic,
        begun: shown($0.stage.begun), latest: shown($0.latest))
    }
    let today = zone.date(of: now)
    prevention = chart.prevention.standings(at: now, zone: zone, of: charted.patient.species).map { standing in
      let due = PreventionDue(standing, zone: zone)
      return Prevention(
        protection: standing.label, state: standing.state.rawValue, latest: shown(standing.latest),
        due_on: due.map { "\($0.day)" }, due_by: due.map { $0.basis == .written ? "written" : "interval" },
        is_past_due: due.map { $0.day < today } ?? false, due: due?.basis == .written ? shown(due?.item) : nil)
    }
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
      return ["\(drug.state.uppercased()) \(drug.drug)\(begun)"] + Self.quoted([drug.regimen, drug.latest])
    }
  }

  /// Of each problem how it stands, since when, and the last word. What was only looked for is left to the data.
  var problemLines: [String] {
    problems.filter { $0.state != "denied" }.flatMap { problem -> [String] in
      let isLapsed = !problem.is_open && ["confirmed", "suspected"].contains(problem.state)
      let since = problem.begun.map { ", since \($0.recorded_at.prefix(10))" } ?? ""
      return ["\(problem.state.uppercased()) \(problem.problem)\(since)\(isLapsed ? ", long not named" : "")"]
        + Self.quoted([problem.begun, problem.latest])
    }
  }

  /// Of each protection its last word, and when it is due.
  var preventionLines: [String] {
    prevention.flatMap { entry -> [String] in
      let basis = entry.due_by == "interval" ? " by the usual interval" : ""
      let due = entry.due_on.map { ", \(entry.is_past_due ? "was due" : "due") \($0)\(basis)" } ?? ""
      return ["\(entry.state.uppercased()) \(entry.protection)\(due)"] + Self.quoted([entry.latest, entry.due])
    }
  }

  /// Each sentence once, with its day and note.
  private static func quoted(_ mentions: [Mention?]) -> [String] {
    let lines = mentions.compactMap(\.self).map {
      "  \($0.recorded_at.prefix(10)) “\(oneLine($0.quote))” (\($0.note_id))"
    }
    return lines.count == 2 && lines[0] == lines[1] ? [lines[0]] : lines
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func told(_ evidence: Evidence) -> String {
    "\(evidence.recorded_at.prefix(10)) “\(oneLine(evidence.quote))” (\(evidence.note_id))"
  }
}
