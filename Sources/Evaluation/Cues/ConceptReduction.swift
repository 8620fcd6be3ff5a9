import Assessment
import Clinical
import Training
public import VetNet

/// Takes away what `triage/concepts.tsv` can do without, and writes once what is said in variants, families, products and orders.
///
/// Each step is tried by ``ConceptBench`` on a pool of messages: what the rules conclude stays as it was, finding by finding. Where
/// no message hangs on a form of a few words by which a case may become red or orange, it goes only if urgent messages that say
/// it in the place of other words of its row are as urgent without it (``ConceptCarriers``).
public struct ConceptReduction {
  /// The file, in the model folder.
  public static let file = "triage/concepts.tsv"

  public private(set) var steps: [CueReduction.Step] = []
  public let before: Int
  /// How many forms there are.
  public var after: Int { bench.rows.reduce(0) { $0 + $1.forms.count } }
  /// The table as it became.
  public var text: String { bench.text }

  private var bench: ConceptBench

  /// Rows on whose words the reader's own rules rest: none of their forms goes because no message uses it.
  private static let structural: Set<String> = ["grammar", "subject", "time", "quantity", "class", "who"]
  /// Of rows by which nothing becomes red or orange, and of masks, unused forms of so many words stay.
  private static let longestHarmless = 1
  /// Forms that messages use are tried in so many portions, for of two that say the same one has to stay.
  private static let portions = 4

  /// - Parameters:
  ///   - models: the tables.
  ///   - files: messages and other texts; none may be of a set that is held back.
  /// - Throws: ``EvaluationError`` for a file that can't be read, ``PracticeError`` for a table that can't be used.
  public init(models: ModelDirectory, files: [String]) throws {
    let text = try models.text(Self.file)
    let exemplars = try models.table("triage/exemplars.tsv")
    var intakes = try models.usable { () throws(DataTableError) in try Exemplar.all(in: exemplars).map(\.intake) }
    var others = CuePool()
    for file in files {
      if file.hasSuffix(".jsonl"), let cases = try? IntakeCase.read([file]) {
        intakes += cases.map { $0.stripped(in: .utc).intake }
      } else {
        try others.add(file)
      }
    }
    intakes += others.entries.enumerated().map { Intake(id: "text \($0)", text: $1.text) }
    let triageProtocol = try models.ruleAssessor(protocol: Practice.defaultTriageProtocol).triage.triageProtocol
    // They come first: they show their finding with few other words.
    let examples = triageProtocol.discriminators.flatMap { $0.examples + $0.negativeExamples }
      .map { Intake(id: "example", text: $0) }
    var seen: Set<[String]> = []
    bench = try ConceptBench(
      models: models, table: text,
      intakes: (examples + intakes).filter { seen.insert([$0.text, $0.species?.rawValue ?? ""]).inserted })
    before = bench.rows.reduce(0) { $0 + $1.forms.count }
  }

  /// Writes once what can be, then takes away what nothing hangs on.
  ///
  /// - Parameters:
  ///   - rounds: how often families are looked for.
  ///   - longest: an unused form by which a case may become red or orange stays up to so many words, unless others say the same.
  /// - Throws: ``PracticeError`` for a table that can't be used.
  public mutating func run(rounds: Int, longest: Int) throws {
    try settle { families, rows in rows.flatMap { families.covered($1, $0) } }
    try settle { families, rows in rows.flatMap { families.variants($1, $0) } }
    for _ in 0..<rounds {
      let count = after
      try settle { families, rows in rows.flatMap { families.products($1, $0) } }
      try settle { families, rows in rows.flatMap { families.families($1, $0) } }
      try settle { families, rows in rows.flatMap { families.covered($1, $0) } }
      if after == count { break }
    }
    try settle { families, rows in rows.flatMap { families.orders($1, $0) } }
    try settle { families, rows in families.inclusions(rows.map(\.element)) }
    try takeAway(longest: longest)
  }

