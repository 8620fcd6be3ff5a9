public import Clinical
package import TextAnalysis

/// Words that mark a sentence of a note as something to be done, or as a change of dose. Data: `Models/briefing/plan-cues.tsv`,
/// columns `use` (`plan`, `task` for a plan of something to be tested or seen again, or `dose change`) and `phrases`.
public struct PlanCues: Sendable {
  private let plans: WordPhrases
  private let tasks: WordPhrases
  private let doseChanges: WordPhrases

  /// - Throws: ``DataTableError`` for a use that is neither.
  public init(table: DataTable) throws(DataTableError) {
    var phrases: [String: [String]] = [:]
    for row in table.rows {
      guard ["plan", "task", "dose change"].contains(row["use"]) else {
        throw row.error("use", "is neither plan, task nor dose change")
      }
      phrases[row["use"], default: []] += row.list("phrases")
    }
    // A task is a plan too.
    tasks = WordPhrases(phrases["task"] ?? [])
    plans = WordPhrases((phrases["plan"] ?? []) + (phrases["task"] ?? []))
    doseChanges = WordPhrases(phrases["dose change"] ?? [])
  }

  package func mark(_ sentence: Range<Int>, of note: ClinicalNote) -> Bool {
    plans.first(in: WordPhrases.words(in: note.text, range: sentence)) != nil
  }

  /// Whether the sentence says that something is to be tested or seen again.
  package func marksTask(_ sentence: Range<Int>, of note: ClinicalNote) -> Bool { task(in: sentence, of: note) != nil }

  /// The words by which a sentence says that something is to be tested or seen again.
  package func task(in sentence: Range<Int>, of note: ClinicalNote) -> Range<Int>? {
    tasks.first(in: WordPhrases.words(in: note.text, range: sentence))
  }

  /// Whether the sentence changes a dose and names a number.
  package func marksDoseChange(_ sentence: Range<Int>, of note: ClinicalNote) -> Bool {
    let words = WordPhrases.words(in: note.text, range: sentence)
    return doseChanges.first(in: words) != nil
      && words.contains { $0.text.utf8.first.map { (0x30...0x39).contains($0) } ?? false }
  }
}

/// Where the last visit left things: its plan, and what came in since.
package struct LastEntries {
  /// The note whose plan is the last, with the sentences of the plan.
  package let plan: (note: ClinicalNote, sentences: [Range<Int>])?
  /// Later notes, oldest first.
  package let since: [NoteOutline]

  /// - Parameters:
  ///   - outlines: in time order.
  ///   - cues: what marks a sentence as a plan where no heading does.
  package init(_ outlines: [NoteOutline], cues: PlanCues) {
    var last: Int?
    var sentences: [Range<Int>] = []
    for index in outlines.indices.reversed() {
      let outline = outlines[index]
      let planned = Self.plan(of: outline, cues)
      // What somebody means to do after a result or a letter is a plan too; after a visit its last words are.
      if !planned.isEmpty, Self.planning.contains(outline.note.kind) {
        (last, sentences) = (index, planned)
      } else if Self.visits.contains(outline.note.kind) {
        (last, sentences) = (index, outline.sentences.suffix(2).map(\.range))
      }
      if last != nil { break }
    }
    plan = last.map { (outlines[$0].note, sentences) }
    since = Array(outlines[(last.map { $0 + 1 } ?? 0)...].suffix(Self.laterNotes))
  }

  private static let visits: Set<NoteKind> = [.consult, .nurse, .surgery]
  private static let planning: Set<NoteKind> = [.consult, .nurse, .surgery, .lab, .referral]
  package static let planSections: Set<String> = ["plan", "treatment", "advice"]
  /// What a brief has room for.
  private static let planSentences = 5
  private static let cuedSentences = 4
  private static let laterNotes = 2

  /// The sentences under a heading of the plan, else those that speak of something to be done.
  private static func plan(of outline: NoteOutline, _ cues: PlanCues) -> [Range<Int>] {
    let written = outline.sentences.filter { planSections.contains($0.section) }.map(\.range)
    if !written.isEmpty { return Array(written.prefix(planSentences)) }
    return outline.sentences.map(\.range).filter { cues.mark($0, of: outline.note) }.suffix(cuedSentences)
  }
}
