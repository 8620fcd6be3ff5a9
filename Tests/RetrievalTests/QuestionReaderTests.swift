import Clinical
import Retrieval
import Testing
import Vectorization
import VetNetTestSupport

struct QuestionReaderTests {
  /// 90 chunks in which `wind` is common, `flatulence` rare, and each of twenty synonyms stands once.
  private func retriever(_ reader: QuestionReader = QuestionReader()) -> HybridRetriever<InMemoryChunkSource> {
    var source = InMemoryChunkSource()
    for number in 0..<90 {
      var terms = ["wind", "filler"]
      if number == 0 { terms = ["flatul", "filler"] }
      if (1...20).contains(number) { terms = ["synonym\(Self.letter(number))", "filler"] }
      if number == 21 { terms = ["meloxicam", "filler"] }
      if number == 22 { terms = ["vomit", "filler"] }
      if number == 23 || number == 24 { terms = ["limp", "filler"] }
      source.add(SampleSource.metadata(number, patientID: "p"), terms: terms, vector: nil)
    }
    var configuration = RetrievalConfiguration.lexical
    configuration.reader = reader
    return HybridRetriever(source: source, vectorizer: nil, configuration: configuration)
  }

  private static func letter(_ number: Int) -> String { String(UnicodeScalar(UInt8(0x60 + number))) }

  private func score(_ chunk: Int64, _ terms: [QueryTerm], _ reader: QuestionReader = QuestionReader()) throws -> Double
  {
    let hits = try retriever(reader).hits(for: terms, limit: 90)
    return hits.first { $0.chunkID == chunk }?.legs.first?.score ?? 0
  }

  private func added(_ term: String, for words: String..., isCorrection: Bool = false) -> QueryTerm {
    QueryTerm(term, weight: 0.8, expandedFrom: "asked", standsFor: words, isCorrection: isCorrection)
  }

  @Test func `a rare synonym of a common word counts no more than the word`() throws {
    let question = [QueryTerm("wind"), added("flatul", for: "wind")]
    let (rare, common) = (try score(0, question), try score(40, question))
    #expect(rare < common)
    var plain = QuestionReader()
    plain.limitsRarity = false
    let (rarePlain, commonPlain) = (try score(0, question, plain), try score(40, question, plain))
    #expect(rarePlain > commonPlain)
  }

  @Test func `a synonym of a word that stands nowhere counts in full`() throws {
    let full = try score(0, [QueryTerm("flatul", weight: 0.8)])
    let widened = try score(0, [QueryTerm("windiness"), added("flatul", for: "windiness")])
    #expect(abs(widened - full) < 1e-9)
  }

  @Test func `additions for the same words count no more than the limit together`() throws {
    let many = (1...20).map { added("synonym\(Self.letter($0))", for: "unheard", "of") }
    let alone = try score(1, [QueryTerm("synonyma")])
    var (limited, unlimited) = (QuestionReader(), QuestionReader())
    limited.budget = 0
    unlimited.limit = .infinity
    #expect(abs(try score(1, many, limited) - alone * 0.1) < 1e-9)
    for full in [try score(1, Array(many.prefix(2))), try score(1, many, unlimited)] {
      #expect(abs(full - alone * 0.8) < 1e-9)
    }
  }

  @Test(arguments: [(1, 8.0), (2, 8), (4, 6), (6, 4), (12, 2), (40, 2)])
  func `a question of few words may bring more with it`(words: Int, limit: Double) throws {
    let many = (1...20).map { added("synonym\(Self.letter($0))", for: "unheard", "of") }
    let question = (0..<words).map { QueryTerm("unheard\($0)") } + many
    // Twenty additions of 0.8 share the limit out among them.
    let alone = try score(1, [QueryTerm("synonyma")])
    #expect(abs(try score(1, question) - alone * limit / 20) < 1e-9)
  }

  @Test func `an addition that comes twice for the same words counts once`() throws {
    let once = try score(0, [added("flatul", for: "unheard")])
    let twice = try score(0, [added("flatul", for: "unheard"), added("flatul", for: "unheard")])
    #expect(abs(twice - once) < 1e-9)
  }

  @Test(arguments: [("vommit", "vomit"), ("meloxcam", "meloxicam"), ("melxoicam", "meloxicam")])
  func `a misspelt word is read as the word of the record, and the hit says so`(asked: String, meant: String) throws {
    let hit = try #require(try retriever().hits(for: [QueryTerm(asked)], limit: 1).first)
    let term = try #require(hit.legs.first?.terms.first)
    #expect(term.term == meant)
    #expect(term.expandedFrom == "\(asked) (misspelt)")
  }

  @Test(arguments: ["vmoit", "limb", "meloxicam2", "mexolicmmm", "vomit"])
  func `short words, numbers, other beginnings and known words are left alone`(asked: String) throws {
    let hits = try retriever().hits(for: [QueryTerm(asked)], limit: 90)
    #expect(hits.flatMap(\.legs).flatMap(\.terms).allSatisfy { $0.expandedFrom == nil })
  }

  @Test func `what words were probably meant to be is used only where they are unknown`() throws {
    #expect(try score(21, [QueryTerm("limp"), added("meloxicam", for: "limp", isCorrection: true)]) == 0)
    #expect(try score(21, [QueryTerm("mlxcm"), added("meloxicam", for: "mlxcm", isCorrection: true)]) > 0)
  }

  @Test func `corrections can be switched off`() throws {
    var reader = QuestionReader()
    reader.correctionWeight = 0
    #expect(try retriever(reader).hits(for: [QueryTerm("vommit")], limit: 9).isEmpty)
  }
}
