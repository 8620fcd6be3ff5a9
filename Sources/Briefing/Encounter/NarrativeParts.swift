import Chart
import Clinical
import Extraction
import TextAnalysis

/// A narrative cut into its sentences, each of which belongs to one section of the note that it becomes.
///
/// Headings decide where there are any. A text without is read in the order in which people dictate: what was told, then what was
/// measured and found, what it may be, and what is done. A measured value begins the examination; behind it a doubt or a diagnosis
/// begins the assessment, and a drug, a decision or a task the plan.
struct NarrativeParts {
  struct Piece {
    /// UTF-8 bytes, with the heading that announces it.
    var range: Range<Int>
    /// Without the heading.
    let sentence: Range<Int>
    var section: EncounterSection

    var hasHeading: Bool { range.lowerBound < sentence.lowerBound }
  }

  /// In the order of the text; every word of it is in one of them.
  private(set) var pieces: [Piece] = []
  private let text: String

  init(
    _ narrative: Narrative, sections: SectionSplitter, splitter: SentenceSplitter, cues: PlanCues, targets: PlanTargets
  ) {
    text = narrative.text
    let reader = SentenceReader(narrative, cues: cues, targets: targets)
    let all = sections.sections(of: text)
    for (number, section) in all.enumerated() {
      var sentences = splitter.sentences(in: text, range: section.body)
      // A heading with nothing behind it is said all the same.
      if sentences.isEmpty, !section.heading.isEmpty { sentences = [section.heading] }
      let headed = Self.sections[section.kind]
      var stage = headed.map(Stage.init) ?? .told
      // Behind the last heading of all people go on without one: "O/E quiet, T 39. Suspect pancreatitis. Fluids."
      var isFixed = headed != nil && number < all.count - 1
      for (index, sentence) in sentences.enumerated() {
        // Whoever dictates says "Plan:" in the middle of a line.
        let inner = index == 0 && !section.heading.isEmpty ? nil : Self.heading(of: sentence, in: text, sections)
        let own: EncounterSection
        if let inner {
          own = inner.section
          stage = Stage(inner.section)
          isFixed = false
        } else if let headed, isFixed || index == 0 {
          own = headed
        } else {
          own = stage.section(of: sentence, before: sentences[(index + 1)...], reader)
        }
        let isFirst = index == 0 && !section.heading.isEmpty && sentence != section.heading
        let said = inner.map { ($0.end..<sentence.upperBound) } ?? sentence
        pieces.append(
          Piece(
            range: isFirst ? section.heading.lowerBound..<sentence.upperBound : sentence, sentence: said,
            section: own == .plan ? reader.planned(said) : own))
      }
    }
    markComplaint(reader)
  }

  /// The heading that a sentence begins with, where something stands behind it.
  private static func heading(
    of sentence: Range<Int>, in text: String, _ sections: SectionSplitter
  ) -> (section: EncounterSection, end: Int)? {
    guard let slice = text.slice(utf8: sentence),
      let first = sections.sections(of: String(slice)).first(where: { !$0.heading.isEmpty }),
      first.heading.lowerBound == 0, let kind = Self.sections[first.kind], first.heading.count < sentence.count
    else { return nil }
    return (kind, sentence.lowerBound + first.heading.count)
  }

  /// Without a heading the first sentence that tells of something is what the patient comes for.
  private mutating func markComplaint(_ reader: SentenceReader) {
    guard !pieces.contains(where: { $0.section == .complaint }) else { return }
    let told = pieces.indices.filter { pieces[$0].section == .history }
    guard let first = told.first(where: { reader.tells(pieces[$0].sentence) }) else { return }
    pieces[first].section = .complaint
  }

  /// The pieces of a section.
  func pieces(of section: EncounterSection) -> [Piece] { pieces.filter { $0.section == section } }

  /// The section in which a byte of the text stands.
  func section(at offset: Int) -> EncounterSection? {
    pieces.last { $0.range.lowerBound <= offset }?.section
  }

  /// The words of a section as they were written, under its title where they bring no heading of their own.
  func words(of section: EncounterSection) -> String {
    var words = ""
    var last: Piece?
    for piece in pieces(of: section) {
      guard let slice = text.slice(utf8: piece.range) else { continue }
      if let last {
        let between = text.slice(utf8: last.range.upperBound..<piece.range.lowerBound) ?? ""
        words += piece.hasHeading || between.contains(where: \.isNewline) ? "\n" : " "
      } else if !piece.hasHeading {
        words += "\(section.title): "
      }
      words += slice.trimmingSpaces()
      last = piece
    }
    return words
  }

