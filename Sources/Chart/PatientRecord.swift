public import Clinical
public import Extraction

/// What is known about one patient as of a moment: the values every chart, answer and brief is made from.
public struct PatientRecord: Sendable {
  public var patient: Patient
  /// In time order, none later than the moment the record is read for.
  public var notes: [ClinicalNote]
  /// The facts of each note, by note id.
  public var facts: [String: [Fact]]

  public init(patient: Patient, notes: [ClinicalNote], facts: [String: [Fact]] = [:]) {
    self.patient = patient
    self.notes = notes
    self.facts = facts
  }
}

/// A fact with the note it stands in.
public struct RecordedFact: Sendable {
  public let note: ClinicalNote
  public let fact: Fact

  public init(note: ClinicalNote, fact: Fact) {
    self.note = note
    self.fact = fact
  }
}

extension PatientRecord {
  /// The facts of some kinds in time order, then in the order of their notes.
  public func recordedFacts(_ kinds: Set<FactKind>) -> [RecordedFact] {
    notes.flatMap { note in
      (facts[note.id] ?? []).filter { kinds.contains($0.kind) }.map { RecordedFact(note: note, fact: $0) }
    }
  }
}
