import Answering
import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Store
@testable import VetNet

/// What can't be filed for certain waits for a person, who files it, rejects it, puts it off, and takes any of that back.
struct InboxTests {
  let clinic: SmallClinic
  var practice: Practice { clinic.practice }
  let desk = Actor(name: "kim", role: .reception)
  let canary = "Zanzibarquartz"

  init() throws { clinic = try SmallClinic() }

  private func letter(
    _ id: String, _ text: String = "Seen here on Monday. Vomiting for two days, 12.4 kg.", at hour: Int = 9,
    urgency: Urgency? = nil
  ) -> IncomingItem {
    var item = IncomingItem(
      .letter, from: .init(source: "post", id: id, receivedAt: SmallClinic.at("2026-11-20T0\(hour):00")), text: text,
      reason: .severalPatients,
      details: .init(title: "Referral", author: "Dr Far", datedAt: SmallClinic.at("2026-11-16T11:00")),
      candidates: [
        .init(patientID: "P2", certainty: 0.7, evidence: [.name, .owner]),
        .init(patientID: "P3", certainty: 0.2, evidence: [.owner]),
      ])
    item.urgency = urgency
    return item
  }

  @discardableResult
  private func add(_ items: IncomingItem...) throws -> InboxReceipt {
    try practice.perform(AddToInbox(items: items), by: desk, at: clinic.now)
  }

  private func open() throws -> [InboxItem] { try practice.perform(ListInbox(), by: desk, at: clinic.now) }

  private func notes(_ patient: String) throws -> [String] {
    try practice.records.timeline(of: patient, since: nil, until: nil).map(\.id)
  }

  /// All that the practice says and did but the record of it.
  private func content() throws -> [String: ContentSummary.Table] {
    try practice.connection.contentSummary().tables.filter {
      !$0.key.hasPrefix("audit_") && !["change_count", "inbox_decision", "job", "source"].contains($0.key)
    }
  }

  @Test func `what came waits once, however often it comes, and with other words it waits again`() throws {
    #expect(try add(letter("a"), letter("b")).ids == ["inbox-1", "inbox-2"])
    let again = try add(letter("a"), letter("b", "Other words."))
    #expect(again.unchanged == 1 && again.updated == 1 && again.added == 0)
    try practice.perform(SetInboxItemAside(id: "1", isRejected: true, reason: "not ours"), by: desk, at: clinic.now)
    #expect(try add(letter("a")).unchanged == 1 && open().map(\.id) == ["inbox-2"])
    #expect(try add(letter("a", "A new letter.")).updated == 1 && open().map(\.id) == ["inbox-1", "inbox-2"])
    // What was filed stays as it was filed; a later version waits beside it.
    try practice.perform(AssignInboxItem(id: "inbox-2", patient: "P2"), by: desk, at: clinic.now)
    #expect(try add(letter("b", "A third version.")).ids == ["inbox-3"])
    #expect(try add(letter("b", "A third version."), letter("b", "Other words.")).unchanged == 2)
    #expect(try practice.records.note("inbox-2").text == "Other words.")
  }

  @Test func `a number is nobody else's, though what had it is gone`() throws {
    try add(letter("a"), letter("b"))
    let row = try #require(InboxItem.row("inbox-2"))
    try practice.connection.inbox.delete(row: row)
    #expect(try add(letter("c")).ids == ["inbox-3"])
  }

