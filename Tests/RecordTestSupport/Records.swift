public import Chart
public import Clinical
public import Extraction

/// Noon of a day, in UTC.
public func noon(_ date: String) -> Timestamp {
  Timestamp(seconds: Int64(CalendarDate(iso: date)?.daysSince1970 ?? 0) * 86_400 + 43_200)
}

public func day(_ date: String) -> CalendarDate { CalendarDate(iso: date) ?? CalendarDate(daysSince1970: 0) }

public func note(_ id: String, _ date: String, _ text: String, kind: NoteKind = .consult, author: String? = nil)
  -> ClinicalNote
{
  ClinicalNote(id: id, patientID: "P1", recordedAt: noon(date), author: author, kind: kind, text: text)
}

/// A fact written by hand: the words of the note that name it, and what is said of it, with the rest as it would be stored.
public func fact(
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
public func record(
  _ entries: (note: ClinicalNote, facts: [Fact])..., patient: Patient = Patient(id: "P1", name: "Fern", species: .dog)
)
  -> PatientRecord
{
  PatientRecord(
    patient: patient, notes: entries.map(\.note),
    facts: Dictionary(entries.map { ($0.note.id, $0.facts) }, uniquingKeysWith: { $0 + $1 }))
}

/// A record whose facts are read by the shipped rules.
public func readRecord(_ notes: ClinicalNote..., patient: Patient = Patient(id: "P1", name: "Fern", species: .dog))
  throws
  -> PatientRecord
{
  let reader = try Fixtures.extractors.get().facts
  var facts: [String: [Fact]] = [:]
  for note in notes { facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
  return PatientRecord(patient: patient, notes: notes, facts: facts)
}
