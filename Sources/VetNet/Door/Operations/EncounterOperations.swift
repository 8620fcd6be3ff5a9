public import Clinical

extension Passage {
  /// Says which encounter is touched, and the patient and note that are its.
  func touch(_ encounter: Encounter) {
    touch(.encounter, encounter.id)
    touch(.patient, encounter.patientID)
    touch(.note, encounter.signature?.noteID)
  }
}

/// Begins an encounter: what a vet writes at the patient's side.
public struct BeginEncounter: Operation {
  public static let name = "encounter.begin"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.patient, .appointment]
  public static let changes: Set<RecordKind> = [.encounter]

  /// Made where it was begun; nil for one that is made here.
  public var id: String?
  public var patient: String
  public var appointment: String?
  /// A staff id or a name for the note; nil for whoever begins it.
  public var author: String?
  public var text: String

  public init(
    id: String? = nil, patient: String, appointment: String? = nil, author: String? = nil, text: String
  ) {
    self.id = id
    self.patient = patient
    self.appointment = appointment
    self.author = author
    self.text = text
  }

  public var subjects: [RecordReference] { [RecordReference(.patient, patient)] }

  public func run(_ passage: Passage) throws -> Encounter {
    passage.touch(.patient, try passage.practice.records.patient(patient).id)
    let encounter = try passage.practice.encounters.beginEncounter(
      id: id, patient: patient, appointment: appointment, author: author, text: text, now: passage.now)
    passage.touch(encounter)
    return encounter
  }
}

/// Encounters, what was changed last first.
public struct ListEncounters: Operation {
  public static let name = "encounter.list"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.encounter, .patient]

  public var patient: String?
  /// Only those that whoever asks began.
  public var isOwn: Bool
  public var states: [EncounterState]
  public var most: Int

  public init(
    patient: String? = nil, isOwn: Bool = false, states: [EncounterState] = EncounterState.allCases, most: Int = 500
  ) {
    self.patient = patient
    self.isOwn = isOwn
    self.states = states
    self.most = most
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> [ListedEncounter] {
    let listed = try passage.practice.encounters.encounters(patient: patient, isOwn: isOwn, states: states, most: most)
    for one in listed { passage.touch(one.encounter) }
    return listed
  }
}

/// An encounter with the reading of its narrative and what was decided.
public struct ShowEncounter: Operation {
  public static let name = "encounter.show"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.encounter, .patient, .note]

  public var id: String

  public init(id: String) { self.id = id }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> ShownEncounter {
    let shown = try passage.practice.encounters.shownEncounter(id, now: passage.now)
    passage.touch(shown.encounter)
    return shown
  }
}

/// Replaces the narrative of an encounter that isn't signed.
public struct EditEncounter: Operation {
  public static let name = "encounter.edit"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.encounter]
  public static let changes: Set<RecordKind> = [.encounter]

  public var id: String
  /// The revision that the change is based on; nil for whichever there is.
  public var expecting: Int?
  public var text: String

  public init(id: String, expecting: Int? = nil, text: String) {
    self.id = id
    self.expecting = expecting
    self.text = text
  }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> Encounter {
    passage.touch(try passage.practice.encounters.encounter(id))
    return try passage.practice.encounters.editEncounter(id, expecting: expecting, text: text, now: passage.now)
  }
}

/// Accepts, edits or drops sections as they are proposed.
public struct DecideEncounter: Operation {
  public static let name = "encounter.decide"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.encounter, .patient, .note]
  public static let changes: Set<RecordKind> = [.encounter]

  public var id: String
  public var expecting: Int?
  public var sections: [EncounterSection]
  public var verdict: EncounterVerdict
  /// The final words of an edited section.
  public var text: String?

  public init(
    id: String, expecting: Int? = nil, sections: [EncounterSection], verdict: EncounterVerdict, text: String? = nil
  ) {
    self.id = id
    self.expecting = expecting
    self.sections = sections
    self.verdict = verdict
    self.text = text
  }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> ShownEncounter {
    passage.touch(try passage.practice.encounters.encounter(id))
    passage.details["sections"] = sections.map(\.rawValue).joined(separator: ", ")
    passage.details["verdict"] = verdict.rawValue
    return try passage.practice.encounters.decideEncounter(
      id, expecting: expecting, sections, verdict, text: text, now: passage.now)
  }
}

