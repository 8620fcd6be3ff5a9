import Clinical
import Foundation
@testable import Store
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// A hub and devices whose programs are of different versions: each goes on, says which is to be updated, and loses nothing.
struct SyncVersionTests {
  private static let later = "m0099_later"
  private static let vaccine = RecordName(kind: "vaccine", source: "vetnet", id: "vaccine-d1-1")
  private static let patient = RecordName(kind: "patient", source: "practice", id: "P2")
  private var schema: Int { SchemaDifference.number(Practice.Sync.schemaName) ?? 0 }

  struct Row: Sendable {
    let own: String
    let hub: String
    let notice: String?
  }

  @Test(
    "the sentence says which file has which schema, and where to update",
    arguments: [
      Row(own: "m0036_a", hub: "m0036_b", notice: nil),
      Row(own: "m0036_a", hub: "whatever", notice: nil),
      Row(own: "", hub: "m0036_a", notice: nil),
      Row(
        own: "m0036_a", hub: "m0037_b",
        notice:
          "this file has schema 36 and the hub's file 37: what vetnet doesn't know yet here is kept there and passed on, and stands in the records once vetnet is updated here"
      ),
      Row(
        own: "m0037_a", hub: "m0036_b",
        notice:
          "the hub's file has schema 36 and this file 37: what vetnet doesn't know yet at the hub is kept there and passed on, and stands in the records once vetnet is updated at the hub"
      ),
    ])
  func sentence(row: Row) {
    let own = ReplicaHello(schema: row.own, practice: "p", replica: 1, sequence: 0, pulled: 0, pulledStamp: nil)
    let hub = HubHello(schema: row.hub, practice: "p", name: nil, hubSequence: 0, acknowledged: 0)
    #expect(SchemaDifference.notice(own, hub) == row.notice)
  }

  /// Puts into a file's log what a later program would: a kind, a field and a content that nobody here knows, and one that everybody does.
  private func writeAsLater(_ practice: Practice) throws {
    try practice.writing {
      let own = try #require(try practice.connection.operationLog.own())
      var writer = OperationWriter(connection: practice.connection, own: own, actor: "a", now: ClonedPractice.now)
      try writer.append(Self.vaccine, turn: .made, fields: ["batch": .text("A7")])
      try writer.append(
        Self.patient, turn: nil,
        fields: [
          "temperament": .text("calm"), "species": .text("quokka"),
          "sex": .text("unheard of"), "breed": .text("short-tailed"),
        ])
      try practice.connection.operationLog.keep(writer.own)
    }
  }

  /// Has what one side left on the stick say that it is of another schema.
  private func relabel<Packet: Codable>(
    _ cloned: ClonedPractice, _ direction: SyncFolder.Direction, _ type: Packet.Type, _ change: (inout Packet) -> Void
  ) throws {
    let own = try #require(try cloned.clones[0].connection.operationLog.own())
    let key = try #require(own.key)
    let folder = try SyncFolder(cloned.place.file("stick"), practice: own.practice)
    var packet = try #require(try folder.read(direction, own.replica, key: key, as: type))
    change(&packet)
    try folder.write(packet, direction, own.replica, key: key)
  }

  private func said(_ practice: Practice, _ name: RecordName) throws -> [[String: FieldContent]] {
    try practice.connection.operationLog.operations(of: name).map(\.fields)
  }

