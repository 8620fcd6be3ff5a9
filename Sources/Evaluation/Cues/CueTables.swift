import Clinical
public import VetNet

/// Makes the tables of cues smaller: `vetnet evaluate cues`.
public enum CueTables {
  /// A table that can do with less.
  public struct Change: Sendable {
    /// In the model folder.
    public let file: String
    public let text: String
    public let before: Int
    public let after: Int
    /// What went, and why.
    public let steps: [CueReduction.Step]
  }

  /// - Parameters:
  ///   - models: the tables.
  ///   - files: the pool: labelled sentences, records and questions; none of a set that is held back.
  ///   - longest: cues that no text hangs on stay up to so many words.
  /// - Returns: the tables that change, with their new text.
  /// - Throws: ``EvaluationError`` for a file that can't be read, ``PracticeError`` for a table that can't be used.
  public static func run(models: ModelDirectory, files: [String], longest: Int) throws -> [Change] {
    let rules = "extraction/assertion-rules.tsv"
    let classes = try models.table("extraction/word-classes.tsv")
    var reduction = try CueReduction(
      table: models.table(rules), text: models.text(rules), classes: classes, notation: models.notation(),
      extractors: models.extractors(), files: files)
    try reduction.run(rounds: rounds, longest: longest)
    var changes = [
      Change(
        file: rules, text: reduction.text, before: reduction.before, after: reduction.after, steps: reduction.steps)
    ]
    var pool = CuePool()
    for file in files { try pool.add(file) }
    // A row's own examples are texts as well.
    let examples = try Set(PhraseReduction.tables.map(\.file)).flatMap { file in
      try models.table(file).rows.flatMap { row in ["question", "example", "negative_example"].map { row[$0] } }
    }
    let phrases = PhraseReduction(
      analyzer: try models.analyzer(), classes: classes,
      questions: pool.entries.filter(\.isQuestion).map(\.text) + examples,
      notes: pool.entries.filter { !$0.isQuestion }.map(\.text) + examples)
    for (file, cells) in Dictionary(grouping: PhraseReduction.tables, by: \.file).sorted(by: { $0.key < $1.key }) {
      changes.append(try change(of: file, cells, text: models.text(file), phrases, longest: longest))
    }
    return changes.filter { $0.after < $0.before }
  }

  /// A family of three dimensions takes three.
  private static let rounds = 4

  private static func change(
    of file: String, _ cells: [PhraseReduction.Cells], text: String, _ phrases: PhraseReduction, longest: Int
  ) throws(EvaluationError) -> Change {
    var (text, before, after) = (text, 0, 0)
    var steps: [CueReduction.Step] = []
    for cells in cells {
      guard var sheet = CueSheet(text, column: cells.column) else {
        throw EvaluationError(file: file, line: nil, problem: "has no column '\(cells.column)'")
      }
      // Forms that are targets too stand in questions and in notes.
      for row in 0..<sheet.rowCount where sheet.cell("direction", ofRow: row) != "both" {
        let all = sheet.cues(ofRow: row)
        let kept = phrases.kept(all, cells, longest: longest)
        before += all.count
        after += kept.count
        if kept.count == all.count { continue }
        sheet.setCues(kept, ofRow: row)
        let id = sheet.cell("id", ofRow: row)
        steps += Set(all).subtracting(kept).sorted().map { .init(row: id, cue: $0, reason: .unused) }
      }
      text = sheet.text
    }
    return Change(file: file, text: text, before: before, after: after, steps: steps)
  }
}
