import Answering
public import Chart
import Clinical
public import Extraction
public import TextAnalysis

/// Reads what a question for a list of patients asks of them.
///
/// What is asked is found as notes are read (``FactExtractor``), so that it has the names that facts have; what that doesn't know,
/// such as a class of drugs, by the expansions that any question has.
public struct RegisterReader: Sendable {
  let analyzer: Analyzer
  let extractor: FactExtractor
  let groups: PreventionGroups

  public init(analyzer: Analyzer, extractor: FactExtractor, groups: PreventionGroups) {
    self.analyzer = analyzer
    self.extractor = extractor
    self.groups = groups
  }

  /// The kinds of fact by which patients are listed.
  public static let kinds: [FactKind] = [
    .problem, .finding, .drug, .procedure, .vaccination, .parasiteControl, .allergy,
  ]

  /// The kinds that notes describe in words of their own as often as they name them.
  private static let worded: Set<FactKind> = [.finding, .procedure]

  /// What is merely likely to be meant is no substance that somebody is allergic to.
  private static let nameCloseness = 0.75

  /// - Parameters:
  ///   - frame: the question, which asks for a list.
  ///   - known: the names that the practice's facts have, by kind.
  /// - Returns: nil where something in the question is no fact's name: then its words must be searched for.
  public func read(_ frame: RegisterFrame, known: [FactKind: [String]]) -> RegisterQuestion? {
    let (text, question, filter) = (frame.text, frame.question, frame.filter)
    let (written, found, framing) = (frame.written, frame.found, frame.framing)
    func has(_ use: RegisterWords.Use) -> Bool { frame.has(use) }
    let isUnseen = has(.recheck) && (has(.overdue) || has(.due))
    let rechecks = Set(isUnseen ? found.filter { $0.use == .recheck }.flatMap { written[$0.words] } : [])
    guard
      var conditions = conditions(
        in: text, question, filter, known, framing: framing.union(rechecks), rechecks: rechecks)
    else { return nil }
    for index in conditions.indices {
      conditions[index].isNegated = isNegated(conditions[index], among: conditions, in: written, found)
      conditions[index].names.formUnion(protected(&conditions[index], known))
      conditions[index].names.formUnion(narrower(conditions[index], known))
    }
    // Who needs a dental is not who had one.
    let asksForDue = has(.overdue) || has(.due)
    let isPrevention = conditions.contains { Self.preventions.contains($0.kind) }
    guard isUnseen || isPrevention || !asksForDue else { return nil }
    var state: RegisterQuestion.State = has(.ever) || question.period != nil ? .ever : .now
    if isUnseen {
      state = .unseen
    } else if isPrevention, asksForDue {
      state = has(.overdue) ? .overdue : .due
      for index in conditions.indices where Self.preventions.contains(conditions[index].kind) {
        conditions[index].isNegated = false
      }
    }
    return RegisterQuestion(
      question: question, conditions: conditions, areAlternatives: areAlternatives(conditions, in: frame),
      state: state, filter: filter, wantsCount: question.asks(for: .count))
  }

  private static let preventions: [FactKind] = [.vaccination, .parasiteControl]

  /// What patients must have to be listed; nil where the question names nothing, or something that is no fact's name.
  ///
  /// Words in `framing` name nothing to look for; those in `rechecks` name the test that is due, which is no condition.
  private func conditions(
    in text: String, _ question: Question, _ filter: PatientFilter, _ known: [FactKind: [String]],
    framing: Set<String>, rechecks: Set<String>
  ) -> [RegisterQuestion.Condition]? {
    var conditions = named(in: text, question, filter)
    for group in question.groups where group.force == .specific {
      if conditions.contains(where: { covers($0.text, group.text) }) { continue }
      if WordForm.words(of: group.text).allSatisfy(framing.contains) { continue }
      guard let condition = condition(of: group, known) else { return nil }
      conditions.append(condition)
    }
    if !rechecks.isEmpty { conditions.removeAll { WordForm.words(of: $0.text).allSatisfy(rechecks.contains) } }
    // "RHD2 vaccine": the word for all of them says no more than the one.
    for kind in Self.preventions where conditions.contains(where: { $0.kind == kind && !isGeneral($0) }) {
      conditions.removeAll { $0.kind == kind && isGeneral($0) }
    }
    conditions = withAllergies(conditions, question, known)
    // What no fact of the practice has may still stand in other words.
    return conditions.isEmpty || !conditions.allSatisfy({ isKnown($0, known) }) ? nil : conditions
  }