  @Test func `a hub takes from a later device what it knows, keeps and passes on what it doesn't, and says so`() throws
  {
    let cloned = try ClonedPractice(clones: 2)
    let own = cloned.hub.connection
    let before = try #require(
      try own.replicated.ownRow(Self.patient).flatMap { try own.replicated.fields(.patient, row: $0) })
    try writeAsLater(cloned.clones[0])
    try cloned.exchange(cloned.clones[0])
    try relabel(cloned, .fromDevice, DevicePacket.self) { $0.hello.schema = Self.later }
    // The hub's side as it is run there.
    let swept = try SweptPractice.shared.get()
    let synced = try swept.process(cloned.place.file("hub")).start(
      ["sync", "--with", cloned.place.file("stick"), "--json", "--now", SweptPractice.now]
    ).wait()
    #expect(synced.status == 0, "\(synced)")
    let notices = try #require(try synced.json()["notices"] as? [String])
    #expect(
      notices.count == 1 && notices[0].hasPrefix("this file has schema \(schema) and that of device 'laptop 1' 99"))
    #expect(notices[0].hasSuffix("once vetnet is updated here"))
    try cloned.syncAll()
    let all = cloned.clones + [cloned.hub]
    for practice in all {
      #expect(try said(practice, Self.vaccine) == [["batch": .text("A7")]])
      let fields = try said(practice, Self.patient)
      #expect(fields.last?["species"] == .text("quokka") && fields.last?["temperament"] == .text("calm"))
      let row = try #require(try practice.connection.replicated.ownRow(Self.patient))
      let shown = try #require(try practice.connection.replicated.fields(.patient, row: row))
      // What is known is taken; what isn't leaves what was there.
      #expect(shown["breed"] == .text("short-tailed") && shown["species"] == before["species"])
      #expect(shown["sex"] == before["sex"])
      #expect(try practice.integrity.verify().ok)
    }
    // Nobody said anything else of it since: a later program finds all as it was said.
    let last = try cloned.hub.connection.operationLog.operations(of: Self.patient).last
    #expect(last?.replica == 1 && last?.outcome == .taken)
    let fold = RecordFold(
      try cloned.hub.connection.operationLog.operations(of: Self.patient), rule: MergeRules.standard.rule(of: "patient")
    )
    #expect(fold.contents["species"] == .text("quokka"))
    #expect(try cloned.hub.sync.syncConflicts().isEmpty)
  }

  @Test func `a device takes from a later hub what it knows, keeps what it doesn't, and says so`() throws {
    let cloned = try ClonedPractice()
    try writeAsLater(cloned.hub)
    let note = try cloned.note("Rang: well.", at: cloned.hub)
    try cloned.exchange(cloned.clones[0])
    try cloned.exchange(cloned.hub)
    try relabel(cloned, .fromHub, HubPacket.self) { $0.hello.schema = Self.later }
    let swept = try SweptPractice.shared.get()
    let synced = try swept.process(cloned.place.file("laptop 1")).start(
      ["sync", "--with", cloned.place.file("stick"), "--now", SweptPractice.now]
    ).wait()
    #expect(synced.status == 0, "\(synced)")
    #expect(synced.errors.contains("this file has schema \(schema) and the hub's file 99"), "\(synced)")
    let clone = cloned.clones[0]
    #expect(try said(clone, Self.vaccine) == [["batch": .text("A7")]])
    #expect(try SyncWorld.dump(clone).contains { $0.contains(note) })
    // What is written here goes on, and says nothing of what isn't known here.
    try cloned.note("Seen at the farm.", at: clone, patient: "P2")
    try cloned.syncAll()
    #expect(try SyncWorld.dump(clone) == SyncWorld.dump(cloned.hub))
    #expect(try said(cloned.hub, Self.patient).last?["species"] == .text("quokka"))
  }

  // MARK: The update

  /// Makes a file what a program leaves that doesn't know requests for help, weights and amended visits' reasons: its log has them, and its
  /// records don't.
  private func forget(_ practice: Practice, _ intake: RecordName, _ visit: RecordName) throws {
    let log = practice.connection.logChanges
    practice.connection.logChanges = nil
    defer { practice.connection.logChanges = log }
    let connection = practice.connection
    try practice.writing {
      _ = try connection.replicated.remove(intake, erasedAt: nil)
      try connection.execute("DELETE FROM sync_record WHERE kind = 'intake'")
      for (name, field) in [(Self.patient, "weight_kg"), (visit, "reason")] {
        let row = try #require(try connection.replicated.ownRow(name))
        try connection.replicated.write(
          [field: .none], to: name, by: RemoteAuthor(actor: "a", at: ClonedPractice.now, reason: "r"))
        var known = try #require(try connection.loggedRecords.entry(name)).fields
        known[field] = nil
        try connection.loggedRecords.keep(name, row: row, fields: known)
      }
      try connection.operationLog.setFolded(by: "m0034_devices")
    }
  }

  enum Side: String, CaseIterable, Sendable { case hub, device }

  @Test("what the log kept stands in the records after the update, and nothing is said twice", arguments: Side.allCases)
  func recordsFollowTheUpdate(side: Side) throws {
    let cloned = try ClonedPractice(clones: 2)
    let clone = cloned.clones[0]
    let visit = try clone.perform(
      BookAppointment(
        booking: Booking(
          patient: "P1", start: SmallClinic.at("2026-11-24T09:00"), minutes: 20, clinicianID: "S1", reason: "itching")),
      by: .local, at: ClonedPractice.now
    ).appointment
    var intake: RecordName?
    try clone.writing {
      let connection = clone.connection
      let id = try connection.recordIDs.unused(.intake)
      let row = try connection.intakes.upsert(
        Intake(id: id, patientID: "P1", receivedAt: ClonedPractice.now, text: "rang, limping"),
        source: connection.sources.local()
      ).rowID
      intake = try connection.replicated.name(.intake, row: row)
      try connection.replicated.write(
        ["weight_kg": .number(31.5)], to: Self.patient,
        by: RemoteAuthor(actor: "a", at: ClonedPractice.now, reason: "r"))
    }
    try cloned.syncAll()
    let truth = try SyncWorld.dump(cloned.hub)
    #expect(truth.contains { $0.contains("31.5") } && truth.contains { $0.contains("limping") })
    let row = try #require(try clone.connection.recordIDs.row(.appointment, visit.id))
    let visitName = try #require(try clone.connection.replicated.name(.appointment, row: row))
    let updated = side == .hub ? cloned.hub : clone
    try forget(updated, #require(intake), visitName)
    #expect(try SyncWorld.dump(updated) != truth)
    let count = try cloned.hub.connection.operationLog.count()
    // The program of today, on the file of the one before; something has to pass for it to look.
    let other = side == .hub ? cloned.clones[1] : cloned.hub
    let note = try cloned.note("Something passes.", at: other, patient: "P3")
    try cloned.syncAll()
    let after = try SyncWorld.dump(updated)
    #expect(after.filter { !$0.contains(note) } == truth.filter { !$0.contains(note) })
    for practice in cloned.clones + [cloned.hub] {
      #expect(try SyncWorld.dump(practice) == after)
      #expect(try practice.integrity.verify().ok)
    }
    #expect(try cloned.hub.connection.operationLog.count() == count + 1, "the note, and nothing else")
    #expect(try updated.connection.operationLog.foldedBy() == Practice.Sync.schemaName)
  }
}
