import Clinical
import Testing

@testable import Assessment

struct FeatureReaderTests {
  private func clausePairs(_ text: String) throws -> Set<String> {
    let assessor = try Shipped.assessor()
    let ruled = assessor.ruled(
      Intake(id: "1", species: .dog, text: text), features: FeatureReader(lexicon: assessor.triage.reader.lexicon))
    return Set(ruled.features.filter { $0.block == .clausePairs }.map(\.name))
  }

  @Test(arguments: [
    "His tongue is dusky.", "Dusky, his tongue.", "The tongue has gone rather dusky", "tongues looking dusky",
  ])
  func `two stems of a clause are a pair, whatever their order and what stands between`(text: String) throws {
    #expect(try clausePairs(text).contains("duski & tongu"))
  }

  @Test(arguments: [
    "We saw his tongue. The sky was dusky.",
    "His tongue was seen by seven vets last spring before the evening turned dusky.",
  ])
  func `words of two sentences, or far apart in one, are no pair`(text: String) throws {
    #expect(try !clausePairs(text).contains("duski & tongu"))
  }
}
