import Clinical
import Store
import Sync

@testable import VetNet

/// What people do at the hub and at devices, by chance.
extension SyncWorld {
  enum Deed: CaseIterable {
    case note, amend, retract, reinstate, moveNote, patient, client, weight, tag, intake, book, move, cancel, advance,
      reason, limits, settle
    /// Only at the hub.
    case delete, erase, merge, staff
  }

  /// Does something at the hub (nil) or at a device; what can't be done is left.
  func act(_ index: Int?) throws {
    let practice = index.map { devices[$0].practice } ?? hub
    now = now.adding(minutes: 1 + Int(random.next() % 40))
    let own = Timestamp(seconds: now.seconds + (index.map { devices[$0].offset } ?? 0))
    practice.merging.logTime = own
    // Rare ones rarely, or little would be left.
    var deeds = Array(repeating: Deed.allCases.prefix(17), count: 2).flatMap { Array($0) }
    deeds += [.book, .book, .move, .advance, .note, .amend, .client]
    if index == nil { deeds += [.delete, .erase, .merge, .staff] }
    guard let deed = pick(deeds) else { return }
    do {
      try practice.writing { try perform(deed, practice, own) }
    } catch is PracticeError {
    } catch let error as StoreError where error.code == .alteredRecord {
      problems(add: "\(deed): \(error)")
    }
  }

  /// All do something with the same record, none of them knowing of the others; then some of them sync.
  func clash() throws {
    let hubPatients = try hub.connection.patients.list()
    let kind = random.next() % 4
    // One note again and again: whether it is retracted is known from before.
    guard let patient = kind == 1 ? hubPatients.first : pick(hubPatients) else { return }
    let name = try hub.connection.replicated.name(.patient, row: patient.rowID)
    if kind == 1 { try retractForAll(name) }
    let visit = pick(try allAppointments(hub).filter { $0.value.status == .booked })
    let visitName = try visit.flatMap { try hub.connection.replicated.name(.appointment, row: $0.rowID) }
    let time = Self.zone.timestamp(of: Self.zone.date(of: now).adding(days: 1)).adding(
      minutes: 480 + 30 * Int(random.next() % 4))
    for (turn, practice) in ([hub] + devices.map(\.practice)).enumerated() {
      practice.merging.logTime = Timestamp(seconds: now.seconds + (turn == 0 ? 0 : devices[turn - 1].offset))
      do {
        try practice.writing {
          switch kind {
          case 0: try changeSameClient(practice)
          case 1: try changeSameNote(practice, of: name, turn)
          case 2:
            guard let row = try visitName.flatMap({ try practice.connection.replicated.ownRow($0) }),
              let id = try practice.connection.recordIDs.shown(.appointment, row), turn > 0,
              let stored = try practice.connection.appointments.appointment(row: row)
            else { return }
            _ = try practice.reception.advance(
              id, to: turn == 1 ? .inConsult : .arrived, expecting: nil, actor: "a", now: max(now, stored.value.start))
          default:
            guard let row = try name.flatMap({ try practice.connection.replicated.ownRow($0) }),
              let id = try practice.connection.recordIDs.shown(.patient, row)
            else { return }
            _ = try practice.calendar.book(Booking(patient: id, start: time, minutes: 30, clinicianID: "V1"), now: now)
          }
        }
      } catch is PracticeError {}
    }
  }

  private func changeSameClient(_ practice: Practice) throws {
    guard let row = try practice.connection.replicated.ownRow(RecordName(kind: "client", source: "desk", id: "C1"))
    else {
      return
    }
    try change(practice, .client, row, ["email": .text(word())])
  }

  /// The note of a patient that all clash over.
  private func sameNote(_ practice: Practice, of patient: RecordName?) throws -> Int64? {
    guard let row = try patient.flatMap({ try practice.connection.replicated.ownRow($0) }),
      let name = try practice.connection.replicated.records(ofPatient: row).filter({ $0.kind == "note" }).min(by: {
        $0.id < $1.id
      })
    else { return nil }
    return try practice.connection.replicated.ownRow(name)
  }

