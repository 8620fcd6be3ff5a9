import Evaluation
import Testing

struct RetrievalCollectionTests {
  private static let corpus = """
    {"_id": "1", "title": "Recheck", "text": "Bright.", "patient_id": "p1"}
    {"_id": "2", "text": "Quiet.", "metadata": {}}

    """
  private static let queries = #"{"_id": "q1", "text": "How is she?", "patient_id": "p1"}"#

  @Test func `the three files are read`() throws {
    let collection = try RetrievalCollection(
      corpus: Self.corpus, queries: Self.queries, qrels: "query-id\tcorpus-id\tscore\r\nq1\t1\t2\nq1\t2\t0\n")
    #expect(
      collection.documents == [
        .init(id: "1", title: "Recheck", text: "Bright.", patientID: "p1"), .init(id: "2", text: "Quiet."),
      ])
    #expect(collection.documents.map(\.searchableText) == ["Recheck\nBright.", "Quiet."])
    #expect(collection.queries == [.init(id: "q1", text: "How is she?", patientID: "p1")])
    #expect(collection.judgements == ["q1": ["1": 2, "2": 0]])
  }

  @Test func `judgements may have no head, or the four columns of trec_eval`() throws {
    let collection = try RetrievalCollection(corpus: Self.corpus, queries: Self.queries, qrels: "q1 0 2 1\n")
    #expect(collection.judgements == ["q1": ["2": 1]])
  }

  struct Damage: CustomTestStringConvertible {
    var corpus = RetrievalCollectionTests.corpus
    var queries = RetrievalCollectionTests.queries
    var qrels = "q1\t1\t1\n"
    let file: String
    let line: Int

    var testDescription: String { "\(file), line \(line)" }
  }

  @Test(arguments: [
    Damage(corpus: #"{"_id": "1", "text": "a"}"# + "\n{\"_id\"", file: "corpus.jsonl", line: 2),
    Damage(corpus: #"{"_id": "1"}"#, file: "corpus.jsonl", line: 1),
    Damage(queries: Self.queries + "\n\n" + Self.queries, file: "queries.jsonl", line: 3),
    Damage(qrels: "query-id\tcorpus-id\tscore\nq1\t1\n", file: "qrels.tsv", line: 2),
    Damage(qrels: "q1\t1\t1\nq1\t2\thigh\n", file: "qrels.tsv", line: 2),
  ])
  func `a damaged file is named with its line`(damage: Damage) {
    do {
      _ = try RetrievalCollection(corpus: damage.corpus, queries: damage.queries, qrels: damage.qrels)
      Issue.record("the damage was not noticed")
    } catch {
      #expect(error.file == damage.file && error.line == damage.line)
    }
  }
}