  /// "Vaccine", "worming": every prevention of its kind.
  private func isGeneral(_ condition: RegisterQuestion.Condition) -> Bool {
    condition.protection != nil && condition.names.allSatisfy { groups.group(of: $0).isGeneral }
  }

  /// Whether facts of the practice have a name of a condition, where notes would not describe it in words of their own.
  private func isKnown(_ condition: RegisterQuestion.Condition, _ known: [FactKind: [String]]) -> Bool {
    guard Self.worded.contains(condition.kind) else { return true }
    return (known[condition.kind] ?? []).contains { name in
      condition.names.contains(name) || condition.names.contains { FactNaming.isKind(name, of: $0) }
    }
  }

  /// What the question names as a note would.
  private func named(in text: String, _ question: Question, _ filter: PatientFilter) -> [RegisterQuestion.Condition] {
    var conditions: [RegisterQuestion.Condition] = []
    for fact in extractor.facts(in: text, kind: .phone) where Self.kinds.contains(fact.kind) {
      guard let slice = text.slice(utf8: fact.range).map(String.init) else { continue }
      let words = WordForm.words(of: slice)
      if words.allSatisfy(filter.words.contains) { continue }
      // Words that only frame or are everyday speech are no finding: "quiet", "tired of waiting".
      let isTopic = question.groups.contains { covers(slice, $0.text) || covers($0.text, slice) }
      guard isTopic || fact.kind == .allergy || fact.kind == .vaccination else { continue }
      var condition = RegisterQuestion.Condition(kind: fact.kind, names: [fact.name], text: slice)
      if fact.kind == .vaccination || fact.kind == .parasiteControl, fact.drugEvent?.drugID == nil {
        condition.protection = groups.group(of: fact.name).label
      }
      if let index = conditions.firstIndex(where: { $0.kind == fact.kind && covers($0.text, slice) }) {
        conditions[index].names.insert(fact.name)
      } else {
        conditions.append(condition)
      }
    }
    return conditions
  }

  private func covers(_ text: String, _ part: String) -> Bool {
    let words = WordForm.words(of: text)
    return WordForm.words(of: part).allSatisfy(words.contains)
  }

  /// The facts that a group of the question means by what its words stand for.
  private func condition(of group: Question.Group, _ known: [FactKind: [String]]) -> RegisterQuestion.Condition? {
    let kinds = Self.kinds.filter { group.kinds.isEmpty || group.kinds.contains($0) }
    if let found = FactNaming(analyzer: analyzer).names(of: group, among: known.mapValues(Set.init), kinds: kinds) {
      var condition = RegisterQuestion.Condition(kind: found.kind, names: found.names, text: group.text)
      let labels = Set(found.names.map { groups.group(of: $0).label })
      if found.kind == .vaccination || found.kind == .parasiteControl, labels.count == 1 {
        condition.protection = labels.first
      }
      return condition
    }
    // "Vaccinated", "allergies": all facts of the kind.
    guard let kind = Self.kinds.first(where: group.kinds.contains),
      [.vaccination, .parasiteControl, .allergy].contains(kind)
    else { return nil }
    return RegisterQuestion.Condition(kind: kind, names: Set(known[kind] ?? []), text: group.text)
  }