  /// A note that everybody knows to be retracted, so that one can reinstate it while another retracts it once more.
  private func retractForAll(_ patient: RecordName?) throws {
    hub.merging.logTime = now
    try hub.writing {
      guard let note = try sameNote(hub, of: patient), try hub.connection.notes.retraction(row: note) == nil else {
        return
      }
      _ = try hub.connection.notes.retract(row: note, NoteRetraction(at: now, actor: "a", reason: word()))
    }
    let before = faults
    faults = 0
    defer { faults = before }
    for index in devices.indices { try sync(index) }
  }

  /// Some amend it, one retracts it once more, one reinstates it.
  private func changeSameNote(_ practice: Practice, of patient: RecordName?, _ turn: Int) throws {
    guard let note = try sameNote(practice, of: patient) else { return }
    let connection = practice.connection
    switch turn {
    case 1:
      _ = try connection.notes.reinstate(row: note)
      _ = try connection.notes.retract(row: note, NoteRetraction(at: now, actor: "a", reason: word()))
    case 3: _ = try connection.notes.reinstate(row: note)
    default:
      _ = try connection.notes.change(row: note, cause: .amended, reason: "r", at: now, actor: "a") {
        $0.text = "amended \(word())"
      }
    }
  }

  private func problems(add text: String) { note(problem: text) }

  private func perform(_ deed: Deed, _ practice: Practice, _ own: Timestamp) throws {
    let connection = practice.connection
    let patients = try connection.patients.list()
    func someNote() throws -> Int64? {
      guard let patient = pick(patients) else { return nil }
      return pick(try connection.notes.notes(patient: patient.rowID))?.rowID
    }
    switch deed {
    case .note:
      guard let patient = pick(patients) else { return }
      _ = try connection.notes.upsert(
        ClinicalNote(
          id: connection.recordIDs.unused(.note), patientID: patient.value.id, recordedAt: now, author: "V1",
          text: "seen \(word())"), source: connection.sources.local())
    case .amend:
      guard let row = try someNote() else { return }
      _ = try connection.notes.change(row: row, cause: .amended, reason: "r", at: own, actor: "a") {
        $0.text = "amended \(word())"
      }
    case .retract:
      guard let row = try someNote() else { return }
      _ = try connection.notes.retract(row: row, NoteRetraction(at: own, actor: "a", reason: word()))
    case .reinstate:
      guard let patient = pick(patients) else { return }
      for record in try connection.replicated.records(ofPatient: patient.rowID) where record.kind == "note" {
        if let row = try connection.replicated.ownRow(record) { _ = try connection.notes.reinstate(row: row) }
      }
    case .moveNote:
      guard let row = try someNote(), let other = pick(patients) else { return }
      _ = try connection.notes.change(row: row, cause: .moved, reason: "r", at: own, actor: "a") {
        $0.patientID = other.value.id
      }
    case .patient:
      let source = try connection.sources.local()
      let owner = Client(id: try connection.recordIDs.unused(.client), name: "Owner \(word())")
      _ = try connection.clients.upsert(owner, source: source)
      _ = try connection.patients.upsert(
        Patient(id: connection.recordIDs.unused(.patient), name: word(), species: .cat, ownerID: owner.id),
        source: source)
    case .client: try changeClient(practice)
    case .weight:
      guard let patient = pick(patients) else { return }
      try change(practice, .patient, patient.rowID, ["weight_kg": .number(Double(random.next() % 400) / 10)])
    case .tag:
      guard let patient = pick(patients) else { return }
      let name = "t\(random.next() % 3)"
      if try connection.tags.tags(of: .patient, row: patient.rowID).contains(name) {
        _ = try connection.tags.remove(name, from: .patient, row: patient.rowID)
      } else {
        try connection.tags.add(name, to: .patient, row: patient.rowID)
      }
    case .intake:
      _ = try connection.intakes.upsert(
        Intake(
          id: connection.recordIDs.unused(.intake), patientID: chance(50) ? pick(patients)?.value.id : nil,
          receivedAt: now, text: "rang \(word())"), source: connection.sources.local())
    case .book, .move, .cancel, .advance, .reason, .limits: try keepBook(deed, practice, own)
    case .settle:
      guard let conflict = pick(try practice.sync.syncConflicts()) else { return }
      _ = try practice.sync.settleConflict(
        conflict.id, choosing: pick(SettleSyncConflict.Choice.allCases) ?? .leave, now: own)
    case .delete:
      guard let patient = pick(patients), patients.count > 3 else { return }
      try connection.patients.delete(row: patient.rowID)
    case .erase:
      guard let patient = pick(patients), patients.count > 3, chance(40) else { return }
      try connection.patients.erase(connection.patients.erasure(of: patient.rowID, client: nil), at: own)
    case .merge:
      guard let one = pick(patients), let other = pick(patients), one.rowID != other.rowID, patients.count > 3 else {
        return
      }
      _ = try connection.merges.merge(
        other.rowID, into: one.rowID, taking: [], reason: "the same", at: own, actor: "a")
    case .staff:
      try change(practice, .staff, connection.staff.list()[0].rowID, ["name": .text("Dr \(word())")])
    }
  }

