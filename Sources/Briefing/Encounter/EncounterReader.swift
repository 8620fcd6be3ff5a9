public import Assessment
public import Chart
import Clinical
public import Extraction
import Formulary
import TextAnalysis

/// Reads a narrative beside the patient's record: a function of values, which invents nothing.
///
/// The vet's own words are sorted into the sections of a note; what is measured is compared with the species and the patient's own
/// values; what the findings may mean, and what speaks for and against it, comes from the tables that briefs use, and so do the
/// drugs' alerts and the level of risk.
public struct EncounterReader: Sendable {
  let builder: BriefBuilder
  let quantities: QuantityParser
  let vitals: VitalRanges

  public init(builder: BriefBuilder, quantities: QuantityParser, vitals: VitalRanges) {
    self.builder = builder
    self.quantities = quantities
    self.vitals = vitals
  }

  /// The narrative with everything that is only planned or advised left blank, for triage: other words stay where they are.
  public func told(in narrative: Narrative) -> String { parts(of: narrative).withoutPlans }

  /// A note that was signed, in its sections again: what it says counts, whatever was decided before it was amended. What they name
  /// is read by `extractors`.
  public func sections(of narrative: Narrative, by extractors: Extractors) -> [AcceptedText] {
    let parts = parts(of: narrative)
    return EncounterSection.allCases.compactMap { section in
      let text = parts.words(of: section)
      return text.isEmpty ? nil : AcceptedText(section, text, by: extractors)
    }
  }

  func parts(of narrative: Narrative) -> NarrativeParts {
    NarrativeParts(
      narrative, sections: builder.sections, splitter: builder.sentences, cues: builder.lexicon.plans,
      targets: builder.knowledge.targets)
  }

  /// The reading of a narrative of the patient whose record, without it, is given as of `context.now`.
  ///
  /// - Complexity: linear in the length of the record and of the narrative.
  public func reading(
    of narrative: Narrative, beside record: PatientRecord, _ context: EncounterContext
  ) -> EncounterReading {
    let desk = EncounterDesk(narrative, record, self, context)
    return desk.reading()
  }
}

/// What one reading is made on: the record and the narrative, and the citations so far.
struct EncounterDesk {
  let reader: EncounterReader
  let narrative: Narrative
  let record: PatientRecord
  /// With the narrative as its last note.
  let whole: PatientRecord
  let chart: PatientChart
  let context: EncounterContext
  let parts: NarrativeParts
  let uses: DrugUses
  let picture: ClinicalPicture
  let found: DifferentialFinder.Found
  let alerts: [DrugAlert]
  let brief: BriefContext
  private var citations: [Citation] = []
  /// For lines that briefs make, too.
  private var desk: BriefDesk

  var builder: BriefBuilder { reader.builder }
  var species: Species { record.patient.species }
  var today: CalendarDate { context.zone.date(of: context.now) }
  var formulary: Formulary { builder.knowledge.formulary }

  init(_ narrative: Narrative, _ record: PatientRecord, _ reader: EncounterReader, _ context: EncounterContext) {
    self.reader = reader
    self.narrative = narrative
    self.record = record
    self.context = context
    var whole = record
    whole.notes.append(narrative.note)
    whole.facts[narrative.note.id] = narrative.facts
    self.whole = whole
    let builder = reader.builder
    chart = PatientChart(record, protections: builder.lexicon.prevention)
    parts = reader.parts(of: narrative)
    var brief = BriefContext(appointment: nil, now: context.now, zone: context.zone)
    brief.visit.assessment = narrative.assessment
    brief.visit.presented = [
      PresentedText(
        reference: SourceReference(.encounter, narrative.note.id), text: narrative.text,
        // What triage understands of owners' words is more than a vet wrote: "abdomen tense" is no retching.
        findings: narrative.findings, facts: narrative.facts.filter(Self.isNamedForUse))
    ]
    self.brief = brief
    uses = DrugUses(record, chart, brief, formulary: builder.knowledge.formulary, namedFirst: true)
    picture = builder.picture(record, chart.problems, uses, brief)
    found = DifferentialFinder(table: builder.knowledge.differentials).differentials(of: picture)
    alerts = builder.drugAlerts(uses, picture, record, brief)
    desk = BriefDesk(
      outlines: record.notes.map { NoteOutline($0, sections: builder.sections, splitter: builder.sentences) },
      zone: context.zone)
  }

  /// A drug that was given long ago, was not borne or was declined is named, and not for use.
  static func isNamedForUse(_ fact: Fact) -> Bool {
    guard fact.assertion.polarity != .absent, !fact.hasAction(in: TreatmentAction.ends) else { return false }
    return fact.assertion.temporality != .historical
  }