  /// "Allergic to penicillin": what would be a drug of its own is what the allergy is to.
  private func withAllergies(
    _ conditions: [RegisterQuestion.Condition], _ question: Question, _ known: [FactKind: [String]]
  ) -> [RegisterQuestion.Condition] {
    guard question.kinds.contains(.allergy) || conditions.contains(where: { $0.kind == .allergy }) else {
      return conditions
    }
    let drugs = conditions.filter { $0.kind == .drug }
    var substances: [[String]] = []
    for group in question.groups where group.force == .specific && group.kinds.isEmpty {
      substances += group.alternatives.filter { !$0.isLoose && $0.weight >= Self.nameCloseness }.map(\.terms)
    }
    for drug in drugs { for name in drug.names { substances.append(analyzer.terms(in: name)) } }
    let text = question.groups.filter { $0.force == .specific }.map(\.text).joined(separator: " ")
    var allergy = RegisterQuestion.Condition(kind: .allergy, names: Set(known[.allergy] ?? []), text: text)
    allergy.substances = substances.filter { !$0.isEmpty }
    let others = conditions.filter { condition in
      // A sign beside it is what the reaction looked like, which another note may put otherwise.
      condition.kind != .drug && condition.kind != .allergy && condition.kind != .finding
        && !substances.contains { Set($0).isSubset(of: analyzer.terms(in: condition.text)) }
    }
    return [allergy] + others
  }

  /// A negation before it, with no other condition between.
  private func isNegated(
    _ condition: RegisterQuestion.Condition, among conditions: [RegisterQuestion.Condition], in written: [String],
    _ found: [RegisterWords.Found]
  ) -> Bool {
    guard let own = place(of: condition.text, in: written) else { return false }
    let before = conditions.compactMap { place(of: $0.text, in: written) }.filter { $0 < own }.max() ?? -1
    return found.contains { $0.use == .negation && $0.words.lowerBound > before && $0.words.lowerBound < own }
      || written.indices.contains(own) && written[own].hasPrefix("un") && condition.kind == .vaccination
  }

  /// The kinds of what is asked for by a general name: whoever is on lente insulin is on insulin.
  private func narrower(_ condition: RegisterQuestion.Condition, _ known: [FactKind: [String]]) -> [String] {
    guard condition.kind == .drug || condition.kind == .problem else { return [] }
    return (known[condition.kind] ?? []).filter { name in
      condition.names.contains { FactNaming.isKind(name, of: $0) }
    }
  }

  /// "Who has Addison's and who has Cushing's", "CKD or diabetes": between each two conditions stands an "or" or a new "who".
  private func areAlternatives(_ conditions: [RegisterQuestion.Condition], in frame: RegisterFrame) -> Bool {
    let (written, classes) = (frame.written, frame.classes)
    let places = conditions.compactMap { place(of: $0.text, in: written) }.sorted()
    guard places.count == conditions.count, places.count > 1 else { return false }
    return zip(places, places.dropFirst()).allSatisfy { first, second in
      // "Cats or dogs" is of the animals, not of what they have.
      written[first..<second].contains { classes.isOne($0, of: .or) }
        && !written[first..<second].contains { Species(mention: $0) != nil }
        || frame.found.contains { $0.use == .ask && $0.words.lowerBound > first && $0.words.upperBound <= second }
    }
  }

  private func place(of text: String, in written: [String]) -> Int? {
    let words = WordForm.words(of: text)
    return written.indices.first { written[$0...].starts(with: words) }
  }

  /// All names of the protection that is asked for, or, of "booster", of every one.
  private func protected(_ condition: inout RegisterQuestion.Condition, _ known: [FactKind: [String]]) -> Set<String> {
    guard let label = condition.protection else { return [] }
    let names = known[condition.kind] ?? []
    let isGeneral = condition.names.allSatisfy { groups.group(of: $0).isGeneral }
    if isGeneral {
      condition.protection = nil
      return Set(names)
    }
    return Set(names.filter { groups.group(of: $0).label == label })
  }
}
