import Clinical
import VetNet

enum SimilarCommand {
  static let command = Command(
    "similar", "finds similar past cases, and says why",
    positionals: [Positional("FILE", "a text, or - for standard input", optional: true)],
    options: [
      Option("--text", "TEXT", "the case in words"),
      Option("--note", "ID", "a note of the record; its own patient is left out"),
      Option("--species", "SPECIES", "only animals of this species"),
      Option("--since", "DATE", "only notes from this day on"),
      Option("--until", "DATE", "only notes up to and including this day"),
      Option("--kind", "KIND", "only notes of this kind"),
      Option("--limit", "N", "how many (default 10)"),
      Option("--explain", nil, "show each leg's rank, score and matched terms"),
    ],
    examples: [
      Example("vetnet similar --text \"old cat, losing weight, ravenous, yowling at night\"", "cases like this one"),
      Example("vetnet similar --note N0042 --limit 5 --json", "cases like a note"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice()
    let zone = practice.timeZone
    var filter = CaseFilter(limit: try invocation.integer("--limit", in: 1...1000) ?? 10)
    if let word = arguments.value("--species") {
      guard let species = Species(describing: word) else { throw UsageError("--species '\(word)' is not known") }
      filter.species = species
    }
    if let word = arguments.value("--kind") {
      guard let kind = NoteKind(rawValue: word) else { throw UsageError("--kind '\(word)' is no kind of note") }
      filter.kind = kind
    }
    filter.since = try invocation.day("--since", in: zone).map { zone.interval(of: $0).lowerBound }
    filter.until = try invocation.day("--until", in: zone).map { zone.interval(of: $0).upperBound }
    let query: SimilarQuery
    if let id = arguments.value("--note") {
      query = .note(id)
    } else if let text = arguments.value("--text") {
      query = .text(text)
    } else if let file = arguments.positionals.first {
      query = .text(try InputText.read(file))
    } else {
      throw UsageError("'vetnet similar' needs --text, --note or FILE")
    }
    let cases = try practice.similar(to: query, filter: filter)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(SimilarOutput(cases, zone: zone, explains: arguments.isSet("--explain")))
      return .ok
    }
    let terminal = invocation.terminal
    if cases.isEmpty { terminal.say("No case in the record resembles this.") }
    for (index, item) in cases.enumerated() {
      let who = "\(item.patient.name), \(item.patient.species.rawValue)"
      terminal.print(
        terminal.styled("\(index + 1). \(item.noteID)", .bold)
          + " · \(zone.date(of: item.recordedAt)) · \(who) (\(item.patient.id)) · score \(ExplanationText.number(item.score))"
      )
      for line in "“\(item.quote.shortened(to: 400))”".wrapped(to: terminal.width, indent: "   ") {
        terminal.print(line)
      }
      if arguments.isSet("--explain") {
        for line in ExplanationText.lines(item.explanation) { terminal.print("   " + line) }
      }
    }
    return .ok
  }
}

/// The contract's JSON for similar cases.
struct SimilarOutput: Encodable {
  struct HitOutput: Encodable {
    let note_id: String
    let patient_id: String
    let recorded_at: String
    let species: String
    let score: Double
    let start: Int
    let end: Int
    let quote: String
    let explanation: Explanation?
  }

  let hits: [HitOutput]

  init(_ cases: [SimilarCase], zone: PracticeTimeZone, explains: Bool) {
    hits = cases.map {
      HitOutput(
        note_id: $0.noteID, patient_id: $0.patient.id, recorded_at: zone.iso8601($0.recordedAt),
        species: $0.patient.species.rawValue, score: $0.score, start: $0.codePoints.lowerBound,
        end: $0.codePoints.upperBound, quote: $0.quote, explanation: explains ? $0.explanation : nil)
    }
  }
}
