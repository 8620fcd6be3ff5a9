import PracticeTestSupport
import VetNet
import VetNetTestSupport

/// What triages with the tables as they ship, built once for all tests.
enum ShippedEvaluator {
  static let shared = Result { try CaseEvaluator(models: shippedModels()) }
}
