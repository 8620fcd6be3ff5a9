import Assessment
import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Briefing

/// Narratives of several species, each with what has to be read of it and what must not.
struct EncounterReadingTests {
  static let reader = Result {
    let extractors = try Fixtures.extractors.get()
    return EncounterReader(
      builder: try Fixtures.builder.get(), quantities: extractors.quantities,
      vitals: try VitalRanges(table: modelTable("triage/vitals.tsv", uniqueKey: "id")))
  }

  static func read(
    _ text: String, _ notes: [ClinicalNote] = [], species: Species = .dog, breed: String? = nil
  ) throws -> EncounterReading {
    let extractors = try Fixtures.extractors.get()
    var record = PatientRecord(
      patient: Patient(id: "P1", name: "Fern", species: species, breed: breed, dateOfBirth: day("2020-06-01")),
      notes: notes)
    for note in notes { record.facts[note.id] = extractors.facts.facts(in: note.text, kind: note.kind) }
    let own = note("E1", "2026-11-26", text)
    let narrative = Narrative(
      note: own, findings: extractors.findings.findings(in: text),
      facts: extractors.facts.facts(in: text, kind: .consult), assessment: nil)
    return try reader.get().reading(
      of: narrative, beside: record, EncounterContext(now: noon("2026-11-26"), zone: .utc))
  }