  /// A kind of change over all rows that have forms of their own.
  private mutating func settle(
    _ find: (inout ConceptFamilies, [(offset: Int, element: ConceptRow)]) -> [ConceptEdit]
  ) throws {
    var families = ConceptFamilies(bench.rows)
    let rows = Array(bench.rows.enumerated()).map { (offset: $0.offset, element: $0.element) }
    let edits = find(&families, rows).filter { !bench.rows[$0.row].isFiller && !bench.rows[$0.row].isClass }
    note(try bench.settle(edits))
  }

  private mutating func note(_ edits: [ConceptEdit]) {
    for edit in edits {
      let row = bench.rows[edit.row].id
      steps += edit.removes.filter { $0 != edit.add }.map { .init(row: row, cue: $0, reason: edit.reason) }
    }
  }

  // MARK: - Forms that nothing hangs on

  private mutating func takeAway(longest: Int) throws {
    let vocabulary = ConceptVocabulary(bench.rows)
    let urgent = bench.trial.triageProtocol.concepts(behind: .orange, in: bench.trial.lexicon)
    // A row that an urgent one names is urgent too.
    let isUrgent = bench.rows.map { row in urgent.contains { vocabulary.reaches($0, row.id) } }
    let carriers = ConceptCarriers(bench.pool.map(\.intake), bench.pool.map(\.verdict), bench.trial)
    var candidates: [ConceptEdit] = []
    var made: [Int: [ConceptBench.Entry]] = [:]
    for (place, row) in bench.rows.enumerated() where !row.isFiller && !Self.structural.contains(row.kind) {
      for (number, form) in row.forms.enumerated() {
        let length = form.split(separator: " ").count
        var reason = CueReduction.Step.Reason.unused
        if isUrgent[place], !row.isMask {
          let messages = proofs(of: form, number, in: row, vocabulary, carriers)
          if messages.isEmpty, length <= longest { continue }
          if length <= longest {
            made[candidates.count] = messages
            reason = .covered
          }
        } else if length <= Self.longestHarmless {
          continue
        }
        candidates.append(ConceptEdit(row: place, removes: [form], add: nil, reason: reason))
      }
    }
    try takeAway(candidates, made)
  }

  /// Urgent messages that say a form in the place of other words of its row, and are urgent with it.
  private func proofs(
    of form: String, _ number: Int, in row: ConceptRow, _ vocabulary: ConceptVocabulary, _ carriers: ConceptCarriers
  ) -> [ConceptBench.Entry] {
    let place = ConceptLexicon.FormPlace(row: row.id, place: number)
    return carriers.messages(ofRow: row.id, saying: vocabulary.instance(of: form)).compactMap { message in
      guard bench.trial.lexicon.forms(in: message.text).contains(place) else { return nil }
      let verdict = bench.trial.verdict(of: message)
      return verdict.urgency >= .orange
        ? ConceptBench.Entry(intake: message, demand: .asUrgent, verdict: verdict) : nil
    }
  }

  /// First those in no message, together; then the others, a portion at a time.
  private mutating func takeAway(_ candidates: [ConceptEdit], _ made: [Int: [ConceptBench.Entry]]) throws {
    var used: Set<ConceptLexicon.FormPlace> = []
    for entry in bench.pool { used.formUnion(bench.trial.lexicon.forms(in: entry.intake.text)) }
    var places: [[String: Int]] = []
    for row in bench.rows {
      places.append(Dictionary(zip(row.forms, 0...), uniquingKeysWith: { first, _ in first }))
    }
    let isUsed = candidates.map { edit in
      edit.removes.contains {
        used.contains(.init(row: bench.rows[edit.row].id, place: places[edit.row][$0] ?? 0))
      }
    }
    let portions =
      [candidates.indices.filter { !isUsed[$0] }]
      + (0..<Self.portions).map { part in candidates.indices.filter { isUsed[$0] && $0 % Self.portions == part } }
    for portion in portions {
      var own: [Int: [ConceptBench.Entry]] = [:]
      for (number, place) in portion.enumerated() { own[number] = made[place] }
      note(try bench.settle(portion.map { candidates[$0] }, made: own))
    }
  }
}
