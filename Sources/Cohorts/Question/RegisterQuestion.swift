import Answering
import Chart
public import Extraction

/// A question for the patients of whom something is recorded: "which cats are hyperthyroid", "dogs on NSAIDs", "who is overdue
/// a booster". What it names is resolved to the names that facts have.
public struct RegisterQuestion: Sendable {
  /// One thing that is to be so, or not to be so.
  struct Condition: Sendable {
    let kind: FactKind
    /// Of the facts that tell of it.
    var names: Set<String>
    /// As asked.
    let text: String
    var isNegated = false
    /// What an allergy is to, as analysed terms: one of these must stand in what the fact says; empty for any.
    var substances: [[String]] = []
    /// The protection that a vaccine or parasite treatment gives; nil for any, or where one product is asked for.
    var protection: String?
  }

  /// In which state they are asked for.
  enum State: Sendable {
    case now, ever
    /// A vaccine or treatment whose date has passed, or is near.
    case overdue, due
    /// Seen again later than the last plan said, or not at all.
    case unseen
  }

  let question: Question
  let conditions: [Condition]
  /// One of the conditions is enough.
  var areAlternatives = false
  let state: State
  public let filter: PatientFilter
  let wantsCount: Bool

  /// The facts that it takes to answer, by kind and name; those of ``courseDrugs`` only where their courses aren't known already.
  public func facts(withoutCourses: Bool) -> [(kind: FactKind, name: String)] {
    var seen: Set<String> = []
    return conditions.flatMap { condition -> [(kind: FactKind, name: String)] in
      let isCourse = asksForCourses(condition)
      if isCourse, withoutCourses { return [] }
      let names = isCourse ? DrugCourses.names(tellingOf: condition.names) : condition.names
      return names.sorted().filter { seen.insert("\(condition.kind) \($0)").inserted }.map { (condition.kind, $0) }
    }
  }

  /// The drugs of whose courses it asks whether they go on, in the order of their names.
  public var courseDrugs: [String] {
    Set(conditions.filter(asksForCourses).flatMap(\.names)).sorted()
  }

  /// Whether a condition is that an animal is on a drug.
  func asksForCourses(_ condition: Condition) -> Bool {
    condition.kind == .drug && !condition.isNegated && state != .ever
  }

  /// Whether patients of whom nothing is recorded fit too: those who have *not* had something.
  public var includesUnrecorded: Bool {
    !conditions.isEmpty && conditions.allSatisfy { $0.isNegated && $0.isComplement }
  }

  /// Whether it takes the species to judge a patient's facts: a vaccine is due to those only whom it suits.
  public var dependsOnSpecies: Bool { conditions.contains { $0.kind == .vaccination || $0.kind == .parasiteControl } }

  /// Whether the last plans of those who fit have to be read.
  public var asksForPlans: Bool { state == .unseen }
}

extension RegisterQuestion.Condition {
  /// Whether silence means that it was not done here. Of signs and problems it means nothing: "without a murmur" is those whom
  /// somebody listened to.
  var isComplement: Bool {
    switch kind {
    case .vaccination, .parasiteControl, .drug, .procedure: true
    default: false
    }
  }
}
