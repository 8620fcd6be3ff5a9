public import Clinical
import Store

/// A patient and what surrounds it.
public struct PatientOverview: Sendable {
  public let patient: Patient
  public let client: Client?
  /// Those that stand.
  public let noteCount: Int
  public let retractedNoteCount: Int
  public let lastNoteAt: Timestamp?
  /// From the present moment on, in time order.
  public let upcoming: [Appointment]
  /// Others that live whose names are the same, or one letter away: they are mistaken for each other.
  public let lookalikes: [Patient]
}

/// One line of a patient's history.
public struct TimelineEntry: Sendable {
  public let at: Timestamp
  /// The note's kind, or `appointment`.
  public let kind: String
  public let id: String
  /// The beginning of the note, or the appointment's reason.
  public let title: String
}

extension Practice.Records {
  /// The patients that some words may mean: by id, microchip, name or owner.
  package func findPatients(_ words: String, most: Int? = nil) throws -> [Patient] {
    try reading {
      var found = try connection.patients.matching(words, most: most)
      if found.isEmpty { found = try connection.patients.patients(ownerNamed: words, listsAll: true, most: most) }
      return found.prefix(most ?? .max).map(\.value)
    }
  }

  /// The one patient that some words mean.
  ///
  /// - Throws: ``PracticeError`` with `ambiguousPatient` and the candidates when they fit several, which is never guessed,
  ///   and `notFound` when they fit none.
  package func patient(_ reference: String) throws -> Patient { try stored(patient: reference).value }

  func stored(patient reference: String) throws -> Stored<Patient> {
    let found = try reporting { try connection.patients.matching(reference) }
    guard let patient = found.first else {
      if let day = try reporting({ try erasure(of: .patient, reference) }) {
        throw PracticeError(.notFound, "the patient '\(reference)' was erased on \(day)")
      }
      throw PracticeError(
        .notFound, "no patient matches '\(reference)'",
        hint: "Maybe try: vetnet patient find WORDS; for a new one: vetnet patient add NAME")
    }
    guard found.count == 1 else {
      throw PracticeError(
        .ambiguousPatient, "'\(reference)' fits \(found.count) patients", hint: "Give the id instead of the name.",
        candidates: found.map(\.value))
    }
    return patient
  }

  /// A patient with owner, notes counted, and what is booked.
  package func overview(of reference: String, now: Timestamp) throws -> PatientOverview {
    try reading {
      let patient = try stored(patient: reference)
      let notes = try connection.notes.notes(patient: patient.rowID)
      let appointments = try connection.appointments.appointments(patient: patient.rowID).map(\.value)
      let owner = try patient.value.ownerID.flatMap { try connection.clients.clients(id: $0).first?.value }
      return PatientOverview(
        patient: patient.value, client: owner, noteCount: notes.count,
        retractedNoteCount: try connection.notes.retractedCount(patient: patient.rowID),
        lastNoteAt: notes.last?.value.recordedAt,
        upcoming: appointments.filter { $0.start >= now && $0.status.occupiesTime },
        lookalikes: try lookalikes(of: patient.value))
    }
  }

  /// A patient's notes and appointments in time order, within two days if they are given, both included.
  package func timeline(of reference: String, since: CalendarDate?, until: CalendarDate?) throws -> [TimelineEntry] {
    try reading {
      let patient = try stored(patient: reference)
      let lower = since.map { timeZone.interval(of: $0).lowerBound }
      let upper = until.map { timeZone.interval(of: $0).upperBound }
      let altered = try practice.integrity.alteredNotes(of: patient.rowID)
      let notes = try connection.notes.notes(patient: patient.rowID).map { note in
        TimelineEntry(
          at: note.value.recordedAt, kind: note.value.kind.rawValue, id: note.value.id,
          title: altered.contains(note.rowID) ? "(not what was written; see vetnet doctor)" : note.value.text)
      }
      let visits = try connection.appointments.appointments(patient: patient.rowID).map(\.value).map {
        TimelineEntry(
          at: $0.start, kind: "appointment", id: $0.id,
          title: "\($0.status.rawValue): \($0.reason ?? $0.visitType?.rawValue ?? "visit")")
      }
      return (notes + visits).filter { entry in
        lower.map { entry.at >= $0 } ?? true && upper.map { entry.at < $0 } ?? true
      }
      .sorted { ($0.at, $0.kind, $0.id) < ($1.at, $1.kind, $1.id) }
    }
  }

  /// Living patients whose name is a patient's, or one slip of a letter away, the same species first.
  func lookalikes(of patient: Patient) throws -> [Patient] {
    guard patient.deceasedAt == nil else { return [] }
    let records = try practice.assessment.fileState().records
    if let known = practice.memos.judgements.lookalikes, known.records == records,
      let same = known.byPatient[patient.id]
    {
      return same
    }
    var found: [String: Patient] = [:]
    for name in [patient.name] + patient.name.slips {
      for other in try connection.patients.patients(named: name).map(\.value)
      where other.id != patient.id && other.deceasedAt == nil { found[other.id] = other }
    }
    let sorted = found.values.sorted {
      ($0.species == patient.species ? 0 : 1, $0.name, $0.id) < ($1.species == patient.species ? 0 : 1, $1.name, $1.id)
    }
    guard !connection.holdsUnsealedRecords else { return sorted }
    if practice.memos.judgements.lookalikes?.records != records {
      practice.memos.judgements.lookalikes = (records, [:])
    }
    // Some hundred look-ups each; a file that nobody changes is looked at by few for long.
    if practice.memos.judgements.lookalikes?.byPatient.count ?? 0 > 500 {
      practice.memos.judgements.lookalikes?.byPatient = [:]
    }
    practice.memos.judgements.lookalikes?.byPatient[patient.id] = sorted
    return sorted
  }

  /// The id of the one patient that a reference of an intake means; nil where nobody, or nobody alone, is meant.
  func known(_ reference: String) throws -> String? {
    let found = try reporting { try connection.patients.matching(reference) }
    return found.count == 1 ? found[0].value.id : nil
  }

  /// The patient with an id, if there is one.
  func registered(_ id: String) throws -> Patient? { try connection.patients.patients(id: id).first?.value }
}

extension String {
  /// What a name of one word becomes by one letter left out, added, swapped with the next or taken for another; empty for names that
  /// are too short to be told by a letter.
  var slips: [String] {
    let letters = Array(lowercased())
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
    guard (4...12).contains(letters.count), letters.allSatisfy({ $0.isASCII && $0.isLetter }) else { return [] }
    var slips: Set<String> = []
    for place in letters.indices {
      slips.insert(String(letters[..<place] + letters[(place + 1)...]))
      for letter in alphabet {
        slips.insert(String(letters[..<place] + [letter] + letters[(place + 1)...]))
        slips.insert(String(letters[..<place] + [letter] + letters[place...]))
        if place == letters.count - 1 { slips.insert(String(letters + [letter])) }
      }
      if place + 1 < letters.count {
        var swapped = letters
        swapped.swapAt(place, place + 1)
        slips.insert(String(swapped))
      }
    }
    slips.remove(String(letters))
    return slips.sorted()
  }
}
