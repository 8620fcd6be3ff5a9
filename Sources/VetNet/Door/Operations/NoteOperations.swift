public import Clinical

/// A note as it stands, with what became of it.
public struct ShownNote: Sendable {
  public let history: NoteHistory
  /// Whether it is what was written: nothing is quoted from one that isn't.
  public let isIntact: Bool
}

extension Passage {
  /// Says that a note is touched, and whose it is; one that isn't there is left to be found missing.
  func touchNote(_ id: String) throws {
    let note = try practice.records.note(id)
    touch(.note, note.id)
    touch(.patient, note.patientID)
  }
}

/// A note with what became of it, and whether it is what was written.
public struct ShowNote: Operation {
  public static let name = "note.show"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.note]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.note, id)] }

  public func run(_ passage: Passage) throws -> ShownNote {
    let history = try passage.practice.records.noteHistory(id)
    passage.touch(.note, history.note.id)
    passage.touch(.patient, history.note.patientID)
    return ShownNote(history: history, isIntact: try passage.practice.integrity.isIntact(noteID: history.note.id))
  }
}

/// Writes a note, and indexes it.
public struct AddNote: Operation {
  public static let name = "note.add"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.patient]
  public static let changes: Set<RecordKind> = [.note, .index]

  public var patient: String
  public var kind: NoteKind
  public var author: String?
  public var text: String
  public var recordedAt: Timestamp
  public var isDryRun: Bool

  public init(
    patient: String, kind: NoteKind, author: String? = nil, text: String, recordedAt: Timestamp, isDryRun: Bool = false
  ) {
    self.patient = patient
    self.kind = kind
    self.author = author
    self.text = text
    self.recordedAt = recordedAt
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.patient, patient)] }

  public func run(_ passage: Passage) throws -> ClinicalNote {
    let practice = passage.practice
    return try practice.records.addNote(
      to: practice.records.patient(patient), kind: kind, author: author, text: text, recordedAt: recordedAt,
      now: passage.now,
      isDryRun: isDryRun)
  }
}

/// Gives a note a new text; the old one is kept as a superseded version.
public struct AmendNote: Operation {
  public static let name = "note.amend"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.note]
  public static let changes: Set<RecordKind> = [.note, .encounter, .index]

  public var id: String
  public var text: String
  public var reason: String
  public var isDryRun: Bool

  public init(id: String, text: String, reason: String, isDryRun: Bool = false) {
    self.id = id
    self.text = text
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.note, id)] }

  public func run(_ passage: Passage) throws -> ClinicalNote {
    passage.details["reason_digest"] = Passage.digest(reason)
    return try passage.practice.records.amendNote(id, text: text, reason: reason, now: passage.now, isDryRun: isDryRun)
  }
}

/// Puts a note into the record of the patient that it is about.
public struct MoveNote: Operation {
  public static let name = "note.move"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.note, .patient]
  public static let changes: Set<RecordKind> = [.note, .encounter, .index]

  public var id: String
  public var patient: String
  public var reason: String
  public var isDryRun: Bool

  public init(id: String, patient: String, reason: String, isDryRun: Bool = false) {
    self.id = id
    self.patient = patient
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.note, id), RecordReference(.patient, patient)] }

  public func run(_ passage: Passage) throws -> ClinicalNote {
    let practice = passage.practice
    passage.details["reason_digest"] = Passage.digest(reason)
    let target = try practice.records.patient(patient)
    passage.touch(.patient, [try practice.records.note(id).patientID, target.id])
    return try practice.records.moveNote(id, to: target, reason: reason, now: passage.now, isDryRun: isDryRun)
  }
}

/// Marks a note as one not to be relied on.
public struct RetractNote: Operation {
  public static let name = "note.retract"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.note]
  public static let changes: Set<RecordKind> = [.note, .index]

  public var id: String
  public var reason: String
  public var isDryRun: Bool

  public init(id: String, reason: String, isDryRun: Bool = false) {
    self.id = id
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.note, id)] }

  public func run(_ passage: Passage) throws -> ClinicalNote {
    try passage.touchNote(id)
    passage.details["reason_digest"] = Passage.digest(reason)
    return try passage.practice.records.retractNote(id, reason: reason, now: passage.now, isDryRun: isDryRun)
  }
}

/// Takes a retraction back.
public struct ReinstateNote: Operation {
  public static let name = "note.reinstate"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.note]
  public static let changes: Set<RecordKind> = [.note, .index]

  public var id: String
  public var reason: String
  public var isDryRun: Bool

  public init(id: String, reason: String, isDryRun: Bool = false) {
    self.id = id
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.note, id)] }

  public func run(_ passage: Passage) throws -> ClinicalNote {
    try passage.touchNote(id)
    passage.details["reason_digest"] = Passage.digest(reason)
    return try passage.practice.records.reinstateNote(id, reason: reason, now: passage.now, isDryRun: isDryRun)
  }
}