/// Takes an encounter one state forward.
public struct AdvanceEncounter: Operation {
  public static let name = "encounter.advance"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.encounter, .patient, .note]
  public static let changes: Set<RecordKind> = [.encounter]

  public var id: String
  public var expecting: Int?

  public init(id: String, expecting: Int? = nil) {
    self.id = id
    self.expecting = expecting
  }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> ShownEncounter {
    passage.touch(try passage.practice.encounters.encounter(id))
    let shown = try passage.practice.encounters.advanceEncounter(id, expecting: expecting, now: passage.now)
    passage.details["state"] = shown.encounter.state.rawValue
    return shown
  }
}

/// Makes a note of an encounter, and indexes it.
public struct SignEncounter: Operation {
  public static let name = "encounter.sign"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.encounter, .patient, .note]
  public static let changes: Set<RecordKind> = [.encounter, .note, .index]

  public var id: String
  public var expecting: Int?

  public init(id: String, expecting: Int? = nil) {
    self.id = id
    self.expecting = expecting
  }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> ShownEncounter {
    passage.touch(try passage.practice.encounters.encounter(id))
    return try passage.practice.encounters.signEncounter(id, expecting: expecting, now: passage.now)
  }
}

/// Gives the note of a signed encounter another text; the old one is kept as a superseded version.
public struct AmendEncounter: Operation {
  public static let name = "encounter.amend"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.encounter, .note]
  public static let changes: Set<RecordKind> = [.encounter, .note, .index]

  public var id: String
  public var expecting: Int?
  public var text: String
  public var reason: String

  public init(id: String, expecting: Int? = nil, text: String, reason: String) {
    self.id = id
    self.expecting = expecting
    self.text = text
    self.reason = reason
  }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> ShownEncounter {
    passage.touch(try passage.practice.encounters.encounter(id))
    passage.details["reason_digest"] = Passage.digest(reason)
    return try passage.practice.encounters.amendEncounter(
      id, expecting: expecting, text: text, reason: reason, now: passage.now)
  }
}

/// Throws an encounter away that nobody signed.
public struct DiscardEncounter: Operation {
  public static let name = "encounter.discard"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.encounter]
  public static let changes: Set<RecordKind> = [.encounter]

  public var id: String
  public var expecting: Int?

  public init(id: String, expecting: Int? = nil) {
    self.id = id
    self.expecting = expecting
  }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> Encounter {
    passage.touch(try passage.practice.encounters.encounter(id))
    return try passage.practice.encounters.discardEncounter(id, expecting: expecting)
  }
}

/// What an owner takes home from an encounter, in plain words and without doses.
public struct SummarizeEncounter: Operation {
  public static let name = "encounter.summarize"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.encounter, .patient, .note]

  public var id: String

  public init(id: String) { self.id = id }

  public var subjects: [RecordReference] { [RecordReference(.encounter, id)] }

  public func run(_ passage: Passage) throws -> SummarizedEncounter {
    let summarized = try passage.practice.encounters.summarizedEncounter(id, now: passage.now)
    passage.touch(summarized.encounter)
    return summarized
  }
}

/// What was proposed for every encounter, what became of it and the final words: labelled cases for evaluation.
public struct ListEncounterCases: Operation {
  public static let name = "encounter.cases"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [.encounter, .patient, .note]

  public init() {}

  public func run(_ passage: Passage) throws -> [EncounterCase] {
    let cases = try passage.practice.encounters.encounterCases()
    for one in cases { passage.touch(one.encounter) }
    return cases
  }
}
