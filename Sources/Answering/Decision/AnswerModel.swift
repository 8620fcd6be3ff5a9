public import Clinical
import Glibc

/// How many sentences an answer shows, and how near to the best they must come. Engineering choices, judged on labelled
/// questions; the rows of the model `limit`. Shares are of the best sentence's probability.
package struct AnswerLimits: Sendable {
  /// Shares of the best sentence's probability.
  struct Shares: Sendable {
    /// For a further sentence of the best one's note.
    var sentence = 0.12
    /// For a sentence of another note.
    var note = 0.6
    /// For a sentence of another note where a list, a trend or a comparison is asked for.
    var list = 0.3
    /// For one side of a conflict.
    var conflict = 0.15
    /// For a sentence that says no.
    var denial = 0.3
  }

  /// How many are shown.
  struct Counts: Sendable {
    var sentencesOfNote = 4.0
    var notes = 2.0
    var notesOfList = 4.0
    /// Sentences after the best one, where the question is open.
    var following = 2.0
  }

  var shares = Shares()
  var counts = Counts()
  /// The probability of silence from which nothing is answered.
  package var silence = 0.5
  /// The probability that some two sentences disagree from which both are shown.
  var conflict = 0.5

  static let named: [String: any WritableKeyPath<AnswerLimits, Double> & Sendable] = [
    "sentenceShare": \.shares.sentence, "noteShare": \.shares.note, "listShare": \.shares.list,
    "conflictShare": \.shares.conflict, "denialShare": \.shares.denial, "sentencesOfNote": \.counts.sentencesOfNote,
    "notes": \.counts.notes,
    "notesOfList": \.counts.notesOfList, "following": \.counts.following, "silence": \.silence,
    "conflict": \.conflict,
  ]

  package init() {}
}

/// Weights of the decisions, each a logistic model over measures with a name, but for what replies are learned as a whole. Data:
/// `Models/briefing/answer-weights.tsv`, columns `model` (`evidence`, `silence`, `conflict`, `limit`), `feature`, `weight`.
public struct AnswerModel: Sendable {
  private var evidence = [Double](repeating: 0, count: EvidenceFeature.allCases.count)
  private var silence = [Double](repeating: 0, count: SilenceMeasures.names.count)
  private var conflict = [Double](repeating: 0, count: ConflictFeature.allCases.count)
  package private(set) var limits = AnswerLimits()
  /// Which words of questions go with which terms of answers.
  public var translation = TranslationModel()
  /// Which sentences say no to what is asked.
  public var replies = ReplyModel()

  package init(evidence: [Double]) { self.evidence = evidence }

  package init(evidence: [Double], silence: [Double], conflict: [Double], limits: AnswerLimits) {
    self.evidence = evidence
    self.silence = silence
    self.conflict = conflict
    self.limits = limits
  }

  /// - Throws: ``DataTableError`` for a model or feature that is not known, and for a weight that is no number.
  public init(table: DataTable) throws(DataTableError) { try self.init(table: table, weights: "weight") }

  /// - Parameters:
  ///   - table: of weights or of priors.
  ///   - column: where the weights stand.
  ///   - models: whose rows something else reads.
  /// - Throws: as ``init(table:)``.
  package init(table: DataTable, weights column: String, passingOver models: Set<String> = []) throws(DataTableError) {
    for row in table.rows where !models.contains(row["model"]) {
      let weight = try row.number(column)
      func place(in names: [String]) throws(DataTableError) -> Int {
        guard let index = names.firstIndex(of: row["feature"]) else {
          throw row.error("feature", "is no feature of that model")
        }
        return index
      }
      switch row["model"] {
      case "evidence": evidence[try place(in: EvidenceFeature.allCases.map(\.rawValue))] = weight
      case "silence": silence[try place(in: SilenceMeasures.names)] = weight
      case "conflict": conflict[try place(in: ConflictFeature.allCases.map(\.rawValue))] = weight
      case "limit":
        guard let key = AnswerLimits.named[row["feature"]] else { throw row.error("feature", "is no limit") }
        limits[keyPath: key] = weight
      default: throw row.error("model", "is none of evidence, silence, conflict and limit")
      }
    }
  }

  /// Those of the models that can be left as they are while the others are fitted.
  public enum Decision: String, CaseIterable, Sendable { case evidence, silence, replies, conflict }

  /// The same with some models of another.
  package func keeping(_ kept: Set<Decision>, of other: AnswerModel) -> AnswerModel {
    var model = self
    if kept.contains(.evidence) { model.evidence = other.evidence }
    if kept.contains(.silence) {
      model.silence = other.silence
      model.limits.silence = other.limits.silence
    }
    if kept.contains(.replies) { model.replies = other.replies }
    if kept.contains(.conflict) { model.conflict = other.conflict }
    return model
  }

  /// The same with what was learned of replies.
  package func replying(by replies: ReplyModel) -> AnswerModel {
    var model = self
    model.replies = replies
    return model
  }

  /// The table that ``init(table:)`` reads, weights to three decimals.
  public func text(head: [(String, String)]) -> String {
    var lines = head.map { "# \($0.0): \($0.1)" } + ["model\tfeature\tweight"]
    func add(_ model: String, _ names: [String], _ weights: [Double]) {
      for (name, weight) in zip(names, weights) {
        lines.append("\(model)\t\(name)\t\((weight * 1000).rounded() / 1000)")
      }
    }
    add("evidence", EvidenceFeature.allCases.map(\.rawValue), evidence)
    add("silence", SilenceMeasures.names, silence)
    add("conflict", ConflictFeature.allCases.map(\.rawValue), conflict)
    let named = AnswerLimits.named.sorted { $0.key < $1.key }
    add("limit", named.map(\.key), named.map { limits[keyPath: $0.value] })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The logarithm of how likely a sentence is evidence, up to what all sentences of the question share.
  func score(_ features: Measures<EvidenceFeature>) -> Double { features.dot(evidence) }

  /// Whether the record is silent.
  func isSilent(_ measures: SilenceMeasures) -> Bool {
    let score = zip(measures.values, silence).reduce(0) { $0 + $1.0 * $1.1 }
    return 1 / (1 + exp(-score)) >= limits.silence
  }

  /// The pair that most likely is a disagreement; nil where it is likelier that there is none.
  func conflict(among pairs: [ConflictPair]) -> ConflictPair? {
    let scores = pairs.map { $0.features.dot(conflict) }
    let odds = scores.reduce(0) { $0 + exp($1) }
    guard odds / (1 + odds) > limits.conflict else { return nil }
    return zip(pairs, scores).max { $0.1 < $1.1 }?.0
  }
}
