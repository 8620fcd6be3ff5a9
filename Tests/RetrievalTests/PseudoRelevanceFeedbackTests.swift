import Retrieval
import Testing
import VetNetTestSupport

struct PseudoRelevanceFeedbackTests {
  @Test func `feedback by words finds chunks about the topic that hold none of the question's words`() throws {
    let sample = try SampleSource(SampleTexts.documents(400))
    var configuration = RetrievalConfiguration.lexical
    configuration.feedback = PseudoRelevanceFeedback()
    configuration.feedback?.minimumCandidates = 1
    let plain = try sample.retriever(.lexical).hits(for: query("phenobarbit"), limit: 400)
    #expect(plain.allSatisfy { sample.documents[Int($0.chunkID)].contains("phenobarbit") })
    let fedBack = try sample.retriever(configuration).hits(for: query("phenobarbit"), limit: 100)
    let added = fedBack.filter { !sample.documents[Int($0.chunkID)].contains("phenobarbit") }
    #expect(!added.isEmpty)
    #expect(added.prefix(20).allSatisfy { $0.chunkID % 4 == 0 })
    // What was added says so.
    let expansions = fedBack.flatMap(\.legs).flatMap(\.terms).filter { $0.term != "phenobarbit" }
    #expect(!expansions.isEmpty && expansions.allSatisfy { $0.expandedFrom == "the first hits" })
  }

  @Test func `a few candidates are not fed back`() throws {
    let sample = try SampleSource(SampleTexts.documents(400))
    let filter = RetrievalFilter(patientIDs: ["p4"])
    let plain = try sample.retriever(.hybrid).hits(for: query("seizur"), filter: filter, limit: 40)
    let shipped = try sample.retriever(RetrievalConfiguration()).hits(for: query("seizur"), filter: filter, limit: 40)
    #expect(!plain.isEmpty && plain == shipped)
  }

  @Test func `feedback without weight or without vectors changes nothing it shouldn't`() throws {
    let sample = try SampleSource(SampleTexts.documents(400))
    var configuration = RetrievalConfiguration()
    configuration.feedback?.vectorWeight = 0
    configuration.feedback?.termWeight = 0
    let plain = try sample.retriever(.hybrid).ranking(for: query("itch", "ear"), limit: 50)
    let weightless = try sample.retriever(configuration).ranking(for: query("itch", "ear"), limit: 50)
    #expect(plain.map(\.chunkID) == weightless.map(\.chunkID))
  }
}
