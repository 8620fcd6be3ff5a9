import Chart
import Extraction

/// What a question asks events of: one kind of fact that all it names belongs to.
struct EventTopic {
  let kind: FactKind
  /// Of the facts that tell of it.
  let names: Set<String>

  /// Nil where the question, with words spelt as the record spells them, names something else too: of that the facts of these
  /// kinds tell nothing. Words in `passing` ask and name nothing.
  init?(
    _ question: Question, _ record: PatientRecord, naming: FactNaming, kinds: [FactKind], groups: PreventionGroups,
    passing: QuestionClassSet = []
  ) {
    let known = record.names(of: kinds)
    var kind: FactKind?
    var names: Set<String> = []
    var isGeneral = false
    for group in question.groups where group.force == .specific {
      if question.classes.words(of: group.text).allSatisfy({ $0.isOne(of: passing) }) { continue }
      if let found = naming.names(of: group, among: known, kinds: kinds), kind.map({ $0 == found.kind }) ?? true {
        kind = found.kind
        // "Booster", and the name of none.
        if found.names.allSatisfy({ groups.group(of: $0).isGeneral }) {
          isGeneral = true
        } else {
          names.formUnion(found.names)
        }
      } else if let general = kinds.first(where: group.kinds.contains), kind.map({ $0 == general }) ?? true {
        kind = general
        isGeneral = true
      } else {
        return nil
      }
    }
    guard let kind, isGeneral || !names.isEmpty else { return nil }
    if names.isEmpty {
      names = known[kind] ?? []
    } else if kind == .vaccination || kind == .parasiteControl {
      // Other names of the same protection.
      let labels = Set(names.map { groups.group(of: $0).label })
      names.formUnion((known[kind] ?? []).filter { labels.contains(groups.group(of: $0).label) })
    }
    guard !names.isEmpty else { return nil }
    self.kind = kind
    self.names = names
  }

  /// The patient's facts of it, in time order.
  func items(in record: PatientRecord) -> [RecordedFact] {
    record.recordedFacts([kind]).filter {
      names.contains($0.fact.name) && $0.fact.assertion.experiencer == .patient
        && $0.fact.assertion.polarity == .present
    }
  }
}