  /// The text with everything that is only planned or advised as spaces, so that "ring if she collapses" is no collapse; every
  /// other word stays where it is.
  var withoutPlans: String {
    var bytes = Array(text.utf8)
    for piece in pieces where [.plan, .workUp, .followUp].contains(piece.section) {
      for index in piece.range where bytes[index] != 0x0A { bytes[index] = 0x20 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where the kinds of headings lead, as `lexicon/sections.tsv` names them.
  private static let sections: [String: EncounterSection] = [
    "presenting complaint": .complaint, "signalment": .history, "history": .history, "current medication": .history,
    "alerts": .history, "preventive": .history, "communication": .history, "referral": .history, "nurse": .history,
    "progress": .history, "summary": .history, "administration": .plan, "subjective": .history,
    "objective": .examination, "diagnostics": .examination, "assessment": .assessment, "differentials": .assessment,
    "problems": .assessment, "plan": .plan, "treatment": .plan, "advice": .plan, "surgery": .plan, "anaesthesia": .plan,
  ]

  /// How far a text without headings has come; it never goes back.
  private enum Stage {
    case told, examined, judged, planned

    /// As far as a heading says.
    init(_ section: EncounterSection) {
      switch section {
      case .complaint, .history: self = .told
      case .examination: self = .examined
      case .assessment: self = .judged
      case .workUp, .plan, .risk, .followUp: self = .planned
      }
    }

    mutating func section(
      of sentence: Range<Int>, before rest: ArraySlice<Range<Int>>, _ reader: SentenceReader
    ) -> EncounterSection {
      switch self {
      case .told where reader.isMeasured(sentence): self = .examined
      case .told where !rest.contains(where: reader.isMeasured) && reader.isTask(sentence): self = .planned
      case .examined where reader.isTreatment(sentence) || reader.isTask(sentence): self = .planned
      case .examined where !reader.isMeasured(sentence) && reader.judges(sentence): self = .judged
      case .judged where reader.isTreatment(sentence) || reader.isTask(sentence) || reader.orders(sentence):
        self = .planned
      default: break
      }
      switch self {
      case .told: return .history
      case .examined: return .examination
      case .judged: return .assessment
      case .planned: return .plan
      }
    }
  }
}

/// What the facts of a narrative say of its sentences.
struct SentenceReader {
  private let narrative: Narrative
  private let cues: PlanCues
  private let targets: PlanTargets

  init(_ narrative: Narrative, cues: PlanCues, targets: PlanTargets) {
    self.narrative = narrative
    self.cues = cues
    self.targets = targets
  }

  func facts(in sentence: Range<Int>) -> [Fact] {
    narrative.facts.filter { sentence.contains($0.range.lowerBound) }
  }

  private static let measured: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .vital,
  ]

  func isMeasured(_ sentence: Range<Int>) -> Bool {
    facts(in: sentence).contains { Self.measured.contains($0.kind) && $0.assertion.isActive }
  }

  /// Names a doubt or a condition of this animal.
  func judges(_ sentence: Range<Int>) -> Bool {
    facts(in: sentence).contains { fact in
      guard fact.assertion.experiencer == .patient, fact.kind == .problem || fact.kind == .finding else { return false }
      return fact.assertion.polarity == .uncertain || (fact.kind == .problem && fact.assertion.isActive)
    }
  }

  /// Gives, hands out or decides something.
  func isTreatment(_ sentence: Range<Int>) -> Bool {
    facts(in: sentence).contains { fact in
      switch fact.kind {
      case .drug, .vaccination, .parasiteControl: fact.assertion.experiencer == .patient
      case .ownerDecision: true
      default: false
      }
    }
  }

  /// Names a test and nothing that was found.
  func orders(_ sentence: Range<Int>) -> Bool {
    guard !targets.named(in: narrative.text, range: sentence).isEmpty else { return false }
    return !facts(in: sentence).contains { fact in
      (fact.kind == .lab && fact.hasValue)
        || ((fact.kind == .finding || fact.kind == .problem) && fact.assertion.isActive)
    }
  }

  /// Says that something is to be tested or seen again.
  func isTask(_ sentence: Range<Int>) -> Bool { cues.marksTask(sentence, of: narrative.note) }

  /// Tells of something that the animal has or did.
  func tells(_ sentence: Range<Int>) -> Bool {
    narrative.findings.contains { sentence.contains($0.range.lowerBound) && $0.assertion.isActive }
  }

  /// The part of the plan that a sentence of it is: what is tested, when the patient is seen again, or the rest.
  func planned(_ sentence: Range<Int>) -> EncounterSection {
    let drugs = facts(in: sentence).filter { $0.drugEvent != nil }
    // A drug beside it is what nobody may overlook.
    guard drugs.isEmpty else { return .plan }
    let tests = targets.named(in: narrative.text, range: sentence)
    if !tests.isEmpty { return .workUp }
    return isTask(sentence) ? .followUp : .plan
  }
}