  func reading() -> EncounterReading {
    var desk = self
    let risk = desk.riskVerdict()
    let made: [(EncounterSection, [EncounterReading.Line])] = [
      (.complaint, desk.own(.complaint)),
      (.history, desk.own(.history) + desk.recordLines()),
      (.examination, desk.own(.examination) + desk.valueLines()),
      (.assessment, desk.own(.assessment) + desk.differentialLines()),
      (.workUp, desk.own(.workUp) + desk.workUpLines()),
      (.plan, desk.own(.plan) + desk.drugLines() + desk.alertLines() + desk.monitoringLines()),
      (.risk, desk.riskLines(risk)),
      (.followUp, desk.own(.followUp)),
    ]
    let followUps = desk.followUps()
    let questions = desk.questionLines(risk, followUps)
    let sections = made.filter { !$0.1.isEmpty }.map { section, lines in
      EncounterReading.Section(section: section, lines: lines, words: words(section, lines))
    }
    return EncounterReading(
      narrativeID: narrative.note.id, sections: sections, questions: questions, citations: desk.citations,
      risk: narrative.text.contains { !$0.isWhitespace } ? risk?.level : nil, followUps: followUps,
      warnings: warnings())
  }

  /// What accepting a section writes: the vet's words, and behind them what was proposed.
  private func words(_ section: EncounterSection, _ lines: [EncounterReading.Line]) -> String {
    let own = parts.words(of: section)
    let proposed = lines.filter { $0.kind == .proposal }.compactMap(\.noted)
    guard !proposed.isEmpty else { return own }
    let added: String
    switch section {
    case .assessment: added = "Differentials: \(proposed.joined(separator: "; "))"
    case .risk: added = proposed.joined(separator: "; ")
    default: added = "\(own.isEmpty ? "\(section.title): " : "")\(proposed.joined(separator: "; "))"
    }
    return own.isEmpty ? added : "\(own)\n\(added)"
  }

  // MARK: Citing

  /// The words of the narrative that belong to a section.
  mutating func own(_ section: EncounterSection) -> [EncounterReading.Line] {
    parts.pieces(of: section).compactMap { piece in
      guard let number = cite(narrative.note, piece.range), let words = narrative.text.slice(utf8: piece.range) else {
        return nil
      }
      return EncounterReading.Line(.words, words.trimmingSpaces(), citations: [number])
    }
  }

  mutating func cite(_ note: ClinicalNote, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty, let citation = Citation(note, range: range) else { return nil }
    if let known = citations.firstIndex(of: citation) { return known }
    citations.append(citation)
    return citations.count - 1
  }

  /// Of each place its words; the registration has none, and is a reference.
  mutating func cite(_ places: [Place]) -> (citations: [Int], references: [SourceReference]) {
    var numbers: [Int] = []
    var references: [SourceReference] = []
    for place in places {
      let number: Int?
      switch place {
      case .note(let item): number = cite(item.note, item.fact.range)
      case .presented(_, let range): number = cite(narrative.note, range)
      case .registration:
        number = nil
        references.append(SourceReference(.patient, record.patient.id))
      }
      if let number, !numbers.contains(number) { numbers.append(number) }
    }
    return (numbers, references)
  }

  /// A line that rests on something; nil for one that rests on nothing.
  mutating func line(
    _ kind: ProposedLine.Kind, _ text: String, noted: String? = nil, _ places: [Place],
    _ references: [SourceReference] = [], isWarning: Bool = false
  ) -> EncounterReading.Line? {
    let cited = cite(places)
    var all: [SourceReference] = []
    for reference in cited.references + references
    where reference.kind != .encounter && !all.contains(reference) { all.append(reference) }
    guard !cited.citations.isEmpty || !all.isEmpty else { return nil }
    return EncounterReading.Line(
      kind, text, noted: noted, citations: cited.citations, references: all, isWarning: isWarning)
  }

  /// A line of a brief as one of this reading.
  private mutating func taken(_ line: Brief.Line, _ cited: [Citation], _ prefix: String) -> EncounterReading.Line {
    var numbers: [Int] = []
    for citation in line.citations.map({ cited[$0] }) {
      let place = citations.firstIndex(of: citation) ?? citations.count
      if place == citations.count { citations.append(citation) }
      numbers.append(place)
    }
    return EncounterReading.Line(.check, prefix + line.text, citations: numbers, references: line.references)
  }

  /// What the record says that belongs beside what was told: what must not be overlooked, what it has, what it gets, and whether
  /// it had the same before.
  mutating func recordLines() -> [EncounterReading.Line] {
    guard narrative.text.contains(where: { !$0.isWhitespace }) else { return [] }
    var brief = desk
    let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var lines: [EncounterReading.Line] = []
    for course in chart.warnings.prefix(Self.warningLimit) {
      guard let evidence = course.evidence.last, let note = notes[evidence.noteID],
        let number = cite(note, evidence.passage)
      else { continue }
      let label = course.state == .avoid ? "avoid" : "reaction on file to"
      lines.append(
        EncounterReading.Line(
          .check, "\(label) \(course.treatment) (\(context.zone.date(of: note.recordedAt)))", citations: [number],
          isWarning: true))
    }
    let known: [(String, [Brief.Line])] = [
      ("on record: ", Array(builder.problemLines(chart.problems, self.brief, &brief).prefix(Self.problemLimit))),
      ("gets: ", Array(builder.drugLines(record, chart, self.brief, &brief).prefix(Self.drugLimit))),
      ("before: ", builder.episodeLines(picture, chart.problems, record, self.brief, &brief)),
    ]
    desk = brief
    for (prefix, found) in known { for one in found { lines.append(taken(one, brief.citations, prefix)) } }
    return lines
  }

  private static let warningLimit = 6
  private static let problemLimit = 4
  private static let drugLimit = 6
}
