import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

/// Sentences in the order of the text; the text is their concatenation with `gap` between them.
struct SentenceRow: CustomTestStringConvertible, Sendable {
  let sentences: [String]
  let gap: String
  var text: String { sentences.joined(separator: gap) }
  var testDescription: String { text }

  init(_ sentences: String..., gap: String = " ") {
    self.sentences = sentences
    self.gap = gap
  }
}

@Suite struct SentenceSplitterTests {
  private let splitter: SentenceSplitter

  init() throws { splitter = try Fixtures.sentences.get() }

  @Test(arguments: [
    SentenceRow("Vomited twice.", "No diarrhoea.", "Eating well!"),
    SentenceRow("abdo soft.", "no lumps.", "recheck 2w"),
    SentenceRow("Weight approx. 12 kg.", "Seen by Dr. Marsh, e.g. for ears."),
    SentenceRow("Give 1 tab b.i.d. for 5 days.", "Then stop."),
    SentenceRow("One tab b.i.d.", "Recheck in a week."),
    SentenceRow("T 38.4 on 12.03.24.", "HR 100."),
    SentenceRow("Given i.v. over 10 min.", "No reaction."),
    SentenceRow("Kennel no. 4 is free.", "Wt. 12.4 kg."),
    SentenceRow("E. coli on culture.", "Sensitive."),
    SentenceRow("Discussed w O.", "Recheck Monday."),
    SentenceRow("Referred to J. Smith at Harrowdale."),
    SentenceRow("FeLV neg.", "FIV neg.", "Well."),
    SentenceRow("?pancreatitis, ? FB or IBD.", "\"Is it bad?\" asked the owner.", "Why?", "No."),
    SentenceRow("Vomiting for 3 mths. now worse.", "Thin."),
    SentenceRow("He said \"stop.\"", "Then left (in a hurry).", "Fine."),
    SentenceRow("Ears clean;", "teeth grade 2;", "weight stable"),
    SentenceRow("Well... then worse."),
    SentenceRow("Slow getting up", "Stairs fine", "BCS 7/9", gap: "\n"),
    SentenceRow("- bloods", "- urine", "1. MMVD, stage B2.", "2. Cough.", gap: "\n"),
    SentenceRow("First paragraph", "second one", gap: "\n\n"),
    SentenceRow("First", "second", gap: "\r\n"),
    SentenceRow(
      "The owner reports that he has been coughing at night for about three weeks\nand that he tires on walks.", "Well."
    ),
    SentenceRow("Chest clear.", "Rpt bloods.", gap: ""),
  ]) func `sentences as a reader would cut them`(row: SentenceRow) {
    #expect(splitter.sentences(in: row.text).map { row.text.at($0) } == row.sentences)
  }

  @Test(arguments: [
    "Glucose         5.2  mmol/l   3.9-6.9\nCalcium (tot)   2.51 mmol/l   2.2-2.9\nSodium          147  mmol/l   139-154",
    "Test          Result   Range\nTotal T4      92       15-60 nmol/L\nK             4.1      3.5-5.8 mmol/L",
    "ALT 210 U/L (10-100) H\nALP 88 U/L (14-111)\nCreat 141 umol/L 71-212",
    "PCV\t35\t%\nTP\t62\tg/l",
    "| test | result |\n|---|---|\n| ALT | 38 |\n| ALP | 61 |",
    "Urea    10.4\nK       4.1",
  ]) func `a laboratory table is one piece`(table: String) {
    let text = "Baseline bloods run in house today.\n" + table + "\nALT mildly raised."
    #expect(
      splitter.sentences(in: text).map { text.at($0) } == [
        "Baseline bloods run in house today.", table, "ALT mildly raised.",
      ])
  }

  @Test(arguments: [
    "Bright.  Eating 3 meals.\nNo V/D.  Weight 4.2 kg.", "16/07/18  1st vacc, 4.0kg\n13/08/18  2nd vacc, 5.1kg",
    "Wt 36.8kg BCS 7/9\nHR 92 reg",
  ]) func `lines of prose with numbers are no table`(text: String) {
    #expect(splitter.sentences(in: text).count >= 2)
  }

  @Test func `no abbreviation of the table ends its example's sentence`() throws {
    for row in try modelTable("lexicon/sentence-abbreviations.tsv").rows {
      #expect(!row["source"].isEmpty && row["example"].contains(row["unbroken"]), "\(row["id"])")
      let pieces = splitter.sentences(in: row["example"]).map { row["example"].at($0) }
      #expect(pieces.contains { $0.contains(row["unbroken"]) }, "\(row["id"]): \(pieces)")
    }
  }

  @Test(arguments: 0..<80) func `sentences hold every other byte, in order and without overlap`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text =
      seed.isMultiple(of: 4)
      ? RandomText.codePoints(400, using: &generator) : RandomText.notes(pieces: 120, using: &generator)
    let borders = text.codePointBorders
    let bytes = Array(text.utf8)
    var end = 0
    for sentence in splitter.sentences(in: text) {
      #expect(sentence.lowerBound >= end && !sentence.isEmpty)
      #expect(borders.contains(sentence.lowerBound) && borders.contains(sentence.upperBound))
      #expect(!isSpace(bytes[sentence.lowerBound]) && !isSpace(bytes[sentence.upperBound - 1]))
      expectWhite(bytes, end..<sentence.lowerBound)
      end = sentence.upperBound
    }
    expectWhite(bytes, end..<bytes.count)
  }

  @Test(arguments: 0..<20) func `a range gives its own sentences only`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed &+ 500)
    let text = RandomText.notes(pieces: 100, using: &generator)
    for section in try Fixtures.sections.get().sections(of: text) {
      for sentence in splitter.sentences(in: text, range: section.range) {
        #expect(sentence.lowerBound >= section.range.lowerBound && sentence.upperBound <= section.range.upperBound)
      }
    }
  }

  @Test func `text without an end mark is cut at spaces`() {
    let text = String(repeating: "word ", count: 5_000)
    let sentences = splitter.sentences(in: text)
    #expect(sentences.allSatisfy { $0.count <= SentenceSplitter.longestSentence })
    #expect(sentences.allSatisfy { text.at($0).hasPrefix("word") && text.at($0).hasSuffix("word") })
  }

  /// No-break spaces count as white at the ends of a sentence.
  private func expectWhite(_ bytes: [UInt8], _ range: Range<Int>) {
    let rest = bytes[range].filter { !isSpace($0) && $0 != 0xC2 && $0 != 0xA0 }
    #expect(rest.isEmpty)
  }
}
