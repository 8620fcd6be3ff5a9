import Chart
public import Clinical
public import Extraction
public import Formulary
import TextAnalysis

/// Answers how a patient bears something: "can she have marbofloxacin?", "any bother with anaesthetics?", "did the jab upset him?".
///
/// The states are the chart's; a drug is asked through its class and through what cross-reacts with it. A reaction is told
/// wherever one is on record, with what spoke for the drug since beside it: neither "no" nor silence is said over one.
struct ToleranceAnswer {
  struct Outcome {
    let answerClass: Answer.Class
    let evidence: [ChartEvidence]
    /// What the formulary says of a reaction to one drug and another that is asked about.
    let rows: [Formulary.CrossReaction]
  }

  let question: Question
  let knowledge: ToleranceKnowledge

  private static let anaesthesia = "anaesthesia"
  private static let courseLimit = 4
  private static let evidenceLimit = 2

  /// What was not tolerated or must not be given; nil when something else is asked, or the chart has nothing of it.
  ///
  /// - Parameters:
  ///   - chart: of the patient.
  ///   - isGeneral: whether the question asks for reactions to anything; then it must name no treatment, else one.
  ///   - isSilent: whether nothing else answers; then naming a treatment is enough to be told of it.
  /// - Returns: the passages that the chart rests on, and what the formulary adds.
  func warning(of chart: PatientChart, isGeneral: Bool, isSilent: Bool = false) -> Outcome? {
    let (topics, speaksOfBearing) = (self.topics, self.speaksOfBearing)
    guard isSilent ? asksNoDetail || speaksOfBearing || question.asks(for: .why) : isAsked else { return nil }
    guard isGeneral == topics.isEmpty else { return nil }
    var rows: [Formulary.CrossReaction] = []
    func isMeant(_ course: ReactionCourse) -> Bool {
      topics.isEmpty
        || topics.contains { topic in
          let relation = knowledge.relation(of: topic, to: course.treatment)
          // Where nobody asked how it was borne, a whole class is too wide.
          if isSilent, !speaksOfBearing, !question.has(.happened) {
            guard topic.kind == .drug, relation.row != nil || topic.name == course.treatment else { return false }
          }
          if let row = relation.row, course.state == .reaction, !rows.contains(row) { rows.append(row) }
          return relation.isRelated
        }
    }
    var warnings = chart.warnings.filter(isMeant)
    // Asked about the very thing, a suspicion is better than silence.
    if warnings.isEmpty, !topics.isEmpty, !isSilent { warnings = chart.suspicions.filter(isMeant) }
    guard !warnings.isEmpty else { return nil }
    // None is left out: of many the latest word of each.
    let told = warnings.flatMap {
      $0.evidence.suffix(warnings.count > Self.courseLimit ? 1 : Self.evidenceLimit)
    }
    // Each anaesthetic is its own: that a later one went well takes nothing from what one did.
    let since =
      warnings.flatMap { $0.treatment == Self.anaesthesia ? [] : $0.laterTolerations.suffix(1) }
      + denials(in: chart, after: told)
    return Outcome(
      // What happened once happened, whatever came later.
      answerClass: since.isEmpty || question.has(.ever) ? .found : .conflicting,
      evidence: Self.inOrder(told + since), rows: rows)
  }

  /// "No known allergies" after the last word of a reaction stands beside it where reactions as such are asked for; what the
  /// animal can't have may be banned for another reason.
  private func denials(in chart: PatientChart, after told: [ChartEvidence]) -> ArraySlice<ChartEvidence> {
    guard question.kinds.contains(.allergy), !question.isBarred, let last = told.map(\.recordedAt).max() else {
      return []
    }
    return chart.generalDenials.filter { $0.recordedAt > last }.suffix(1)
  }

  /// That something was borne, where nothing on record says otherwise.
  func toleration(of chart: PatientChart) -> Outcome? {
    guard isAsked, question.isYesOrNo else { return nil }
    let borne = chart.reactions.filter { course in
      topics.contains { knowledge.relation(of: $0, to: course.treatment).isSame }
    }
    guard !borne.isEmpty, borne.allSatisfy({ $0.state == .tolerated }) else { return nil }
    let told = borne.prefix(Self.courseLimit).flatMap { $0.tolerations.suffix(Self.evidenceLimit) }
    return Outcome(answerClass: .negative, evidence: Self.inOrder(told), rows: [])
  }

  /// The treatments that the question names; forms ("tablets") say nothing of which.
  private var topics: [Treatment] { knowledge.names.treatments(in: question.text).filter { $0.kind != .product } }