  private func changeClient(_ practice: Practice) throws {
    guard let client = pick(try practice.connection.clients.list()) else { return }
    let fields: [String: FieldContent] =
      switch random.next() % 3 {
      case 0: ["phone": .list([.object(["number": .text(word())])])]
      case 1: ["email": .text(word())]
      default: ["address": chance(30) ? .none : .text(word())]
      }
    try change(practice, .client, client.rowID, fields)
  }

  private func change(
    _ practice: Practice, _ table: RecordTable, _ row: Int64, _ fields: [String: FieldContent]
  ) throws {
    guard let name = try practice.connection.replicated.name(table, row: row) else { return }
    try practice.connection.replicated.write(
      fields, to: name, by: RemoteAuthor(actor: "a", at: now, reason: "r"))
  }

  private func keepBook(_ deed: Deed, _ practice: Practice, _ own: Timestamp) throws {
    let day = Self.zone.date(of: now)
    func time() -> Timestamp {
      Self.zone.timestamp(of: day.adding(days: 1 + Int(random.next() % 2))).adding(
        minutes: 480 + 30 * Int(random.next() % 6))
    }
    // The devices' clocks are wrong, and the book is of true days: what they look at is the calendar on the wall.
    let future = try allAppointments(practice).filter { $0.value.start > now }
    switch deed {
    case .book:
      guard let patient = pick(try practice.connection.patients.list()) else { return }
      var booking = Booking(
        patient: patient.value.id, start: time(), minutes: 30, clinicianID: chance(50) ? "V1" : "V2")
      booking.reason = word()
      _ = try practice.calendar.book(booking, now: now)
    case .move:
      guard let visit = pick(future) else { return }
      _ = try practice.calendar.move(
        appointment: visit.value.id, to: time(), clinicianID: chance(30) ? "V2" : nil, resourceIDs: nil, minutes: nil,
        now: now)
    case .cancel:
      guard let visit = pick(future) else { return }
      _ = try practice.calendar.cancel(appointment: visit.value.id, now: now)
    case .advance:
      guard let visit = pick(try allAppointments(practice)) else { return }
      _ = try practice.reception.advance(
        visit.value.id, to: pick(VisitStage.allCases) ?? .arrived, expecting: nil, actor: "a",
        now: max(now, visit.value.start))
    case .reason:
      guard let visit = pick(future) else { return }
      try change(practice, .appointment, visit.rowID, ["reason": .text(word())])
    default:
      guard let visit = pick(future) else { return }
      var limits = AppointmentOptions()
      limits.keepsTime = chance(50)
      limits.urgency = .yellow
      try practice.connection.appointments.setOptions(limits, row: visit.rowID)
    }
  }
}
