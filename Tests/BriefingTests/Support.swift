import Chart
import Clinical
import Extraction
import TextAnalysis
import VetNetTestSupport

@testable import Briefing

/// The shipped tables, read once for all tests.
enum Fixtures {
  static let extractors = Result { try Extractors(tables: ExtractionTables { try modelTable($0) }) }
  static let sections = Result { try SectionSplitter(headings: modelTable("lexicon/sections.tsv", uniqueKey: "id")) }
  static let sentences = Result {
    try SentenceSplitter(abbreviations: modelTable("lexicon/sentence-abbreviations.tsv", uniqueKey: "id"))
  }
  static let alertTable = Result { try modelTable("briefing/alerts.tsv", uniqueKey: "id") }
  static let groupTable = Result { try modelTable("briefing/prevention-groups.tsv", uniqueKey: "id") }
  static let cueTable = Result { try modelTable("briefing/plan-cues.tsv", uniqueKey: "id") }
  static let classTable = Result { try modelTable("extraction/word-classes.tsv") }
  static let alerts = Result { try AlertLexicon(table: alertTable.get(), classes: classTable.get()) }
  static let groups = Result { try PreventionGroups(table: groupTable.get()) }
  static let cues = Result { try PlanCues(table: cueTable.get()) }
  static let builder = Result {
    BriefBuilder(
      sections: try sections.get(), sentences: try sentences.get(), classifier: try extractors.get().classifier,
      lexicon: try BriefLexicon(
        alerts: alertTable.get(), preventionGroups: groupTable.get(), planCues: cueTable.get(),
        opposites: modelTable("briefing/question-opposites.tsv", uniqueKey: "id"), classes: classTable.get()),
      knowledge: try knowledge.get())
  }
  static let formularyTables = Result { try Formulary.Tables { try modelTable($0) } }
  static let formulary = Result { try Formulary(tables: formularyTables.get()) }
  static let findingTable = Result { try modelTable("extraction/findings.tsv") }
  static let labTable = Result { try modelTable("extraction/labs.tsv") }
  static let differentialTable = Result { try modelTable("briefing/differentials.tsv", uniqueKey: "id") }
  static let differentials = Result {
    try DifferentialTable(
      table: differentialTable.get(), findings: findingTable.get(), labs: labTable.get(), formulary: formulary.get())
  }
  static let knowledge = Result {
    BriefKnowledge(
      formulary: try formulary.get(), differentials: try differentials.get(),
      risk: try RiskTable(table: modelTable("briefing/risk.tsv", uniqueKey: "id")),
      planTargets: PlanTargets(labs: try labTable.get(), findings: try findingTable.get()),
      triageSigns: try TriageSigns(table: modelTable("briefing/triage-signs.tsv"), findings: findingTable.get()))
  }

  static func outline(_ note: ClinicalNote) throws -> NoteOutline {
    NoteOutline(note, sections: try sections.get(), splitter: try sentences.get())
  }
}

/// Noon of a day, in UTC.
func noon(_ date: String) -> Timestamp {
  Timestamp(seconds: Int64(CalendarDate(iso: date)?.daysSince1970 ?? 0) * 86_400 + 43_200)
}

func day(_ date: String) -> CalendarDate { CalendarDate(iso: date) ?? CalendarDate(daysSince1970: 0) }

func note(_ id: String, _ date: String, _ text: String, kind: NoteKind = .consult, author: String? = nil)
  -> ClinicalNote
{
  ClinicalNote(id: id, patientID: "P1", recordedAt: noon(date), author: author, kind: kind, text: text)
}

/// A fact written by hand: the words of the note that name it, and what is said of it, with the rest as it would be stored.
func fact(
  _ kind: FactKind, _ name: String, at words: String, in note: ClinicalNote, value: Double? = nil, unit: String? = nil,
  _ polarity: Polarity = .present, _ temporality: Temporality = .current, _ experiencer: Experiencer = .patient,
  _ attributes: [String: String] = [:]
) -> Fact {
  let text = Array(note.text.utf8)
  let wanted = Array(words.utf8)
  let start = text.indices.first { text[$0...].starts(with: wanted) } ?? 0
  let pairs = attributes.map { StoredAttributes.Pair(key: $0.key, value: $0.value) }
  let fact = Fact(
    kind: kind, name: name, value: value, unit: unit, range: start..<(start + wanted.count),
    assertion: Assertion(polarity: polarity, temporality: temporality, experiencer: experiencer),
    attributes: StoredAttributes(pairs))
  guard let fact else { preconditionFailure("no fact: \(kind) \(name)") }
  return fact
}

/// A record whose facts are written by hand.
func record(
  _ entries: (note: ClinicalNote, facts: [Fact])..., patient: Patient = Patient(id: "P1", name: "Fern", species: .dog)
)
  -> PatientRecord
{
  PatientRecord(
    patient: patient, notes: entries.map(\.note),
    facts: Dictionary(entries.map { ($0.note.id, $0.facts) }, uniquingKeysWith: { $0 + $1 }))
}

/// A record whose facts are read by the shipped rules.
func readRecord(_ notes: ClinicalNote..., patient: Patient = Patient(id: "P1", name: "Fern", species: .dog)) throws
  -> PatientRecord
{
  let reader = try Fixtures.extractors.get().facts
  var facts: [String: [Fact]] = [:]
  for note in notes { facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
  return PatientRecord(patient: patient, notes: notes, facts: facts)
}

extension Brief {
  /// The lines of a section; none where the brief does not have it.
  func lines(_ title: String) -> [String] { sections.filter { $0.title == title }.flatMap(\.lines).map(\.text) }

  /// Everything a reader sees of the chart.
  var chartText: String { sections.filter { $0.kind == .chart }.flatMap(\.lines).map(\.text).joined(separator: "\n") }
}

/// Words that came in as the reason for a visit, read by the shipped rules.
func presented(_ text: String) throws -> PresentedText {
  let extractors = try Fixtures.extractors.get()
  return PresentedText(
    reference: SourceReference(.appointment, "A1"), text: text, findings: extractors.findings.findings(in: text),
    facts: extractors.facts.facts(in: text, kind: .intake))
}
