import Clinical
import RecordTestSupport
import Testing
import TextAnalysis

@testable import Answering

/// Which words of a question only tell the circumstances of asking.
@Suite struct QuestionAsidesTests {
  private static func asides(_ text: String) throws -> String {
    let tokens = Tokenizer().tokens(in: text).filter { !$0.text.isEmpty }
    let words = tokens.map { String(text.slice(utf8: $0.range) ?? "").lowercased() }
    let classes = try AnswerFixtures.classes.get()
    let places = QuestionAsides(text, tokens, words: words.map { classes.word($0) }).places
    return words.indices.filter(places.contains).map { words[$0] }.joined(separator: " ")
  }

  @Test(arguments: [
    ("when was the last booster, the kennels at Ashford are asking", "the kennels at ashford are asking"),
    ("Is he on anything for his heart? I'm about to give him a sedative", "i'm about to give him a sedative"),
    ("any reaction to doxorubicin, thinking about a rescue protocol", "thinking about a rescue protocol"),
    ("Mrs Pell says he was limping, what was the hip score?", "mrs pell says he was limping"),
    ("latest bloods please, owner is on the phone", "owner is on the phone"),
  ])
  func `what whoever asks says of themselves is an aside`(text: String, expected: String) throws {
    #expect(try Self.asides(text) == expected)
  }

  @Test(arguments: [
    "the owner wants to know whether she was ever scanned",
    "Mr Ash is asking when the stitches come out, and who may collect her",
    "the lump on his ribs was to be measured again, did anyone do it?",
    "Which ear had the Pseudomonas, and what was it sensitive to?",
    "E. coli still there?",
    "blood pressure tablets - how much is she on?",
    "I need her chip number",
    "weights, first to latest",
  ])
  func `what asks, or is pointed back to, is none`(text: String) throws {
    #expect(try Self.asides(text).isEmpty)
  }

  @Test func `an aside does not draw the answer away from what is asked`() throws {
    let answer = try AnswerFixtures.ask(
      "when did she last have a booster, the cattery on the mainland is asking",
      [
        note("N1", "2024-11-12", "Tricat booster given. Weight 4.6 kg."),
        note("N2", "2025-09-02", "Soft collar for a week. The cattery on the mainland reported sneezing."),
      ], species: .cat)
    #expect(answer.answerClass == .found)
    #expect(answer.citations.map(\.noteID) == ["N1"])
  }
}
