import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Everything that comes in waits in one queue, the most urgent first, and whatever is done with it is taken back.
struct InboxQueueTests {
  let clinic: SmallClinic
  var practice: Practice { clinic.practice }
  let desk = Actor(name: "kim", role: .reception)
  let nurse = Actor(name: "lee", role: .nurse)

  init() throws {
    clinic = try SmallClinic()
    let source = try practice.connection.sources.id(named: "test")
    func client(_ id: String, _ name: String, _ phone: String) throws {
      _ = try practice.connection.clients.upsert(
        Client(id: id, name: name, phones: [ClientPhone(phone)]), source: source)
    }
    try client("K1", "Jane Marsh", "01632 960101")
    try client("K2", "Ngozi Okafor", "07700 900103")
    for (id, name, species, owner, ownerName) in [
      ("B1", "Bella", Species.dog, "K1", "Jane Marsh"), ("B2", "Bella", .cat, "K2", "Ngozi Okafor"),
      ("B3", "Phoebe", .cat, "K2", "Ngozi Okafor"),
    ] {
      _ = try practice.connection.patients.upsert(
        Patient(id: id, name: name, species: species, ownerID: owner, ownerName: ownerName), source: source)
    }
  }

  @discardableResult
  private func take(
    _ text: String, from author: String? = nil, contact: String? = nil, animal: String? = nil, answers: String? = nil,
    patient: String? = nil, at moment: Timestamp? = nil
  ) throws -> InboxItem {
    var message = IncomingMessage(text: text, channel: "phone")
    message.author = author
    message.contact = contact
    message.animal = animal
    message.answers = answers
    return try practice.perform(TakeIn(message: message, patient: patient), by: desk, at: moment ?? clinic.now)
  }

  private func open(at moment: Timestamp? = nil) throws -> [InboxItem] {
    try practice.perform(ListInbox(), by: desk, at: moment ?? clinic.now)
  }

  private func letter(_ id: String, hour: Int = 9) -> IncomingItem {
    IncomingItem(
      .letter, from: .init(source: "post", id: id, receivedAt: SmallClinic.at("2026-11-20T0\(hour):00")),
      text: "Seen here. \(id)", reason: .noPatient)
  }

  @Test func `messages wait by their level with what it rests on, letters behind them by age`() throws {
    try practice.perform(
      AddToInbox(items: [letter("young", hour: 9), letter("old", hour: 7)]), by: desk, at: clinic.now)
    try take("Bella is due her booster, any day suits us.", from: "Jane Marsh")
    let red = try take("She collapsed, gums are white and she can't breathe.", from: "Jane Marsh")
    #expect(try open().map(\.id) == ["inbox-4", "inbox-3", "inbox-2", "inbox-1"])
    #expect(red.content.urgency == .red && red.level?.targetMinutes == 0 && red.level?.words.isEmpty == false)
    #expect(red.level?.action.isEmpty == false && red.state == .waiting && red.filed == nil)
    #expect(try practice.perform(CountInbox(), by: desk, at: clinic.now).words == "0 of 4, 1 urgent left")
  }

  private struct Saying: CustomTestStringConvertible, Sendable {
    let text: String
    var author: String?
    var contact: String?
    let first: String?
    let evidence: Set<IncomingItem.Candidate.Evidence>
    var testDescription: String { text }
  }

