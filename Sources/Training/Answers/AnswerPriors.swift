import Answering
public import Clinical

/// Where the weights of answers begin and how far labelled questions may move them. Data: `Models/briefing/answer-priors.tsv`,
/// columns `model`, `feature`, `prior` (set by judgement), `sign` (`+` or `-` where only one makes sense). Rows of the model
/// `ridge` say how strongly the weights of a model are held; rows of the model `limit` are taken over as they are.
public struct AnswerPriors: Sendable {
  /// The weights of one of the decisions.
  struct Weights: Sendable {
    var prior: [Double]
    var lower: [Double]
    var upper: [Double]
    var ridge: Double
  }

  let evidence: Weights
  let silence: Weights
  let conflict: Weights
  let limits: AnswerLimits

  /// - Throws: ``DataTableError`` for a model, feature or sign that is not known, and for a prior that is no number.
  public init(table: DataTable) throws(DataTableError) {
    limits = try AnswerModel(table: table, weights: "prior", passingOver: ["ridge"]).limits
    evidence = try Self.weights("evidence", EvidenceFeature.allCases.map(\.rawValue), table)
    silence = try Self.weights("silence", SilenceMeasures.names, table)
    conflict = try Self.weights("conflict", ConflictFeature.allCases.map(\.rawValue), table)
  }

  private static func weights(_ model: String, _ features: [String], _ table: DataTable) throws(DataTableError)
    -> Weights
  {
    var weights = Weights(
      prior: features.map { _ in 0 }, lower: features.map { _ in -Double.infinity },
      upper: features.map { _ in Double.infinity }, ridge: 1)
    for row in table.rows {
      if row["model"] == "ridge", row["feature"] == model { weights.ridge = try row.number("prior") }
      guard row["model"] == model, let place = features.firstIndex(of: row["feature"]) else { continue }
      weights.prior[place] = try row.number("prior")
      switch row["sign"] {
      case "+": weights.lower[place] = 0
      case "-": weights.upper[place] = 0
      case "": break
      default: throw row.error("sign", "is neither + nor -")
      }
    }
    return weights
  }
}
