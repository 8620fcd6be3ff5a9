public import Clinical
import Extraction

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

  /// Forms without the marks that only the finding extractor reads.
  private static func plain(_ forms: [String]) -> [String] {
    forms.filter { form in !form.contains { "~=^<".contains($0) } && form.utf8.count > 1 }
  }

  /// The names of what a sentence speaks of, in the order of the tables.
  func named(in sentence: Range<Int>, of note: ClinicalNote) -> [String] {
    let words = WordPhrases.words(in: note.text, range: sentence)
    var names: [String] = []
    for target in targets where !names.contains(target.name) && target.phrases.first(in: words) != nil {
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

  /// - Complexity: O(tests of the plan × facts of later notes).
  init(_ last: LastEntries, _ record: PatientRecord, targets: PlanTargets) {
    note = last.plan?.note
    guard let plan = last.plan else {
      items = []
      return
    }
    let later = record.recordedFacts([.lab, .procedure, .finding, .vital]).filter {
      $0.note.recordedAt > plan.note.recordedAt
    }
    var items: [Item] = []
    for sentence in plan.sentences {
      // What the same sentence reports is no plan: "T4 24 nmol/L".
      let reported = Set(
        (record.facts[plan.note.id] ?? []).filter {
          $0.kind == .lab && sentence.contains($0.range.lowerBound) && $0.hasValue
            && $0.attributes["result"] != "pending"
        }.map(\.name))
      for name in targets.named(in: sentence, of: plan.note)
      where !reported.contains(name) && !items.contains(where: { $0.name == name }) {
        let done = later.first {
          $0.fact.name == name && $0.fact.assertion.experiencer == .patient
            && $0.fact.assertion.temporality != .hypothetical && $0.fact.attributes["result"] != "pending"
            && ($0.fact.kind != .lab || $0.fact.hasValue)
        }
        items.append(Item(name: name, sentence: sentence, done: done))
      }
    }
    self.items = items
  }

  var done: [Item] { items.filter { $0.done != nil } }
  var open: [Item] { items.filter { $0.done == nil } }
}
