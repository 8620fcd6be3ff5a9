import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// What only several notes together show: copied text. And the matcher against its slow twin.
@Suite struct RecordComparisonTests {
  @Test func `a carried forward examination is found, a short phrase is not`() {
    let exam = "On exam bright and alert, heart rate 120, lungs clear, abdomen soft and comfortable, no murmur heard"
    let today = "Here for booster. \(exam). Vaccinated."
    let ranges = CopiedText.ranges(in: today, from: ["Lame LH.", "Recheck. \(exam)."])
    #expect(ranges.map { today.slice(utf8: $0).map(String.init) } == [exam])
    #expect(CopiedText.ranges(in: "HR 120, mm pink", from: ["HR 120, mm pink"]) == [])
    let other = today.replacing("120", with: "132")
    #expect(CopiedText.ranges(in: other, from: [exam]).allSatisfy { other.slice(utf8: $0)?.contains("132") == false })
  }

  @Test func `copied ranges equal those of comparing every run`() {
    var random = SplitMix64(seed: 11)
    let words = ["no", "murmur", "heard", "lungs", "clear", "120", "über", "soft"]
    for _ in 0..<200 {
      func note() -> String {
        (0..<Int.random(in: 0...25, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
          .joined(separator: " ")
      }
      let earlier = [note(), note()]
      let text = note()
      #expect(CopiedText.ranges(in: text, from: earlier, minimumWords: 3) == slowRanges(in: text, from: earlier, 3))
    }
  }

  @Test func `a memory of notes finds what reading all of them again finds`() {
    var random = SplitMix64(seed: 12)
    let words = ["no", "murmur", "heard", "lungs", "clear", "120", "soft"]
    for _ in 0..<50 {
      let notes = (0..<5).map { _ in
        (0..<Int.random(in: 0...25, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
          .joined(separator: " ")
      }
      var memory = CopiedText.Memory(minimumWords: 3)
      for (index, note) in notes.enumerated() {
        #expect(
          memory.read(note).map(\.range) == CopiedText.ranges(in: note, from: Array(notes[..<index]), minimumWords: 3))
      }
    }
  }

  private func slowRanges(in text: String, from earlier: [String], _ length: Int) -> [Range<Int>] {
    let words = CopiedText.words(of: text)
    let others = earlier.map { CopiedText.words(of: $0).map(\.hash) }
    var isCopied = [Bool](repeating: false, count: words.count)
    var joins = [Bool](repeating: false, count: words.count)
    for start in words.indices where start + length <= words.count {
      let run = words[start..<(start + length)].map(\.hash)
      let isKnown = others.contains { other in
        other.indices.contains { $0 + length <= other.count && Array(other[$0..<($0 + length)]) == run }
      }
      if !isKnown { continue }
      for index in start..<(start + length) {
        isCopied[index] = true
        if index > start { joins[index] = true }
      }
    }
    var result: [Range<Int>] = []
    for index in words.indices where isCopied[index] {
      if joins[index], let last = result.last {
        result[result.count - 1] = last.lowerBound..<Int(words[index].end)
      } else {
        result.append(Int(words[index].start)..<Int(words[index].end))
      }
    }
    return result
  }

  @Test func `the phrase matcher finds what comparing every phrase finds`() throws {
    let classes = try WordClasses(table: modelTable("extraction/word-classes.tsv"))
    let vocabulary = ["no", "sign", "of", "signs", "heat", "since", "2019", "3"]
    var random = SplitMix64(seed: 3)
    for _ in 0..<150 {
      func pick(_ count: ClosedRange<Int>) -> [String] {
        (0..<Int.random(in: count, using: &random)).map { _ in vocabulary.randomElement(using: &random) ?? "" }
      }
      let phrases = (0..<12).map { _ in pick(1...3) }
      var matcher = PhraseMatcher(allowsPlural: false)
      for (index, phrase) in phrases.enumerated() {
        let isAdded = matcher.add(phrase.joined(separator: " "), payload: index, classes: classes)
        #expect(isAdded)
      }
      let words = pick(0...12)
      let text = ScannedText(words.joined(separator: " "), classes: classes)
      for index in text.words.indices {
        let slow = phrases.indices.filter { place in
          let phrase = phrases[place]
          return index + phrase.count <= words.count && Array(words[index..<(index + phrase.count)]) == phrase
        }
        let fast = matcher.matches(at: index, in: text)
        #expect(fast.map(\.payload).sorted() == slow)
        #expect(fast.allSatisfy { $0.end == index + phrases[$0.payload].count })
        #expect(fast.map(\.end) == fast.map(\.end).sorted())
      }
    }
  }
}