  @Test(arguments: [
    Saying(text: "bella wont eat", author: "Jane Marsh", first: "B1", evidence: [.name, .owner, .only]),
    Saying(text: "Bella won't eat", contact: "+44 7700 900103", first: "B2", evidence: [.name, .phone]),
    Saying(text: "Pheobe has a weepy eye", author: "Ngozi Okafor", first: "B3", evidence: [.misspelt, .owner]),
    Saying(text: "My dog has a sore ear.", author: "Jane Marsh", first: "B1", evidence: [.only, .species]),
    Saying(text: "Bella, our new pug, needs her first vaccination.", author: "Olga Strand", first: nil, evidence: []),
    Saying(text: "What are your opening hours?", first: nil, evidence: []),
  ])
  private func `a message is proposed whom its words and its sender mean, with why`(saying: Saying) throws {
    let item = try take(saying.text, from: saying.author, contact: saying.contact)
    #expect(item.filed == nil && item.state == .waiting)
    #expect(item.proposals.first?.patient.id == saying.first)
    if let first = item.proposals.first { #expect(saying.evidence.isSubset(of: first.candidate.evidence)) }
  }

  @Test func `nobody alone in question is nobody that one click could mean`() throws {
    #expect(try take("Someone rang about Bella, no name.").clearProposal == nil)
    #expect(try take("Phoebe again.", from: "Ngozi Okafor").clearProposal?.patient.id == "B3")
  }

  @Test func `whom a person names gets the message at once, and it is taken back like any other`() throws {
    let filed = try take("Bella is better.", patient: "B1")
    #expect(filed.state == .filed && filed.filed?.patient.id == "B1" && filed.filed?.kind == "intake")
    try practice.perform(UndoInbox(), by: desk, at: clinic.now)
    #expect(try open().map(\.state) == [.waiting] && practice.connection.intakes.count() == 0)
    let again = try take("Bella is better.", patient: "B1")
    #expect(again.id == filed.id && again.state == .waiting)
  }

  @Test func `what is put off until a time comes back then, at the head of its level`() throws {
    let first = try take("Bella limps a little.", from: "Jane Marsh")
    let second = try take("Phoebe limps a little.", from: "Ngozi Okafor", at: clinic.now.adding(minutes: 1))
    #expect(first.content.urgency == second.content.urgency)
    let until = clinic.now.adding(minutes: 60)
    try practice.perform(
      SetInboxItemAside(id: second.id, isRejected: false, until: until, seen: 0), by: desk, at: clinic.now)
    #expect(try open().map(\.id) == [first.id, second.id])
    #expect(try open(at: until.adding(minutes: -1)).map(\.state) == [.waiting, .later])
    let back = try open(at: until)
    #expect(back.map(\.id) == [second.id, first.id] && back[0].state == .waiting && back[0].isBack)
    #expect(throws: PracticeError.self) {
      try practice.perform(
        SetInboxItemAside(id: first.id, isRejected: false, until: clinic.now), by: desk, at: clinic.now)
    }
    // Taken back, it waits as it did before.
    try practice.perform(UndoInbox(id: second.id), by: nurse, at: until)
    let undone = try practice.perform(ShowInboxItem(id: second.id), by: desk, at: until)
    #expect(!undone.isBack && undone.until == nil && undone.state == .waiting)
  }

