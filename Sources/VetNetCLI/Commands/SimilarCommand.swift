import Clinical
import Presentation
import Retrieval
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
      Option("--explain", nil, "show each leg's rank, score, matched terms and what was added to the question"),
      Option("--exit-status", nil, "exit with 4 when nothing in the record resembles this"),
    ],
    examples: [
      Example("vetnet similar --text \"old cat, losing weight, ravenous, yowling at night\"", "cases like this one"),
      Example("vetnet similar --note N0042 --limit 5 --json", "cases like a note"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openForQuestion { $0.beginSearching() }
    let zone = practice.timeZone
    var filter = CaseFilter(limit: try invocation.integer("--limit", in: 1...1000) ?? 10)
    filter.species = try invocation.species()
    if let word = arguments.value("--kind") {
      guard let kind = NoteKind(rawValue: word) else { throw UsageError("--kind '\(word)' is no kind of note") }
      filter.kind = kind
    }
    filter.since = try invocation.day("--since", in: zone).map { zone.interval(of: $0).lowerBound }
    filter.until = try invocation.day("--until", in: zone).map { zone.interval(of: $0).upperBound }
    let given = [arguments.value("--note"), arguments.value("--text"), arguments.positionals.first].compactMap(\.self)
    guard given.count <= 1 else { throw UsageError("give one of --text, --note and FILE") }
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
    let cases = try invocation.perform(FindSimilar(query: query, filter: filter), on: practice)
    invocation.warnOfDamage(in: practice)
    if case .text(let text) = query, let language = try practice.models.unreadableLanguage(of: text) {
      invocation.terminal.say(
        "Not understood: the text seems to be \(language), which VetNet can't read. What resembles it does so by accident."
      )
    }
    let exitCode = cases.isEmpty && arguments.isSet("--exit-status") ? ExitCode.noEvidence : .ok
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(SimilarOutput(cases, zone: zone, explains: arguments.isSet("--explain")))
      return exitCode
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
    return exitCode
  }
}
