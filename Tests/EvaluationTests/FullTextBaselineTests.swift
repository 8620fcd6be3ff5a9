import Foundation
import Testing
import VetNet
import VetNetTestSupport

struct FullTextBaselineTests {
  /// Words that Porter's stemmer leaves alone.
  private static let words = ["cat", "dog", "fit", "pain", "drug", "skin", "leg", "fur"]

  private static let rows = SampleTexts.documents(40, seed: 5).enumerated().map { number, _ in
    FullTextBaseline.Row(
      id: "r\(number)", patientID: "p\(number % 3)",
      text: (0...(number % 7)).map { words[(number * 3 + $0 * $0) % words.count] }.joined(separator: " "))
  }

  private func search() throws -> FullTextBaseline {
    let search = try FullTextBaseline()
    try search.insert(Self.rows)
    return search
  }

  /// BM25 as the textbook has it and as FTS5 does it: k1 1.2, b 0.75, an idf without the added 1 that never falls to 0.
  private func naiveScores(_ question: [String], _ rows: [FullTextBaseline.Row], patientID: String?) -> [String: Double]
  {
    let texts = rows.map { $0.text.split(separator: " ").map(String.init) }
    let average = Double(texts.map(\.count).reduce(0, +)) / Double(texts.count)
    var scores: [String: Double] = [:]
    for word in question {
      let found = Double(texts.count { $0.contains(word) })
      let idf = max(1e-6, log((Double(texts.count) - found + 0.5) / (found + 0.5)))
      for (row, text) in zip(rows, texts) where text.contains(word) && (patientID == nil || row.patientID == patientID)
      {
        let count = Double(text.count { $0 == word })
        let length = 1.2 * (1 - 0.75 + 0.75 * Double(text.count) / average)
        scores[row.id, default: 0] += idf * count * 2.2 / (count + length)
      }
    }
    return scores
  }

  @Test(
    arguments: [["cat"], ["dog", "fit"], ["pain", "drug", "skin"], ["leg", "leg", "cat"], ["unknown"]], [nil, "p1"])
  func `scores are BM25's`(question: [String], patientID: String?) throws {
    let matches = try search().matches(for: question.joined(separator: " "), patientID: patientID, limit: 100)
    let expected = naiveScores(question, Self.rows, patientID: patientID)
    #expect(Set(matches.map(\.id)) == Set(expected.keys))
    #expect(matches.map(\.score) == matches.map(\.score).sorted(by: >))
    for match in matches { #expect(abs(match.score - (expected[match.id] ?? 0)) < 1e-6) }
  }

  @Test(arguments: ["", " ?! ", "\"", "-"])
  func `a question without words finds nothing`(question: String) throws {
    #expect(try search().matches(for: question, limit: 10).isEmpty)
  }

  @Test(arguments: ["cat AND dog", "NOT cat", "cat* OR", "text: cat", "NEAR(cat dog)", "pu/pd \"cat", "ca't"])
  func `what FTS5 takes for operators is words`(question: String) throws {
    _ = try search().matches(for: question, limit: 10)
  }

  @Test func `words are stemmed, folded and limited in number`() throws {
    let search = try FullTextBaseline()
    try search.insert([
      .init(id: "a", text: "Vomiting since noon"), .init(id: "b", text: "no vomit"), .init(id: "c", text: "Häm"),
    ])
    #expect(Set(try search.matches(for: "vomited", limit: 10).map(\.id)) == ["a", "b"])
    #expect(try search.matches(for: "ham", limit: 10).map(\.id) == ["c"])
    #expect(try search.matches(for: "vomited", limit: 1).count == 1)
    #expect(try search.count() == 3)
  }
}
