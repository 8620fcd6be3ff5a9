import Chart
public import Clinical
import Extraction
import TextAnalysis

/// The tests and procedures that a plan may name. Data: `extraction/labs.tsv`, and `extraction/findings.tsv` for tests and procedures.
public struct PlanTargets: Sendable {
  /// By name, in the order of the tables.
  private let targets: [(name: String, phrases: WordPhrases)]

  /// - Parameters:
  ///   - labs: rows with `name` and `forms`.
  ///   - findings: rows with `name`, `kind` and `forms`; only tests are read.
  public init(labs: DataTable, findings: DataTable) {
    var targets: [(name: String, phrases: WordPhrases)] = []
    for row in labs.rows { targets.append((row["name"], WordPhrases(Self.plain(row.list("forms"))))) }
    for row in findings.rows where row["kind"] == "test" {
      targets.append((row["name"], WordPhrases(Self.plain(row.list("forms")))))
    }
    self.targets = targets
  }

  /// Forms without the marks that only the finding extractor reads, each with its plural, which the table needn't have.
  private static func plain(_ forms: [String]) -> [String] {
    forms.filter { form in !form.contains { "~=^<".contains($0) } && form.utf8.count > 1 }
      .flatMap { $0.hasSuffix("s") ? [$0] : [$0, $0 + "s"] }
  }

  /// The names of what a sentence speaks of, in the order of the tables; one name for a test that two tables have.
  ///
  /// - Parameters:
  ///   - text: the note or message.
  ///   - range: the sentence, in UTF-8 bytes; nil for the whole text.
  ///   - taken: words that name something else, such as the drug in "potassium gluconate".
  /// - Returns: names as facts have them.
  func named(in text: String, range: Range<Int>? = nil, except taken: [Range<Int>] = []) -> [String] {
    let words = WordPhrases.words(in: text, range: range)
    var names: [String] = []
    for target in targets {
      guard let found = target.phrases.first(in: words), !taken.contains(where: { $0.overlaps(found) }),
        !names.contains(where: { $0.lowercased() == target.name.lowercased() })
      else { continue }
      names.append(target.name)
    }
    return names
  }
}

/// What of the last plan was done since, as far as later notes tell.
struct PlanFollowUp {
  struct Item {
    let name: String
    /// The sentence of the plan.
    let sentence: Range<Int>
    /// The first later note with a result; nil when there is none on file.
    let done: RecordedFact?
  }

  let note: ClinicalNote?
  let items: [Item]

  /// - Complexity: O(tests of the plan × times that each was done).
  init(
    _ last: LastEntries, _ record: PatientRecord, _ investigations: Investigations, _ outlines: [NoteOutline],
    targets: PlanTargets, cues: PlanCues
  ) {
    note = last.plan?.note
    guard let plan = last.plan else {
      items = []
      return
    }
    let outline = outlines.first { $0.note.id == plan.note.id }
    let facts = record.facts[plan.note.id] ?? []
    let given: Set<FactKind> = [.drug, .vaccination, .parasiteControl, .allergy]
    let taken = facts.filter { given.contains($0.kind) }.map(\.range)
    var items: [Item] = []
    for sentence in plan.sentences {
      // The last words of a visit are shown as its plan where none is written; a test in them may be its finding.
      let isPlanned = outline?.sentence(at: sentence.lowerBound).map { LastEntries.planSections.contains($0.section) }
      guard isPlanned == true || cues.marksTask(sentence, of: plan.note) else { continue }
      // What the owner does not want is no plan.
      let isDeclined = facts.contains {
        $0.kind == .ownerDecision && $0.name == "declined" && sentence.contains($0.range.lowerBound)
      }
      if isDeclined { continue }
      // What the same sentence reports is no plan: "T4 24 nmol/L".
      let reported = Set(
        facts.filter {
          $0.kind == .lab && sentence.contains($0.range.lowerBound) && $0.hasValue
            && $0.lab?.result != .pending
        }.map(\.name))
      for name in targets.named(in: plan.note.text, range: sentence, except: taken)
      where !reported.contains(name) && !items.contains(where: { $0.name == name }) {
        items.append(
          Item(name: name, sentence: sentence, done: investigations.first(name, after: plan.note.recordedAt)))
      }
    }
    self.items = items
  }

  var done: [Item] { items.filter { $0.done != nil } }
  var open: [Item] { items.filter { $0.done == nil } }
}