  @Test func `the most urgent stands first, then whoever waits longest, and what was put off at the end`() throws {
    try add(
      letter("a", "1", at: 8), letter("b", "2", at: 7), letter("c", "3", at: 9, urgency: .orange),
      letter("d", "4", at: 6, urgency: .red))
    try practice.perform(SetInboxItemAside(id: "inbox-4", isRejected: false), by: desk, at: clinic.now)
    #expect(try open().map(\.id) == ["inbox-3", "inbox-2", "inbox-1", "inbox-4"])
    let first = try #require(try open().first)
    #expect(
      first.proposals.map(\.patient.id) == ["P2", "P3"] && first.proposals[0].candidate.evidence == [.name, .owner])
  }

  @Test func `a message is assessed when it comes in`() throws {
    try add(
      IncomingItem(
        .intake, from: .init(source: "web", id: "m1", receivedAt: clinic.now),
        text: "My dog collapsed, gums are white and he can't breathe.", reason: .noPatient,
        details: .init(channel: "web")))
    #expect(try open().first?.content.urgency == .red)
    let filed = try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P5"), by: desk, at: clinic.now)
    #expect(filed.filed?.kind == "intake" && filed.filed?.id == "inbox-1")
    let intake = try #require(try practice.connection.intakes.intakes(id: "inbox-1").first?.value)
    #expect(intake.patientID == "P5" && intake.channel == "web" && intake.receivedAt == clinic.now)
    try practice.perform(UndoInbox(), by: desk, at: clinic.now)
    #expect(try practice.connection.intakes.count() == 0)
  }

  @Test func `a letter becomes a note that is answered from, and taken back leaves nothing behind`() throws {
    try add(letter("a"))
    try practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
    let before = try content()
    let tried = try practice.perform(
      AssignInboxItem(id: "inbox-1", patient: "P2", isDryRun: true), by: desk, at: clinic.now)
    #expect(try tried.state == .waiting && content() == before)
    let filed = try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P2"), by: desk, at: clinic.now)
    #expect(filed.state == .filed && filed.filed?.patient.id == "P2" && filed.filed?.id == "inbox-1")
    let note = try practice.records.note("inbox-1")
    #expect(note.kind == .referral && note.author == "Dr Far" && note.recordedAt == SmallClinic.at("2026-11-16T11:00"))
    let asked = try practice.perform(
      Ask(question: "When was there vomiting?", patient: "P2", askedAt: clinic.now), by: .local, at: clinic.now)
    #expect(asked.citations.contains { $0.noteID == "inbox-1" })
    for refused in [
      { try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P3"), by: desk, at: clinic.now) },
      {
        try practice.perform(SetInboxItemAside(id: "inbox-1", isRejected: true, reason: "x"), by: desk, at: clinic.now)
      },
    ] {
      #expect(throws: PracticeError.self) { try refused() }
    }
    // In another session.
    try clinic.reopen()
    let undone = try practice.perform(UndoInbox(), by: desk, at: clinic.now)
    #expect(undone.state == .waiting && undone.decisions.count == 1 && undone.decisions[0].undoneBy == "kim")
    #expect(try notes("P2") == [])
    let after = try content()
    #expect(before.keys.filter { before[$0] != after[$0] } == [])
    #expect(try practice.integrity.verify().ok)
    #expect(throws: PracticeError.self) { try practice.perform(UndoInbox(), by: desk, at: clinic.now) }
    // Filed again, to somebody else and of another day, it is the same note.
    let date = SmallClinic.at("2026-11-17T00:00")
    try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P3", date: date), by: desk, at: clinic.now)
    #expect(
      try practice.records.note("inbox-1").patientID == "P3" && practice.records.note("inbox-1").recordedAt == date)
  }

  @Test func `what was corrected since it was filed is not taken back`() throws {
    try add(letter("a"), letter("b"))
    for (id, patient) in [("inbox-1", "P2"), ("inbox-2", "P3")] {
      try practice.perform(AssignInboxItem(id: id, patient: patient), by: desk, at: clinic.now)
    }
    try practice.perform(AmendNote(id: "inbox-1", text: "Seen.", reason: "typing error"), by: .local, at: clinic.now)
    let error = #expect(throws: PracticeError.self) {
      try practice.perform(UndoInbox(id: "inbox-1"), by: desk, at: clinic.now)
    }
    #expect(error?.code == .changedMeanwhile && error?.description.contains("inbox-1") == true)
    #expect(try practice.records.note("inbox-1").text == "Seen.")
    try practice.perform(UndoInbox(id: "inbox-2"), by: desk, at: clinic.now)
    #expect(try open().map(\.id) == ["inbox-2"])
  }

  @Test func `an event's appointment keeps its time and gets its patient`() throws {
    try practice.connection.appointments.book(
      Appointment(
        id: "E1", clinicianID: "V1", start: SmallClinic.at("2026-11-23T10:00"), durationMinutes: 30, reason: "Bella"))
    var event = IncomingItem(
      .event, from: .init(source: "phone", id: "uid-1", receivedAt: clinic.now), text: "", reason: .unsurePatient)
    event.appointmentID = "E1"
    try add(event)
    #expect(try open().first?.appointment?.id == "E1")
    try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P4"), by: desk, at: clinic.now)
    #expect(try clinic.appointment("E1").patientID == "P4" && clinic.isSound())
    try practice.perform(UndoInbox(), by: desk, at: clinic.now)
    #expect(try clinic.appointment("E1").patientID == nil && clinic.isSound())
    #expect(throws: PracticeError.self) {
      try practice.perform(
        BookAppointment(
          booking: Booking(patient: "P5", start: SmallClinic.at("2026-11-23T10:00"), minutes: 30, clinicianID: "V1")),
        by: desk, at: clinic.now)
    }
  }

  @Test func `bad items are refused whole, without a word of theirs`() throws {
    let origin = IncomingItem.Origin(source: "post", id: "x", receivedAt: clinic.now)
    let bad = [
      IncomingItem(.letter, from: origin, text: " \n", reason: .noPatient),
      IncomingItem(
        .letter, from: .init(source: "post", id: "", receivedAt: clinic.now), text: canary, reason: .noPatient),
      IncomingItem(
        .letter, from: origin, text: canary, reason: .unsurePatient,
        candidates: [.init(patientID: "P1", certainty: 1.5, evidence: [])]),
      IncomingItem(
        .letter, from: origin, text: canary, reason: .unsurePatient,
        candidates: [.init(patientID: "P99", certainty: 0.5, evidence: [])]),
      IncomingItem(.letter, from: origin, text: canary + String(repeating: "x", count: 1 << 20), reason: .noPatient),
    ]
    for item in bad {
      let error = #expect(throws: PracticeError.self) { try add(letter("a"), item) }
      #expect(error.map { "\($0) \($0.hint ?? "")".contains(canary) } == false)
      #expect(try open().isEmpty)
    }
    for id in ["inbox-9", "0", canary, "-1"] {
      let error = #expect(throws: PracticeError.self) {
        try practice.perform(ShowInboxItem(id: id), by: desk, at: clinic.now)
      }
      #expect(error?.code == .notFound && error?.description.contains(canary) == false)
    }
    try add(letter("a", canary))
    #expect(throws: PracticeError.self) {
      try practice.perform(SetInboxItemAside(id: "inbox-1", isRejected: true, reason: " "), by: desk, at: clinic.now)
    }
    try practice.perform(SetInboxItemAside(id: "inbox-1", isRejected: true, reason: canary), by: desk, at: clinic.now)
    for entry in try practice.connection.audit.entries().compactMap(\.entry) {
      #expect(entry.details?.contains(canary) != true && !entry.subjects.contains { $0.id.contains(canary) })
    }
  }

  @Test func `the desk may file, whoever keeps the machines may not read, and who saw whom is on record`() throws {
    try add(letter("a"))
    let keeper = Actor(name: "root", role: .administrator)
    #expect(throws: PracticeError.self) { try practice.perform(ListInbox(), by: keeper, at: clinic.now) }
    #expect(throws: PracticeError.self) {
      try practice.perform(ShowInboxItem(id: "inbox-1"), by: keeper, at: clinic.now)
    }
    try practice.perform(ShowInboxItem(id: "inbox-1"), by: desk, at: clinic.now)
    let seen = try practice.perform(ReadAuditLog(patient: "P2", accessOnly: true), by: .local, at: clinic.now)
    #expect(seen.contains { $0.operation == "inbox.show" && $0.actor == "kim" })
  }

  @Test func `a note that has an item's id already is not written over`() throws {
    try add(letter("a"))
    try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P2"), by: desk, at: clinic.now)
    try practice.perform(MoveNote(id: "inbox-1", patient: "P3", reason: "wrong animal"), by: .local, at: clinic.now)
    try practice.perform(ErasePatient(reference: "P2", reason: "asked"), by: .local, at: clinic.now)
    let first = try practice.records.note("inbox-1")
    var another = letter("b", "Another letter.")
    another.candidates = []
    try add(another)
    let item = try #require(try open().first)
    let filed = try practice.perform(AssignInboxItem(id: item.id, patient: "P4"), by: desk, at: clinic.now)
    #expect(try practice.records.note("inbox-1") == first && notes("P3").contains("inbox-1"))
    #expect(try practice.records.note(try #require(filed.filed?.id)).text == "Another letter.")
    try practice.perform(UndoInbox(), by: desk, at: clinic.now)
    #expect(try practice.records.note("inbox-1") == first && notes("P4") == [])
  }

  @Test func `what was filed to a patient goes with that patient`() throws {
    try add(letter("a", canary), letter("b", "Other."))
    try practice.perform(AssignInboxItem(id: "inbox-1", patient: "P2"), by: desk, at: clinic.now)
    let row = try #require(try practice.connection.recordIDs.row(.patient, "P2"))
    try practice.connection.patients.delete(row: row)
    #expect(throws: PracticeError.self) { try practice.inbox.inboxItem("inbox-1") }
    #expect(try open().first?.proposals.map(\.patient.id) == ["P3"])
  }
}
