import Answering
import Chart
import Clinical
import Extraction
import TextAnalysis

/// Words a list of patients: how many fit, and a line for each with the newest words that say so.
struct RegisterComposer {
  let question: RegisterQuestion
  let zone: PracticeTimeZone
  let sections: SectionSplitter
  let sentences: SentenceSplitter
  let alerts: AlertLexicon

  /// Lines that a person reads; the patients of a longer list are counted and cited too.
  static let lineLimit = 60

  private struct Line {
    let match: RegisterMatch
    /// Empty where it is counted only.
    let citations: [Citation]

    /// Whether it is one of those that fit for certain.
    func isCounted(in question: RegisterQuestion) -> Bool {
      match.standing == .holds || question.includesUnrecorded
    }
  }

  func answer(_ list: RegisterList, notes: [String: ClinicalNote], isComplete: Bool) -> Answer {
    let lines = lines(list, notes)
    let explanation = Explanation(
      "facts of the whole practice", value: Double(lines.count),
      details: question.conditions.map { condition in
        Explanation(
          "\(condition.isNegated ? "not " : "")\(condition.kind.rawValue): \(condition.names.sorted().joined(separator: ", "))",
          value: Double(condition.names.count))
      })
    guard !lines.isEmpty else {
      return Answer(.notRecorded, text: silence, explanation: explanation)
    }
    var citations: [Citation] = []
    var numbers: [Citation: Int] = [:]
    var rows: [CitedSentence] = []
    var places: [Int] = []
    for (index, line) in lines.enumerated() where !line.citations.isEmpty {
      let cited = line.citations.map { citation in
        if let known = numbers[citation] { return known }
        numbers[citation] = citations.count
        citations.append(citation)
        return citations.count - 1
      }
      if line.isCounted(in: question) { places.append(cited[0]) }
      guard index < Self.lineLimit else { continue }
      rows.append(CitedSentence(text: text(of: line), citations: cited))
    }
    if isComplete, let head = head(of: lines, resting: places) { rows.insert(head, at: 0) }
    let isDisputed = lines.allSatisfy { $0.match.standing == .disputed }
    return Answer(
      isDisputed ? .conflicting : .found, text: rows.map(\.text).joined(separator: " "), sentences: rows,
      citations: citations,
      explanation: explanation)
  }

  /// The matches that have words to show for it, or are counted only.
  private func lines(_ list: RegisterList, _ notes: [String: ClinicalNote]) -> [Line] {
    var lines: [Line] = []
    var isBetter = false
    for (place, match) in list.matches.enumerated() where match.standing != .earlier || !isBetter {
      let isRead = list.isRead(place)
      var citations = isRead ? citations(of: match, notes, isShown: lines.count < Self.lineLimit) : []
      if isRead, citations.isEmpty { continue }
      if lines.count >= RegisterList.citedLimit { citations = [] }
      lines.append(Line(match: match, citations: citations))
      if match.standing != .earlier { isBetter = true }
    }
    return lines
  }

  /// How many fit for certain, resting on a citation of each that is cited. What is listed may be more: who was not mentioned of late,
  /// or is suspected.
  private func head(of lines: [Line], resting places: [Int]) -> CitedSentence? {
    guard question.wantsCount || lines.count > 1, !places.isEmpty else { return nil }
    let count = lines.count { $0.isCounted(in: question) }
    var more = lines.count > Self.lineLimit ? "; the latest follow" : ""
    if lines.count > RegisterList.citedLimit {
      more = "; of \(lines.count) listed \(RegisterList.citedLimit) are cited, and the first of these follow"
    }
    let verb = count == 1 ? "fits" : "fit"
    return CitedSentence(text: "\(count) \(noun(isOne: count == 1)) \(verb)\(more).", citations: places)
  }

  private func noun(isOne: Bool) -> String {
    guard question.filter.species.count == 1, let species = question.filter.species.first else {
      return isOne ? "patient" : "patients"
    }
    switch species {
    case .cattle: return "cattle"
    case .smallRuminantOrPig: return isOne ? "patient" : "patients"
    case .other: return isOne ? "patient" : "patients"
    default: return isOne ? species.rawValue : "\(species.rawValue)s"
    }
  }

  private var silence: String {
    let sought = question.conditions.map { condition in
      "\(condition.isNegated ? "not " : "")\(condition.text)"
    }.joined(separator: ", ")
    let state =
      switch question.state {
      case .now: "now; what is past or ruled out is not listed"
      case .ever: "at any time asked about"
      case .overdue: "overdue by a date written or the usual interval"
      case .due: "due within a month, or overdue"
      case .unseen: "not seen again by the time of the last plan that names one"
      }
    return "No \(noun(isOne: true)) on file is recorded so. Looked for: \(sought) (\(state))."
  }

  private func citations(of match: RegisterMatch, _ notes: [String: ClinicalNote], isShown: Bool) -> [Citation] {
    var citations: [Citation] = []
    if let passage = match.passage, let range = Self.trimmed(passage.range, passage.note),
      let citation = Citation(passage.note, range: range)
    {
      citations.append(citation)
    }
    for item in match.items {
      guard let note = notes[item.noteID] else { return [] }
      if item.kind == .allergy, alerts.isException(sentence(of: item.range, in: note), of: note) { return [] }
      // Only what is shown has to be read as a sentence.
      let range = isShown ? sentence(of: item.range, in: note) : item.range
      guard let citation = Citation(note, range: range) else { return [] }
      if !citations.contains(citation) { citations.append(citation) }
    }
    if citations.isEmpty, let note = match.lastEntry {
      let first = NoteOutline(note, sections: sections, splitter: sentences).sentences.first?.range
      if let range = first.flatMap({ Self.trimmed($0, note) }), let citation = Citation(note, range: range) {
        citations.append(citation)
      }
    }
    return citations
  }

  private func sentence(of range: Range<Int>, in note: ClinicalNote) -> Range<Int> {
    let outline = NoteOutline(note, sections: sections, splitter: sentences)
    guard let found = outline.sentence(at: range.lowerBound)?.range, found.contains(range.lowerBound) else {
      return range
    }
    return Self.trimmed(found.lowerBound..<max(found.upperBound, range.upperBound), note) ?? range
  }

  /// Without the white space around it; nil where nothing is left.
  private static func trimmed(_ range: Range<Int>, _ note: ClinicalNote) -> Range<Int>? {
    guard let slice = note.text.slice(utf8: range) else { return nil }
    let leading = slice.utf8.prefix { $0 <= 0x20 }.count
    let trailing = slice.utf8.reversed().prefix { $0 <= 0x20 }.count
    return leading + trailing < range.count
      ? (range.lowerBound + leading)..<(range.upperBound - trailing) : nil
  }

  /// `Suspected: Bella (P014, cat; Mrs Tranter), 2023-02-14 (S02): Hyperthyroidism?`, the conditions one after another.
  private func text(of line: Line) -> String {
    let patient = line.match.patient
    let owner = patient.ownerName.map { "; \($0)" } ?? ""
    let who = "\(patient.name) (\(patient.id), \(patient.species.rawValue)\(owner))"
    let isSilent = line.match.standing == .unrecorded && line.match.items.isEmpty
    let remark = isSilent ? "no entry of it; last note" : line.match.remark
    let words = line.citations.map { Passage.sentence($0, in: zone, patient: nil) }.joined(separator: " ")
    return remark.isEmpty ? "\(who), \(words)" : "\(who), \(remark): \(words)"
  }
}
