import Clinical
import Retrieval
import Vectorization

/// The search with one part after the other left out or replaced, to see what each is worth.
///
/// | name | is |
/// |---|---|
/// | `vector, hashed` | 512 hash bins, without any projection |
/// | `vector, random` | a projection by chance |
/// | `vector, undamped` | the singular vectors as they are; `vector` itself has them damped |
/// | `hybrid, …` | the same beside the words, as `hybrid` |
/// | `vector - neighbours`, `hybrid - neighbours`, `default - neighbours` | without ``Retrieval/Neighbourhood`` |
/// | `lexical + feedback`, `vector + feedback`, `hybrid + feedback` | fed back, the question as asked |
/// | `default - feedback` | widened by the thesaurus, not fed back |
/// | `default, few additions` | widened as little in short questions as in long ones |
/// | `default, all additions` | widened without the limits of ``Retrieval/QuestionReader`` |
public enum RetrievalAblation {
  /// Rankings by name of the variant, then by query id.
  ///
  /// - Parameters:
  ///   - collection: what is searched and asked.
  ///   - analysis: how its text is read.
  ///   - shipped: the suite with the projection that is shipped.
  /// - Returns: every variant of the table above.
  /// - Throws: what training and searching throw.
  public static func rankings(
    _ collection: RetrievalCollection, analysis: RetrievalSuite.Analysis, shipped: RetrievalSuite
  ) throws -> [String: [String: [String]]] {
    var rankings: [String: [String: [String]]] = [:]
    for directions in ProjectionTrainer.Directions.allCases where directions != .learnt {
      var training = ProjectionTrainer.Configuration()
      training.directions = directions
      var generator = SplitMix64(seed: 1)
      let suite = try RetrievalSuite(collection, analysis: analysis, training: training, using: &generator)
      for (name, configuration) in [("vector", RetrievalConfiguration.vector), ("hybrid", .hybrid)] {
        let system = RetrievalSuite.System(
          name: "\(name), \(directions.rawValue)", configuration: configuration, widens: false)
        rankings[system.name] = try suite.rankings(by: system)
      }
    }
    for system in variants { rankings[system.name] = try shipped.rankings(by: system) }
    return rankings
  }

  /// Those that share the shipped projection.
  static var variants: [RetrievalSuite.System] {
    var unlimited = RetrievalConfiguration()
    unlimited.reader.limit = .infinity
    unlimited.reader.limitsRarity = false
    var shared = RetrievalConfiguration()
    shared.reader.budget = 0
    return [
      .init(name: "vector - neighbours", configuration: alone(.vector), widens: false),
      .init(name: "hybrid - neighbours", configuration: alone(.hybrid), widens: false),
      .init(name: "default - neighbours", configuration: alone(RetrievalConfiguration()), widens: true),
      .init(name: "lexical + feedback", configuration: fedBack(.lexical), widens: false),
      .init(name: "vector + feedback", configuration: fedBack(.vector), widens: false),
      .init(name: "hybrid + feedback", configuration: fedBack(.hybrid), widens: false),
      .init(name: "default - feedback", configuration: .hybrid, widens: true),
      .init(name: "default, few additions", configuration: shared, widens: true),
      .init(name: "default, all additions", configuration: unlimited, widens: true),
    ]
  }

  private static func alone(_ configuration: RetrievalConfiguration) -> RetrievalConfiguration {
    var configuration = configuration
    configuration.neighbourhood = nil
    return configuration
  }

  private static func fedBack(_ configuration: RetrievalConfiguration) -> RetrievalConfiguration {
    var configuration = configuration
    configuration.feedback = PseudoRelevanceFeedback()
    return configuration
  }
}