  /// "Any product he can't have?": whatever was not borne is meant. What else may be barred, food or exercise, is not.
  var asksForBans: Bool {
    let words = WordPhrases.words(in: question.text, range: nil)
    return asksNoDetail && question.roles.isDisjoint(with: Self.otherAims) && topics.isEmpty && question.isBarred
      && (question.has(.shunning) || words.contains { knowledge.giving.contains($0.text) })
      && (question.has(.anything) || knowledge.things.first(in: words) != nil || !question.kinds.isEmpty
        || !knowledge.names.treatments(in: question.text).isEmpty)
  }

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .why, .when, .who, .side, .others, .first, .change, .frequency,
  ]

  /// Whether nothing is asked for that a reaction can't say: no moment, no measured value.
  private var asksNoDetail: Bool {
    question.roles.isDisjoint(with: Self.details)
      && question.kinds.isSubset(of: [.drug, .parasiteControl, .vaccination, .allergy, .reaction])
  }

  /// Of these the reaction itself says nothing.
  private static let details: Set<QuestionLexicon.Role> = [.when, .side, .first, .change, .frequency]

  /// "Can Bramble have …", "any trouble with …". Who asks whether it can be given is not what is asked for.
  private var isAsked: Bool {
    let words = WordPhrases.words(in: question.text, range: 0..<question.text.utf8.count)
    let asksLeave = words.indices.contains { index in
      knowledge.modals.contains(words[index].text)
        && words[index...].dropFirst().prefix(Self.permissionReach).contains { knowledge.giving.contains($0.text) }
    }
    if asksLeave, question.roles.isDisjoint(with: Self.details.union([.why])) { return true }
    return question.roles.isDisjoint(with: Self.otherAims)
      && (asksLeave || speaksOfBearing || asksWhatHappened)
  }

  /// Words of the question say that how something is borne, or what must not be given, is part of it.
  private var speaksOfBearing: Bool {
    question.isBarred || knowledge.asking.first(in: WordPhrases.words(in: question.text, range: nil)) != nil
  }

  /// "What happened with the Metacam?", whenever it was.
  private var asksWhatHappened: Bool {
    question.has(.happened) && question.periods.isEmpty && topics.contains { $0.kind == .drug }
  }

  /// Words from a modal verb to what it permits: "could the old girl possibly have".
  private static let permissionReach = 5

  private static func inOrder(_ evidence: [ChartEvidence]) -> [ChartEvidence] {
    evidence.sorted {
      ($0.recordedAt, $0.noteID, $0.passage.lowerBound) < ($1.recordedAt, $1.noteID, $1.passage.lowerBound)
    }
  }
}

/// What relates treatments to each other. Data: the formulary, `briefing/tolerance-words.tsv`.
public struct ToleranceKnowledge: Sendable {
  let names: TreatmentNames
  let formulary: Formulary
  /// Words by which a question asks how something is borne.
  let asking: WordPhrases
  /// Words for whatever is given.
  let things: WordPhrases
  let modals: Set<String>
  let giving: Set<String>

  /// The rows that are asked for by name; all others ask by themselves.
  private enum Row: String, CaseIterable { case modal, giving, thing }

  /// - Throws: ``DataTableError`` for a row without phrases, and where one that is asked for by name is missing.
  public init(words: DataTable, names: TreatmentNames, formulary: Formulary) throws(DataTableError) {
    for row in words.rows where row.list("phrases").isEmpty { throw row.error("phrases", "is empty") }
    for row in Row.allCases where !words.rows.contains(where: { $0["id"] == row.rawValue }) {
      throw DataTableError(table: words.name, line: 0, column: "id", problem: "has no row '\(row.rawValue)'")
    }
    func phrases(_ rows: Set<Row>) -> [String] {
      words.rows.filter { Row(rawValue: $0["id"]).map(rows.contains) ?? false }.flatMap { $0.list("phrases") }
    }
    modals = Set(phrases([.modal]))
    giving = Set(phrases([.giving]))
    things = WordPhrases(phrases([.thing]))
    let alone = words.rows.filter { Row(rawValue: $0["id"]) == nil }
    asking = WordPhrases(alone.flatMap { $0.list("phrases") })
    self.names = names
    self.formulary = formulary
  }

  struct Relation {
    /// It is the treatment itself, or one of the class that is asked about.
    var isSame = false
    var row: Formulary.CrossReaction?
    var isRelated: Bool { isSame || row != nil }
  }

  /// Classes of drugs that are given for anaesthesia and sedation.
  private static let anaesthetics: Set<String> = ["anaesthetic", "sedative", "opioid", "reversal"]

  /// How what a question names is related to what a chart names.
  func relation(of topic: Treatment, to charted: String) -> Relation {
    if topic.name == charted { return Relation(isSame: true) }
    let asked = members(topic.name)
    let known = members(charted)
    switch topic.kind {
    case .vaccine: return Relation()
    case .anaesthesia:
      let isAnaesthetic = known.contains { !Self.anaesthetics.isDisjoint(with: $0.classes) } && known.count == 1
      return Relation(isSame: isAnaesthetic)
    case .product: return Relation()
    case .drug, .drugClass:
      if charted == "anaesthesia" {
        return Relation(
          isSame: asked.contains { !Self.anaesthetics.subtracting(["opioid"]).isDisjoint(with: $0.classes) })
      }
      // "Any antibiotics to avoid?" after enrofloxacin; "meloxicam?" after a reaction to NSAIDs.
      if asked.contains(where: known.contains) { return Relation(isSame: true) }
      for drug in asked.prefix(1) where topic.kind == .drug {
        for reacted in known {
          if let row = formulary.crossReaction(of: drug, afterReactionTo: reacted) { return Relation(row: row) }
        }
      }
      return Relation()
    }
  }

  /// The drug of a name, or the drugs of a class.
  private func members(_ name: String) -> [Formulary.Drug] {
    if let drug = formulary.drug(generic: name) { return [drug] }
    guard let found = formulary.classes.first(where: { $0.names.first == name }) else { return [] }
    return formulary.drugs.filter { $0.classes.contains(found.id) }
  }
}

extension ToleranceKnowledge {
  /// Without the formulary, which is a stage of its own.
  package func pack(into packer: inout Packer) {
    names.pack(into: &packer)
    asking.pack(into: &packer)
    things.pack(into: &packer)
    packer.add(set: modals)
    packer.add(set: giving)
  }

  /// With the classifier that treatments are found with, and the formulary of the same tables.
  package init(
    from unpacker: inout Unpacker, classifier: AssertionClassifier, formulary: Formulary
  ) throws(PackingError) {
    names = try TreatmentNames(from: &unpacker, classifier: classifier)
    asking = try WordPhrases(from: &unpacker)
    things = try WordPhrases(from: &unpacker)
    modals = try unpacker.set()
    giving = try unpacker.set()
    self.formulary = formulary
  }
}
