import Clinical
import Testing

@testable import Extraction

/// Whatever the bytes: no crash, and every range lies in the text on code point borders.
@Suite struct RobustnessTests {
  private func check(_ text: String) throws {
    let extractors = try Fixtures.extractors.get()
    for fact in extractors.facts.facts(in: text, kind: .consult) {
      #expect(text.slice(utf8: fact.range) != nil, "\(fact.kind)")
      if let valueRange = fact.valueRange { #expect(text.slice(utf8: valueRange) != nil, "\(fact.kind)") }
      for cue in fact.assertion.cues { #expect(text.slice(utf8: cue.range) != nil, "\(cue.rule)") }
    }
    for quantity in extractors.quantities.quantities(in: text) { #expect(text.slice(utf8: quantity.range) != nil) }
  }

  @Test func `words cover no code point in part and stand in order`() throws {
    var generator = SplitMix64(seed: 11)
    let pieces = [
      "é", "µ", "½", "—", "’", "🐕", " ", "\n", "-", "+", "?", "a", "4", ".", ",", "\u{301}", "°", "ß", "文", "\r\n",
    ]
    for _ in 0..<400 {
      let text = (0..<30).map { _ in pieces[Int(generator.next() % UInt64(pieces.count))] }.joined()
      var last = 0
      for word in WordScanner.words(in: Array(text.utf8)) {
        #expect(word.range.lowerBound >= last && !word.range.isEmpty)
        #expect(text.slice(utf8: word.range) != nil)
        last = word.range.upperBound
      }
    }
  }

  @Test func `a plain word is the same word in a phrase and in a note`() throws {
    var generator = SplitMix64(seed: 17)
    let letters = Array("aeourstn")
    for _ in 0..<2000 {
      let length = 1 + Int(generator.next() % 11)
      let word = String((0..<length).map { _ in letters[Int(generator.next() % UInt64(letters.count))] })
      let scanned = WordScanner.words(in: Array(word.utf8)).map(\.hash)
      #expect(scanned == [Spelling.hashes(of: Array(word.utf8)).hash], "\(word)")
    }
  }

  @Test func `random bytes do no harm`() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let bytes = (0..<Int(generator.next() % 120)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      try check(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `random pieces of notes do no harm`() throws {
    let pieces = [
      "no ", "?", "V+", "V-", "/", "12.4", "kg ", "½", "mg/kg ", "ALT ", "(10-125)", ": ", "\n", ", ", "cough",
      "Metacam ",
      "°F ", "T ", "101", "BCS ", "5/9 ", "r/o ", "DDx: ", "Plan: ", "- ", "— ", "due ", "12/03/24 ", "stopped ", "O ",
      "declined ", "dam ", "hx of ", "2019 ", "🐈", "é", "if ", "FIV ", "neg. ", "\t", "x", "20", "tabs ", "%", "<", ")",
      "(",
      "pending ", "allergic to ", "£", "2,500 ", "or ", "and ", ";",
    ]
    var generator = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let text = (0..<40).map { _ in pieces[Int(generator.next() % UInt64(pieces.count))] }.joined()
      try check(text)
    }
  }

  @Test func `any target range is answered`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    let text = "Dam had épilepsie; no V/D — ?½ µg"
    let context = classifier.context(of: text)
    let start = "Dam had épilepsie; no ".utf8.count
    let denied = start..<(start + "V/D".utf8.count)
    #expect(classifier.assertion(of: denied, in: context).polarity == .absent)
    for lower in 0...text.utf8.count {
      for upper in lower...text.utf8.count {
        for cue in classifier.assertion(of: lower..<upper, in: context).cues {
          #expect(text.slice(utf8: cue.range) != nil, "\(lower)..<\(upper) \(cue.rule)")
        }
      }
    }
  }

  @Test func `the same text gives the same facts in the same order`() throws {
    let facts = try Fixtures.extractors.get().facts
    let text = "No V/D. FIV neg. Started Metacam 0.1 mg/kg SID. Wt 12.4kg. ?UTI, urine sent. O declined bloods."
    #expect(facts.facts(in: text, kind: .consult) == facts.facts(in: text, kind: .consult))
    let starts = facts.facts(in: text, kind: .consult).map(\.range.lowerBound)
    #expect(starts == starts.sorted())
  }
}
