import Clinical
import Foundation
import RecordTestSupport
import TextAnalysis
import Testing
import VetNetTestSupport

@testable import Answering

/// A sentence's words are cut once, and what each clause says is what it says by itself.
@Suite struct ClauseSignsTests {
  private func unit(_ text: String, _ range: Range<Int>) -> EvidenceUnit {
    EvidenceUnit(
      note: note("N1", "2026-01-01", text), range: range, section: "body", tokens: [], terms: [], facts: [],
      factTerms: [:], place: 0, position: 0)
  }

  private func signs(near word: String, in text: String) throws -> SentenceSigns {
    let place = try #require(WordPhrases.words(in: text, range: 0..<text.utf8.count).first { $0.text == word })
    var clauses = ClauseSigns(unit(text, 0..<text.utf8.count), try AnswerFixtures.signs.get())
    return clauses.signs(near: place.range)
  }

  @Test func `a clause says what it says, and may be taken back by the next`() throws {
    let text = "Echo offered, then cancelled; ears normal. Weighs 4,5 kg"
    #expect(try signs(near: "echo", in: text).isSuperset(of: [.proposal, .takenBack]))
    #expect(try signs(near: "ears", in: text).contains(.health))
    #expect(try signs(near: "ears", in: text).isDisjoint(with: [.proposal, .refusal]))
    #expect(try signs(near: "weighs", in: text).isDisjoint(with: [.health, .refusal]))
  }

  /// Of the sample practice.
  private static func texts() throws -> [String] {
    let lines = try String(contentsOfFile: projectDirectory + "/Corpus/notes.jsonl", encoding: .utf8).split(
      separator: "\n")
    return try lines.prefix(150).map { line in
      let note = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(note?["text"] as? String)
    }
  }

  /// The slow twin: each clause as a sentence of its own, cut where a mark parts it from the next.
  @Test func `read with its sentence a clause has the signs that it has alone`() throws {
    let reader = try AnswerFixtures.signs.get()
    var compared = 0
    for (line, text) in try Self.texts().enumerated() {
      let bytes = Array(text.utf8)
      var whole = ClauseSigns(unit(text, 0..<bytes.count), reader)
      var start = 0
      for index in bytes.indices {
        let isLast = index + 1 == bytes.count
        let parts =
          [UInt8(ascii: ","), UInt8(ascii: ".")].contains(bytes[index]) && !isLast && bytes[index + 1] <= 0x20
        guard parts || bytes[index] == UInt8(ascii: ";") || bytes[index] == 0x0A || isLast else { continue }
        let clause = start..<(isLast && !parts ? index + 1 : index)
        defer { start = index + 1 }
        guard clause.contains(where: { bytes[$0] > 0x20 && bytes[$0] < 0x80 }) else { continue }
        var alone = ClauseSigns(unit(text, clause), reader)
        let place = clause.lowerBound..<clause.lowerBound
        // What the next clause takes back, the clause alone can't know.
        let next: SentenceSigns = [.takenBack, .refusal, .undone]
        #expect(
          whole.signs(near: place).subtracting(next) == alone.signs(near: place).subtracting(next),
          "line \(line), \(clause)")
        #expect(whole.signs(near: place).isSuperset(of: alone.signs(near: place)), "line \(line), \(clause)")
        compared += 1
      }
    }
    #expect(compared > 500)
  }
}
