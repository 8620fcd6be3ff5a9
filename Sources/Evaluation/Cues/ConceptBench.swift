import Assessment
import Clinical
import VetNet

/// Tries changes of `triage/concepts.tsv` on texts, all together, and takes back those that a text reads differently for.
///
/// A change stands where every text in which a form that went or came stands is judged as before. Those of a text that isn't are
/// taken back together, for it isn't known which of them it was, and the rest is tried again until nothing differs.
struct ConceptBench {
  /// What a text has to give.
  enum Demand: Sendable {
    /// The same conclusions.
    case same
    /// The same level, or a more urgent one.
    case asUrgent
  }

  struct Entry: Sendable {
    let intake: Intake
    let demand: Demand
    let verdict: ConceptTrial.Verdict
  }

  private let models: ModelDirectory
  private var sheet: CueSheet
  private(set) var rows: [ConceptRow]
  /// The messages that have to stay as they are.
  let pool: [Entry]
  /// With the table as it is.
  private(set) var trial: ConceptTrial

  /// - Parameters:
  ///   - models: every other table.
  ///   - text: of the table.
  ///   - intakes: the pool.
  /// - Throws: ``EvaluationError`` for a table without forms, ``PracticeError`` for one that can't be used.
  init(models: ModelDirectory, table text: String, intakes: [Intake]) throws {
    guard let sheet = CueSheet(text, column: "forms") else {
      throw EvaluationError(file: "triage/concepts.tsv", line: nil, problem: "has no column 'forms'")
    }
    self.models = models
    self.sheet = sheet
    rows = ConceptRow.all(in: sheet)
    let trial = try ConceptTrial(models: models, table: text)
    self.trial = trial
    pool = zip(intakes, trial.verdicts(of: intakes)).map { Entry(intake: $0, demand: .same, verdict: $1) }
  }

  /// The table as its file is to be written.
  var text: String { text(of: rows) }

  private func text(of rows: [ConceptRow]) -> String {
    var sheet = sheet
    for (place, row) in rows.enumerated() where row.forms != sheet.cues(ofRow: place) {
      sheet.setCues(row.forms, ofRow: place)
    }
    return sheet.text
  }

  private static func applied(_ edits: [ConceptEdit], to rows: [ConceptRow]) -> [ConceptRow] {
    var rows = rows
    for (place, edits) in Dictionary(grouping: edits, by: \.row) {
      let forms = edits.reduce(rows[place].forms) { $1.applied(to: $0) }
      // A row without a form would be refused.
      if !forms.isEmpty { rows[place].forms = forms }
    }
    return rows
  }

  /// Makes the changes that stand.
  ///
  /// - Parameters:
  ///   - edits: that share no form.
  ///   - made: messages made for one change each, by the change's place; they are judged beside the pool.
  /// - Returns: those that were made.
  /// - Throws: ``PracticeError`` for a change after which the table can't be used.
  mutating func settle(_ edits: [ConceptEdit], made: [Int: [Entry]] = [:]) throws -> [ConceptEdit] {
    guard !edits.isEmpty else { return [] }
    let entries = pool + made.sorted { $0.key < $1.key }.flatMap(\.value)
    let touching = try touching(edits, entries)
    var isKept = edits.map { _ in true }
    var open = Set(entries.indices.filter { !touching[$0].isEmpty })
    var current = trial
    while !open.isEmpty {
      current = try ConceptTrial(models: models, table: text(of: Self.applied(kept(edits, isKept), to: rows)))
      let places = open.sorted()
      let verdicts = current.verdicts(of: places.map { entries[$0].intake })
      let differing = zip(places, verdicts).filter { !Self.holds($1, entries[$0]) }.map(\.0)
      if differing.isEmpty { break }
      var dropped = Set(differing.flatMap { touching[$0] }.filter { isKept[$0] })
      // A difference that none of the changes explains: none is sure.
      if dropped.isEmpty { dropped = Set(edits.indices.filter { isKept[$0] }) }
      for edit in dropped { isKept[edit] = false }
      open = Set(entries.indices.filter { !dropped.isDisjoint(with: touching[$0]) })
    }
    let result = kept(edits, isKept)
    rows = Self.applied(result, to: rows)
    trial = try ConceptTrial(models: models, table: text)
    return result
  }

  private func kept(_ edits: [ConceptEdit], _ isKept: [Bool]) -> [ConceptEdit] {
    zip(edits, isKept).filter(\.1).map(\.0)
  }

  private static func holds(_ verdict: ConceptTrial.Verdict, _ entry: Entry) -> Bool {
    switch entry.demand {
    case .same: verdict == entry.verdict
    case .asUrgent: verdict.urgency >= entry.verdict.urgency
    }
  }

  /// The changes of which a form stands in each entry: read once, with the forms that go and those that come.
  private func touching(_ edits: [ConceptEdit], _ entries: [Entry]) throws -> [[Int]] {
    var rows = rows
    var ofForm: [Int: [String: [Int]]] = [:]
    for (place, edit) in edits.enumerated() {
      for form in edit.removes { ofForm[edit.row, default: [:]][form, default: []].append(place) }
      guard let add = edit.add else { continue }
      ofForm[edit.row, default: [:]][add, default: []].append(place)
      if !rows[edit.row].forms.contains(add) { rows[edit.row].forms.append(add) }
    }
    var ofPlace: [ConceptLexicon.FormPlace: [Int]] = [:]
    for (row, edits) in ofForm {
      for (place, form) in rows[row].forms.enumerated() {
        if let edits = edits[form] { ofPlace[ConceptLexicon.FormPlace(row: rows[row].id, place: place)] = edits }
      }
    }
    let lexicon = try ConceptTrial(models: models, table: text(of: rows)).lexicon
    let edits = ofPlace
    return Concurrent.map(entries) { entry in
      Set(lexicon.forms(in: entry.intake.text).flatMap { edits[$0] ?? [] }).sorted()
    }
  }
}
