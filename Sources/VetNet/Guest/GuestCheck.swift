import Answering
import Clinical
import Extraction
import TextAnalysis

/// Judges what a guest says by the words of the record alone: whatever it claims, a sentence is shown only where its quotes hold it.
struct GuestCheck {
  let facts: FactExtractor
  let classifier: AssertionClassifier
  let drugs: Set<String>
  /// Words that say nothing of their own.
  let stopWords: Set<String>

  /// In characters: longer is no sentence.
  private static let longestSentence = 600
  /// Of a sentence's own words, the share that has to stand in its quotes or in the question.
  private static let leastShare = 0.5

  /// The sentences that hold, with their citations, and how many were dropped for which reason.
  ///
  /// - Parameters:
  ///   - reply: what the guest said.
  ///   - question: what it was handed.
  ///   - notes: those of the passages, as they stand now, by id.
  /// - Returns: an answer of class not recorded where nothing holds.
  func judge(_ reply: GuestReply, to question: GuestQuestion, notes: [String: ClinicalNote]) -> GuestAnswer {
    var dropped: [GuestFault: Int] = [:]
    var sentences: [CitedSentence] = []
    var citations: [Citation] = []
    for (index, sentence) in reply.sentences.enumerated() {
      guard index < GuestReply.sentenceLimit else {
        dropped[.surplus, default: 0] += 1
        continue
      }
      switch judged(sentence, question, notes) {
      case .failure(let fault): dropped[fault.fault, default: 0] += 1
      case .success(let cited):
        let numbers = cited.map { citation in
          if let known = citations.firstIndex(of: citation) { return known }
          citations.append(citation)
          return citations.count - 1
        }
        sentences.append(CitedSentence(text: sentence.text, citations: numbers))
      }
    }
    let answer = Answer(
      sentences.isEmpty ? .notRecorded : .found, text: sentences.map(\.text).joined(separator: " "),
      sentences: sentences, citations: citations,
      explanation: Explanation("said by a reader, held by its quotes", value: Double(sentences.count)))
    return GuestAnswer(answer: answer, dropped: dropped)
  }

  private struct Dropped: Error {
    let fault: GuestFault
  }

  private func judged(
    _ sentence: GuestReply.Sentence, _ question: GuestQuestion, _ notes: [String: ClinicalNote]
  ) -> Result<[Citation], Dropped> {
    func failed(_ fault: GuestFault) -> Result<[Citation], Dropped> { .failure(Dropped(fault: fault)) }
    let isText =
      sentence.text.contains(where: \.isLetter) && sentence.text.count <= Self.longestSentence
      && !sentence.text.unicodeScalars.contains {
        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
      }
    guard isText, !sentence.citations.isEmpty, sentence.citations.count <= 20 else { return failed(.uncited) }
    var cited: [Citation] = []
    for place in sentence.citations {
      let isHanded = question.passages.contains {
        $0.note_id == place.note_id && $0.start <= place.start && place.start < place.end && place.end <= $0.end
      }
      guard isHanded, let note = notes[place.note_id],
        let range = note.text.utf8Range(codePoints: place.start..<place.end),
        let citation = Citation(note, range: range)
      else { return failed(.place) }
      guard citation.quote == place.quote else { return failed(.quote) }
      cited.append(citation)
    }
    if let fault = SentenceSupport.fault(in: sentence.text, citing: cited, drugs: drugs) { return failed(fault) }
    if let fault = WrittenNumbers.fault(in: sentence.text, citing: cited) { return failed(fault) }
    if let fault = assertionFault(in: sentence.text, cited, notes) { return failed(fault) }
    guard share(of: sentence.text, in: cited, question) >= Self.leastShare else { return failed(.words) }
    return .success(cited)
  }

  // MARK: - What is said to be so

  /// What is said of a thing: is it so, and of whom.
  private struct Claim: Hashable {
    let polarity: Polarity
    let experiencer: Experiencer
    let isHypothetical: Bool

    init(_ assertion: Assertion) {
      polarity = assertion.polarity
      experiencer = assertion.experiencer
      isHypothetical = assertion.temporality == .hypothetical
    }
  }