  @Test func `what was asked waits for its answer, or for the time that its level tells`() throws {
    let vague = try take("Bella is not right.", contact: "01632 960101")
    let asked = try practice.perform(AskBack(id: vague.id, text: "Since when?"), by: desk, at: clinic.now)
    let urgency = try #require(vague.content.urgency)
    #expect(asked.state == .asked && asked.asked == "Since when?")
    #expect(asked.until == clinic.now.adding(minutes: Practice.Inbox.minutesForAnswer(urgency)))
    #expect(try practice.perform(CountInbox(), by: desk, at: clinic.now).asked == 1)
    #expect(try open(at: #require(asked.until)).first?.isBack == true)
    // From the same number, however it is written.
    let answer = try take("Since this morning.", contact: "+44 1632 960101", at: clinic.now.adding(minutes: 5))
    #expect(answer.content.details.answers == vague.id)
    let back = try practice.perform(ShowInboxItem(id: vague.id), by: desk, at: clinic.now)
    #expect(back.state == .waiting && back.isBack && back.decisions.last?.reason == "an answer came: \(answer.id)")
    #expect(throws: PracticeError.self) {
      try practice.perform(AskBack(id: vague.id, text: " \n"), by: desk, at: clinic.now)
    }
    try practice.perform(UndoInbox(id: vague.id), by: desk, at: clinic.now)
    try clinic.reopen()
    try practice.perform(UndoInbox(id: vague.id), by: desk, at: clinic.now)
    let undone = try practice.perform(ShowInboxItem(id: vague.id), by: desk, at: clinic.now)
    #expect(undone.state == .waiting && undone.asked == nil && undone.until == nil && !undone.isBack)
  }

  @Test func `a visit is booked with the level that waited, and both are taken back`() throws {
    let item = try take("Bella has been sick four times since noon and is quiet now.", from: "Jane Marsh")
    let level = try #require(item.content.urgency)
    let booking = Booking(patient: nil, start: SmallClinic.at("2026-11-23T10:00"), minutes: 20, clinicianID: "V1")
    let booked = try practice.perform(
      BookInboxItem(id: item.id, patient: "B1", booking: booking, seen: 0), by: nurse, at: clinic.now)
    let visit = try #require(booked.booked)
    #expect(booked.state == .filed && visit.patientID == "B1" && visit.reason?.hasPrefix("Bella has been") == true)
    let row = try #require(try practice.connection.recordIDs.row(.appointment, visit.id))
    #expect(try practice.connection.appointments.options(row: row).urgency == level)
    #expect(try clinic.isSound())
    try practice.perform(UndoInbox(id: item.id), by: desk, at: clinic.now)
    #expect(try clinic.appointment(visit.id).status == .cancelled && open().map(\.id) == [item.id])
    // A slot that is taken files nothing.
    try clinic.book("P1", "2026-11-23T11:00")
    let taken = Booking(patient: nil, start: SmallClinic.at("2026-11-23T11:00"), minutes: 20, clinicianID: "V1")
    #expect(throws: PracticeError.self) {
      try practice.perform(BookInboxItem(id: item.id, patient: "B1", booking: taken), by: desk, at: clinic.now)
    }
    #expect(try open().first?.state == .waiting)
    // One that somebody moved since stays, and so does the rest.
    let third = try practice.perform(
      BookInboxItem(id: item.id, patient: "B1", booking: booking), by: desk, at: clinic.now)
    try practice.perform(
      MoveAppointment(id: try #require(third.booked?.id), start: SmallClinic.at("2026-11-23T14:00")), by: desk,
      at: clinic.now)
    let error = #expect(throws: PracticeError.self) {
      try practice.perform(UndoInbox(id: item.id), by: desk, at: clinic.now)
    }
    #expect(try error?.code == .changedMeanwhile && open().isEmpty)
  }

  @Test func `the second of two acts on an item says who was first, and when`() throws {
    let item = try take("Bella limps.", from: "Jane Marsh")
    try practice.perform(
      SetInboxItemAside(id: item.id, isRejected: true, reason: "came twice", seen: item.revision), by: nurse,
      at: clinic.now)
    for late in [
      {
        try practice.perform(AssignInboxItem(id: item.id, patient: "B1", seen: item.revision), by: desk, at: clinic.now)
      },
      { try practice.perform(AskBack(id: item.id, text: "?", seen: item.revision), by: desk, at: clinic.now) },
      {
        try practice.perform(
          SetInboxItemAside(id: item.id, isRejected: false, seen: item.revision), by: desk, at: clinic.now)
      },
    ] {
      let error = #expect(throws: PracticeError.self) { try late() }
      #expect(error?.code == .changedMeanwhile && error?.description.contains("by lee") == true)
      #expect(error?.description.contains("18:00") == true, "\(error?.description ?? "")")
    }
    try practice.perform(UndoInbox(id: item.id), by: nurse, at: clinic.now)
    let filed = try practice.perform(AssignInboxItem(id: item.id, patient: "B1"), by: nurse, at: clinic.now)
    let error = #expect(throws: PracticeError.self) {
      try practice.perform(AssignInboxItem(id: item.id, patient: "B2"), by: desk, at: clinic.now)
    }
    #expect(error?.description.contains("filed already, by lee") == true && filed.filed?.patient.id == "B1")
    // Nor is what somebody else did since taken back by one who didn't see it.
    let undo = #expect(throws: PracticeError.self) {
      try practice.perform(UndoInbox(id: item.id, seen: item.revision), by: desk, at: clinic.now)
    }
    #expect(undo?.code == .changedMeanwhile)
  }

  @Test func `several are decided as one and taken back as one, or not at all`() throws {
    let items = try ["Bella limps.", "Phoebe sneezes.", "Bella itches."].map { try take($0) }
    let filed = try practice.perform(
      FileSeveral(pairs: [.init(id: items[0].id, patient: "B1", seen: 0), .init(id: items[1].id, patient: "B3")]),
      by: desk, at: clinic.now)
    #expect(filed.map(\.state) == [.filed, .filed])
    let batch = try #require(filed[0].batch)
    #expect(filed[1].batch == batch)
    // One of them can't be filed: none is.
    #expect(throws: PracticeError.self) {
      try practice.perform(
        FileSeveral(pairs: [.init(id: items[2].id, patient: "B1"), .init(id: items[0].id, patient: "B1")]), by: desk,
        at: clinic.now)
    }
    #expect(try open().map(\.id) == [items[2].id])
    let undone = try practice.perform(UndoInboxBatch(batch: batch), by: nurse, at: clinic.now)
    #expect(try Set(undone.map(\.id)) == [items[0].id, items[1].id] && open().count == 3)
    let aside = try practice.perform(
      SetSeveralAside(ids: items.map(\.id), isRejected: false, until: clinic.now.adding(minutes: 9)), by: desk,
      at: clinic.now)
    try practice.perform(
      SetInboxItemAside(id: items[0].id, isRejected: true, reason: "twice"), by: desk, at: clinic.now)
    #expect(throws: PracticeError.self) {
      try practice.perform(UndoInboxBatch(batch: #require(aside[0].batch)), by: desk, at: clinic.now)
    }
    #expect(try open().map(\.state) == [.later, .later])
  }

  @Test func `somebody goes on where they were, and others see what they have open`() throws {
    let items = try ["Bella limps.", "Phoebe sneezes.", "Bella itches."].map { try take($0) }
    let order = try open().map(\.id)
    let other = try #require(items.first { $0.id != order[0] })
    try practice.perform(KeepInboxPlace(item: other.id, chosen: [order[0]]), by: desk, at: clinic.now)
    try clinic.reopen()
    let session = try practice.perform(ShowInboxSession(), by: desk, at: clinic.now)
    #expect(session.item == other.id && session.chosen == [order[0]] && session.others.isEmpty)
    let seen = try practice.perform(ShowInboxSession(), by: nurse, at: clinic.now.adding(minutes: 1))
    #expect(seen.item == nil && seen.next == order.filter { $0 != other.id })
    #expect(seen.others.map(\.name) == ["kim"] && seen.others.map(\.item) == [other.id])
    let shown = try practice.perform(ShowInboxItem(id: other.id), by: nurse, at: clinic.now)
    #expect(shown.readers.map(\.name) == ["kim"])
    // Whoever left it open long ago has it open no more.
    #expect(try practice.perform(ShowInboxSession(), by: nurse, at: clinic.now.adding(minutes: 9)).next == order)
    try practice.perform(AssignInboxItem(id: other.id, patient: "B1"), by: nurse, at: clinic.now)
    #expect(try practice.perform(ShowInboxSession(), by: desk, at: clinic.now).item == nil)
    try practice.perform(KeepInboxPlace(item: ""), by: desk, at: clinic.now)
    #expect(try practice.perform(ShowInboxSession(), by: desk, at: clinic.now).chosen == [order[0]])
  }

  @Test func `an imported message of nobody on file waits, gets its patient, and comes in again without harm`() throws {
    let file = clinic.folder.file("intakes.jsonl")
    let rows = [
      #"{"id":"I1","received_at":"2026-11-19T09:00","channel":"web form","text":"Phoebe of Ngozi Okafor sneezes."}"#,
      #"{"id":"I2","received_at":"2026-05-19T09:00","channel":"web form","text":"An old one."}"#,
      #"{"id":"I3","patient_id":"B1","received_at":"2026-11-19T09:00","text":"Of Bella."}"#,
    ]
    try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
    func bringIn() throws {
      try practice.perform(
        ImportRecords(
          paths: [file], options: ImportOptions(kind: "intakes", rejectsPath: clinic.folder.file("r"), indexes: false)),
        by: .local, at: clinic.now)
    }
    try bringIn()
    let item = try #require(try open().first)
    #expect(try open().count == 1 && item.proposals.first?.patient.id == "B3")
    let filed = try practice.perform(AssignInboxItem(id: item.id, patient: "B3"), by: desk, at: clinic.now)
    #expect(filed.filed?.id == "I1")
    #expect(try practice.connection.intakes.intakes(id: "I1").first?.value.patientID == "B3")
    try bringIn()
    #expect(try open().isEmpty && practice.connection.intakes.intakes(id: "I1").first?.value.patientID == "B3")
    try practice.perform(UndoInbox(), by: desk, at: clinic.now)
    #expect(try practice.connection.intakes.intakes(id: "I1").first?.value.patientID == nil)
    #expect(try practice.connection.intakes.count() == 3 && practice.integrity.verify().ok)
  }

  @Test func `erasing a patient takes what was asked about it, and its places`() throws {
    let canary = "Zanzibarquartz"
    let item = try take("Bella limps.", from: "Jane Marsh", contact: "01632 960101")
    try practice.perform(AskBack(id: item.id, text: canary), by: desk, at: clinic.now)
    try practice.perform(KeepInboxPlace(item: item.id, chosen: [item.id]), by: desk, at: clinic.now)
    try practice.perform(AssignInboxItem(id: item.id, patient: "B1"), by: desk, at: clinic.now)
    let report = try practice.perform(ErasePatient(reference: "B1", reason: "asked"), by: .local, at: clinic.now)
    #expect(report.inboxRemoved == [item.id])
    #expect(try practice.connection.inbox.places().first?.item == nil)
    _ = try practice.connection.checkpoint(truncate: true)
    let bytes = try Data(contentsOf: URL(filePath: practice.path))
    #expect(bytes.range(of: Data(canary.utf8)) == nil)
  }

  // MARK: Any order

  /// How everything stands, without the record of who decided.
  private func state() throws -> [String: ContentSummary.Table] {
    // A visit that was booked and taken back stays in the book as cancelled.
    let passing: Set = [
      "change_count", "inbox_decision", "inbox_place", "inbox_number", "job", "source", "appointment",
      "appointment_option", "appointment_resource", "clinician_slot", "resource_slot", "erased", "record_hash",
      "assessment",
    ]
    return try practice.connection.contentSummary().tables.filter {
      !$0.key.hasPrefix("audit_") && !$0.key.hasPrefix("plan_") && !passing.contains($0.key)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `acts at random and their undoing in any order lose nothing and file nothing twice`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for number in 1...3 {
      try take("Bella limps, number \(number).", from: "Jane Marsh")
      try practice.perform(AddToInbox(items: [letter("l\(number)")]), by: desk, at: clinic.now)
    }
    try practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
    let before = try state()
    let ids = try open().map(\.id)
    var acted = 0
    var moment = clinic.now
    for step in 1...40 {
      moment = moment.adding(minutes: 1)
      let id = try #require(ids.randomElement(using: &random))
      let patient = try #require(["B1", "B2", "B3"].randomElement(using: &random))
      let actor = Bool.random(using: &random) ? desk : nurse
      do {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: try practice.perform(AssignInboxItem(id: id, patient: patient), by: actor, at: moment)
        case 2:
          try practice.perform(
            SetInboxItemAside(id: id, isRejected: true, reason: "step \(step)"), by: actor, at: moment)
        case 3:
          try practice.perform(
            SetInboxItemAside(id: id, isRejected: false, until: moment.adding(minutes: 3)), by: actor, at: moment)
        case 4: try practice.perform(AskBack(id: id, text: "step \(step)?"), by: actor, at: moment)
        case 5:
          let start = SmallClinic.at("2026-11-23T09:00").adding(minutes: step * 15)
          try practice.perform(
            BookInboxItem(
              id: id, patient: patient,
              booking: Booking(patient: nil, start: start, minutes: 10, clinicianID: "V1", visitType: .nurseClinic)),
            by: actor, at: moment)
        case 6: try practice.perform(SetSeveralAside(ids: [id, ids[0]], isRejected: false), by: actor, at: moment)
        default: try practice.perform(UndoInbox(id: Bool.random(using: &random) ? id : nil), by: actor, at: moment)
        }
        acted += 1
      } catch is PracticeError {
        // Refused, for it is filed, or was decided so already.
      }
      // Each is somewhere, and what is filed is there once.
      let all = try practice.perform(ListInbox(states: InboxItem.State.allCases), by: desk, at: moment)
      #expect(Set(all.map(\.id)) == Set(ids) && all.count == ids.count)
      let filed = all.compactMap { $0.filed.map { "\($0.kind) \($0.id)" } }
      #expect(Set(filed).count == filed.count)
      let notes = try ["B1", "B2", "B3"].reduce(0) {
        try $0 + practice.records.timeline(of: $1, since: nil, until: nil).count
      }
      #expect(try notes + practice.connection.intakes.count() >= filed.count)
      #expect(try practice.connection.intakes.count() == filed.filter { $0.hasPrefix("intake") }.count)
    }
    #expect(acted > 10)
    try clinic.reopen()
    while (try? practice.perform(UndoInbox(), by: desk, at: moment)) != nil {}
    let after = try state()
    #expect(before.keys.filter { before[$0] != after[$0] } == [])
    let day = try practice.perform(
      ShowDay(date: SmallClinic.zone.date(of: SmallClinic.at("2026-11-23T09:00"))), by: desk, at: moment)
    #expect(day.entries.filter { $0.appointment.status.occupiesTime }.isEmpty)
    #expect(try open(at: moment).map(\.id) == ids && practice.integrity.verify().ok)
  }
}
