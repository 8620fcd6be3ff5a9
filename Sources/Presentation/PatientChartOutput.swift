public import Chart
public import Clinical
public import VetNet

/// A chart as data: keys as in the contract.
public struct PatientChartOutput: Encodable {
  public struct Evidence: Encodable {
    public let note_id: String
    public let recorded_at: String
    public let start: Int
    public let end: Int
    public let quote: String
    public let probability: Double
  }

  public struct Reaction: Encodable {
    public let treatment: String
    /// `reaction`, `avoid` or `tolerated`.
    public let state: String
    /// Whether it warns unasked, in briefs.
    public let warns: Bool
    public let evidence: [Evidence]
    /// Given without harm after the last word of a reaction.
    public let tolerated_since: [Evidence]
  }

  /// A course of a drug.
  public struct Drug: Encodable {
    public let drug: String
    /// `current`, `unconfirmed` (not ended, not named of late) or `ended` (by a word or a written length).
    public let state: String
    public let begun: Mention?
    /// The latest mention with a dose or with how often.
    public let regimen: Mention?
    /// The latest word on it; of an ended course the word that ended it.
    public let latest: Mention?
  }

  public struct Mention: Encodable {
    public let note_id: String
    public let recorded_at: String
    public let start: Int
    public let end: Int
    public let quote: String
  }

  public struct Problem: Encodable {
    public let problem: String
    /// `confirmed`, `suspected`, `resolved`, `ruled out`, or `denied`: looked for only.
    public let state: String
    /// Whether it may still be there: it lasts, or a note has named it of late.
    public let is_open: Bool
    public let is_chronic: Bool
    /// The word that brought the state about.
    public let begun: Mention?
    /// The last word on it.
    public let latest: Mention?
  }

  /// A vaccine or parasite treatment.
  public struct Prevention: Encodable {
    public let protection: String
    /// `given`, `declined`, `overdue` or `due`, by the last word on it.
    public let state: String
    public let latest: Mention?
    /// When it is to be given next: a date; nil where nobody can say, or the owner declined.
    public let due_on: String?
    /// `written`, or `interval` where it is the usual time from the last one.
    public let due_by: String?
    public let is_past_due: Bool
    /// The words with the date.
    public let due: Mention?
  }

  let patient_id: String
  public let reactions: [Reaction]
  /// What it has first, then what it may have, had, and has not.
  public let problems: [Problem]
  /// In the order of a brief.
  public let prevention: [Prevention]
  /// The last course of each drug, what is given first.
  public let drugs: [Drug]

  public init(_ charted: ChartedPatient, at now: Timestamp, zone: PracticeTimeZone) {
    let chart = charted.chart
    func shown(_ evidence: ChartEvidence) -> Evidence? {
      guard let text = charted.notes[evidence.noteID]?.text, let quote = text.slice(utf8: evidence.passage),
        let words = text.codePoints(utf8: evidence.passage)
      else { return nil }
      return Evidence(
        note_id: evidence.noteID, recorded_at: zone.iso8601(evidence.recordedAt), start: words.lowerBound,
        end: words.upperBound, quote: String(quote), probability: evidence.probability)
    }
    func shown(_ item: RecordedFact?) -> Mention? {
      guard let item else { return nil }
      let sentence = charted.sentence(of: item)
      guard let quote = item.note.text.slice(utf8: sentence), let words = item.note.text.codePoints(utf8: sentence)
      else { return nil }
      return Mention(
        note_id: item.note.id, recorded_at: zone.iso8601(item.note.recordedAt), start: words.lowerBound,
        end: words.upperBound, quote: String(quote))
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
  public var lines: [String] {
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
  public var drugLines: [String] {
    drugs.flatMap { drug -> [String] in
      let begun = drug.begun.map { ", since \($0.recorded_at.prefix(10))" } ?? ""
      return ["\(drug.state.uppercased()) \(drug.drug)\(begun)"] + Self.quoted([drug.regimen, drug.latest])
    }
  }

  /// Of each problem how it stands, since when, and the last word. What was only looked for is left to the data.
  public var problemLines: [String] {
    problems.filter { $0.state != "denied" }.flatMap { problem -> [String] in
      let isLapsed = !problem.is_open && ["confirmed", "suspected"].contains(problem.state)
      let since = problem.begun.map { ", since \($0.recorded_at.prefix(10))" } ?? ""
      return ["\(problem.state.uppercased()) \(problem.problem)\(since)\(isLapsed ? ", long not named" : "")"]
        + Self.quoted([problem.begun, problem.latest])
    }
  }

  /// Of each protection its last word, and when it is due.
  public var preventionLines: [String] {
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