  /// Findings, drugs and every other word that sentence and quotes share have to be said in the same sense. What the quoted words mean is
  /// read from the whole note: a quote that leaves out the "no" before it doesn't help.
  private func assertionFault(in text: String, _ cited: [Citation], _ notes: [String: ClinicalNote]) -> GuestFault? {
    let said = classifier.context(of: text)
    let own = facts.facts(in: text, kind: .consult)
    var known: [String: Set<Claim>] = [:]
    var words: [String: Set<Claim>] = [:]
    for citation in cited {
      guard let note = notes[citation.noteID] else { return .place }
      let context = classifier.context(of: note.text)
      for fact in facts.facts(in: note.text, kind: note.kind) where fact.range.overlaps(citation.range) {
        known[fact.name, default: []].insert(Claim(fact.assertion))
      }
      for (word, range) in Self.contentWords(note.text, within: citation.range) {
        words[stem(word), default: []].insert(Claim(classifier.assertion(of: range, in: context)))
      }
    }
    for fact in own {
      let claim = Claim(fact.assertion)
      guard let claims = known[fact.name] else {
        switch fact.content {
        case .problem, .finding, .procedure, .drug, .allergy, .reaction, .vaccination, .parasiteControl:
          // The same words may be no fact where they stand: then they are judged as words.
          let isQuoted = Self.contentWords(text, within: fact.range).allSatisfy { words[stem($0.word)] != nil }
          if isQuoted { continue }
          return .finding
        default: continue
        }
      }
      if !claims.contains(claim) { return .polarity }
    }
    for (word, range) in Self.contentWords(text, within: 0..<text.utf8.count) where !stopWords.contains(word) {
      guard let claims = words[stem(word)] else { continue }
      let claim = Claim(classifier.assertion(of: range, in: said))
      if !claims.contains(where: { $0.polarity == claim.polarity && $0.experiencer == claim.experiencer }) {
        return .polarity
      }
    }
    return nil
  }

  /// Runs of letters of at least four, small, with their UTF-8 bytes.
  static func contentWords(_ text: String, within range: Range<Int>) -> [(word: String, range: Range<Int>)] {
    let bytes = Array(text.utf8)
    var words: [(word: String, range: Range<Int>)] = []
    var start: Int?
    func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x80 }
    for index in range.lowerBound...range.upperBound {
      if index < range.upperBound, isLetter(bytes[index]) {
        if start == nil { start = index }
      } else if let first = start {
        if index - first >= 4 {
          words.append((String(decoding: bytes[first..<index], as: UTF8.self).lowercased(), first..<index))
        }
        start = nil
      }
    }
    return words
  }

  /// Enough to know "stopped" from "stopping" as one word.
  private func stem(_ word: String) -> String {
    for ending in ["ings", "ing", "edly", "ed", "ies", "es", "s", "ly"] where word.hasSuffix(ending) {
      let rest = word.dropLast(ending.count)
      if rest.count >= 4 { return rest.last == rest.dropLast().last ? String(rest.dropLast()) : String(rest) }
    }
    return word
  }

  /// Of a sentence's words that say something, those that stand in its quotes or the question.
  private func share(of text: String, in cited: [Citation], _ question: GuestQuestion) -> Double {
    func stems(_ text: String) -> Set<String> {
      Set(
        Self.contentWords(text, within: 0..<text.utf8.count).map(\.word).filter { !stopWords.contains($0) }.map(stem))
    }
    let said = stems(text)
    guard !said.isEmpty else { return 1 }
    let quoted = cited.reduce(into: Set<String>()) { $0.formUnion(stems($1.quote)) }
    // What was asked may be repeated, but an answer has to have something of its quotes, too.
    guard !said.isDisjoint(with: quoted) else { return 0 }
    return Double(said.intersection(quoted.union(stems(question.question))).count) / Double(said.count)
  }
}

/// Numbers, months, days and sides that are written in words.
enum WrittenNumbers {
  private static let numbers: [String: String] = [
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "hundred": "100", "thousand": "1000", "half": "0.5", "once": "1", "twice": "2", "double": "2", "triple": "3",
  ]
  private static let moments: Set<String> = [
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "yesterday", "today", "tomorrow",
  ]
  private static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// The first such word that its quotes hold in no form.
  static func fault(in text: String, citing cited: [Citation]) -> GuestFault? {
    let quoted = SentenceSupport.words(cited.map(\.quote).joined(separator: " ").lowercased())
    let days = cited.map { PracticeTimeZone.utc.date(of: $0.recordedAt) }
    for word in SentenceSupport.words(text.lowercased()) where !quoted.contains(word) {
      if let digits = numbers[word], !quoted.contains(digits), digits != String(cited.count) { return .number }
      if moments.contains(word) {
        let isEntry = days.contains {
          monthNames[$0.month - 1] == word || Weekday.name($0.weekday).lowercased() == word
        }
        let isShort = quoted.contains(String(word.prefix(3)))
        if !isEntry, !isShort { return .date }
      }
    }
    return dateFault(in: text, quoted: cited.map(\.quote).joined(separator: " "), days)
  }

  /// A whole date in digits has to be an entry's or stand in the quotes as it is: its numbers alone prove nothing.
  private static func dateFault(in text: String, quoted: String, _ days: [CalendarDate]) -> GuestFault? {
    for word in text.split(whereSeparator: { !($0.isNumber || $0 == "-" || $0 == "/") }) {
      guard let date = CalendarDate(iso: word) else {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), !quoted.contains(word) { return .date }
        continue
      }
      if !days.contains(date), !quoted.contains(word) { return .date }
    }
    return nil
  }
}