  /// A narrative, and per section the beginnings of lines that must be there, or, with a `!` before them, nowhere.
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    var species = Species.dog
    var notes: [ClinicalNote] = []
    let lines: [(EncounterSection, String)]
    var testDescription: String { text }
  }

  static let rows: [Row] = [
    Row(
      text:
        "Limping on the left hind since Sunday. Weight 24.5 kg. T 38.6, HR 100. Stifle effusion. Suspect cruciate disease. Radiographs under sedation.",
      lines: [
        (.complaint, "Limping on the left hind"), (.examination, "weight 24.5 kg"),
        (.examination, "temperature 38.6 °C: within range"), (.assessment, "Suspect cruciate disease"),
        (.workUp, "Radiographs under sedation"), (.assessment, "? "),
      ]),
    Row(
      text: "Quiet since last night and off food. T 104 F. HR 220.", species: .cat,
      lines: [
        (.examination, "temperature 40 °C (104 °F): high,"), (.examination, "heart rate 220"),
      ]),
    Row(
      text: "Here for a booster. No vomiting, no diarrhoea, no cough. T 38.4.",
      lines: [(.examination, "temperature 38.4 °C"), (.assessment, "!? ")]),
    Row(
      text: "Itchy for two weeks. Her sister at home was vomiting and collapsed yesterday. T 38.5.",
      lines: [(.complaint, "Itchy"), (.assessment, "!for: vomiting"), (.assessment, "!collapse")]),
    Row(
      text: "Vomiting twice. T 38.9. Plan: meloxicam tomorrow if she eats.",
      lines: [(.plan, "meloxicam"), (.plan, "!meloxicam: given"), (.complaint, "Vomiting twice")]),
    Row(
      text: "Vomiting twice. T 38.9. Plan: amoxicillin 250 mg BID started.",
      notes: [note("N1", "2025-03-01", "Reacted to amoxicillin: facial swelling and hives after the injection.")],
      lines: [(.plan, "REACTION on file to amoxicillin"), (.history, "reaction on file to amoxicillin")]),
    Row(
      text: "Off food, no faeces since yesterday. T 36.1, weight 1.9 kg. Abdomen distended.", species: .rabbit,
      notes: [note("N1", "2026-10-01", "Weight 2.3 kg. Nails clipped.")],
      lines: [
        (.examination, "weight 1.9 kg; before: 2.3 kg on 2026-10-01 (−17 % since)"),
        (.examination, "temperature 36.1 °C"),
      ]),
    Row(
      text: "Stiff after rest. On meloxicam. T 38.4. Plan: prednisolone 10 mg SID started.",
      notes: [note("N1", "2026-11-01", "OA. Meloxicam 2 mg SID started, continue.")],
      lines: [(.plan, "AVOID "), (.plan, "prednisolone 10 mg q24h: started")]),
    Row(
      text:
        "Vomiting since Monday. O/E: quiet. T 103.5 F. Suspect pancreatitis. Abdominal ultrasound. Maropitant 8 mg SC given. Recheck in 2 days.",
      lines: [
        (.complaint, "Vomiting since Monday"), (.examination, "O/E: quiet"), (.assessment, "Suspect pancreatitis"),
        (.workUp, "Abdominal ultrasound"), (.plan, "Maropitant 8 mg SC given"), (.followUp, "Recheck in 2 days"),
      ]),
    Row(text: "   ", lines: []),
  ]

  @Test(arguments: rows) func `a narrative is read as it was meant`(row: Row) throws {
    let reading = try Self.read(row.text, row.notes, species: row.species)
    for (section, wanted) in row.lines {
      let lines = reading[section]?.lines.map(\.text) ?? []
      if wanted.hasPrefix("!") {
        let banned = String(wanted.dropFirst())
        #expect(!lines.contains { $0.contains(banned) }, "\(section) \(banned): \(lines)")
      } else {
        #expect(lines.contains { $0.hasPrefix(wanted) }, "\(section) \(wanted): \(lines)")
      }
    }
    if row.lines.isEmpty { #expect(reading.sections.isEmpty && reading.questions.isEmpty) }
  }

  @Test(arguments: rows) func `every line rests on words, a note or a row, and the words are there`(row: Row) throws {
    let reading = try Self.read(row.text, row.notes, species: row.species)
    let notes = Dictionary(row.notes.map { ($0.id, $0.text) }) { $1 }
    for line in reading.sections.flatMap(\.lines) + reading.questions {
      #expect(!line.citations.isEmpty || !line.references.isEmpty, "\(line.text)")
    }
    for citation in reading.citations {
      let text = citation.noteID == reading.narrativeID ? row.text : notes[citation.noteID] ?? ""
      let scalars = Array(text.unicodeScalars)
      #expect(citation.codePoints.upperBound <= scalars.count)
      let quoted = String(String.UnicodeScalarView(scalars[citation.codePoints]))
      #expect(quoted == citation.quote)
    }
  }

  @Test(
    arguments: rows.map(\.text) + [
      "Hx: vomiting\nO/E BAR, T 38.4\nA: gastritis\nP: bland diet",
      "Presenting complaint: cough\n\nCurrent meds: pimobendan 5 mg BID\nAllergies: none known\nPlan:\n- bloods\n- recheck 2 weeks",
      "Ääni käheä 🐶. T 38,4. Plan: levätä.", "Plan:", "one\ntwo\n\nthree",
    ]) func `every word of a narrative belongs to one section`(text: String) throws
  {
    let extractors = try Fixtures.extractors.get()
    let narrative = Narrative(
      note: note("E1", "2026-11-26", text), findings: extractors.findings.findings(in: text),
      facts: extractors.facts.facts(in: text, kind: .consult), assessment: nil)
    let parts = try Self.reader.get().parts(of: narrative)
    var bytes = Array(text.utf8)
    for piece in parts.pieces {
      for index in piece.range {
        #expect(bytes[index] != 0, "twice")
        bytes[index] = 0
      }
    }
    #expect(bytes.allSatisfy { $0 <= 0x20 }, "\(String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self))")
    let whole = EncounterSection.allCases.map(parts.words).joined(separator: " ")
    for word in text.split(whereSeparator: \.isWhitespace) { #expect(whole.contains(word), "\(word)") }
  }

  @Test func `the worst comes first, with what speaks for and against it`() throws {
    let reading = try Self.read("Vomiting since Monday, retching. No abdominal distension. T 38.5.")
    let lines = reading[.assessment]?.lines.map(\.text).filter { $0.hasPrefix("? ") } ?? []
    #expect(lines.first?.contains("(critical)") == true, "\(lines)")
    #expect(lines.contains { $0.contains("against: no abdominal distension") }, "\(lines)")
    // What goes into the note is the possibility, without the machine's reasons.
    #expect(reading[.assessment]?.words.contains("against") == false)
  }

  @Test func `what is missing is asked, and what asks for it is named`() throws {
    let reading = try Self.read("Vomiting since Monday, retching. Meloxicam 2 mg SID started.")
    let questions = reading.questions.map(\.text)
    #expect(questions.contains { $0.hasPrefix("What does it weigh today? meloxicam is named") }, "\(questions)")
    #expect(questions.contains("What is the temperature?") && questions.contains("What is the heart rate?"))
  }

  @Test func `a follow-up has its day`() throws {
    let reading = try Self.read("Cough. T 38.5. Plan: furosemide 20 mg BID for 5 days. Recheck in 1-2 weeks.")
    let followUp = try #require(reading.followUps.last)
    #expect(followUp.due == day("2026-12-03")...day("2026-12-10") && !followUp.namesDrug)
  }

  @Test func `advice is no finding for triage, and stays where it stands`() throws {
    let text = "Sneezing.\nPlan: ring if he collapses or seizures."
    let extractors = try Fixtures.extractors.get()
    let narrative = Narrative(
      note: note("E1", "2026-11-26", text), findings: extractors.findings.findings(in: text),
      facts: extractors.facts.facts(in: text, kind: .consult), assessment: nil)
    let told = try Self.reader.get().told(in: narrative)
    #expect(told.utf8.count == text.utf8.count && told.hasPrefix("Sneezing.") && !told.contains("collapses"))
  }
}
