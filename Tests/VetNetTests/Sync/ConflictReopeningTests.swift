import Clinical
import Foundation
@testable import Store
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// A conflict that was settled is opened again, on any device, and all say the same afterwards.
struct ConflictReopeningTests {
  private static let now = ClonedPractice.now

  private static func setWeight(_ weight: Double, _ practice: Practice, at moment: Timestamp) throws {
    let known = try practice.perform(ShowRegistration(reference: "P1"), by: .local, at: moment)
    var fields = PatientFields(known.patient)
    fields.weightKilograms = weight
    try practice.perform(
      AmendPatient(reference: "P1", fields: fields, acceptsDoubts: true), by: .local, at: moment)
  }

  private static func weight(_ practice: Practice) throws -> Double? {
    try practice.perform(ShowRegistration(reference: "P1"), by: .local, at: now).patient.weightKilograms
  }

  /// As ``ClonedPractice/syncAll()``, at a moment of its own: no clock goes back here.
  private static func sync(_ cloned: ClonedPractice, at moment: Timestamp) throws {
    for practice in [cloned.clones[0], cloned.hub, cloned.clones[0]] {
      try practice.perform(ExchangeWithFolder(path: cloned.place.file("stick")), by: .local, at: moment)
    }
  }

  /// A hub and a clone that gave one animal two weights; the clone's is the later one.
  private static func disagreeing() throws -> (cloned: ClonedPractice, id: String) {
    let cloned = try ClonedPractice()
    try setWeight(11, cloned.hub, at: now)
    try setWeight(22, cloned.clones[0], at: now.adding(minutes: 5))
    try sync(cloned, at: now.adding(minutes: 6))
    let conflicts = try cloned.hub.perform(ListSyncConflicts(), by: .local, at: now)
    return (cloned, try #require(conflicts.first { $0.field == "weight_kg" }).id)
  }

  /// Where it is settled and where that is taken back, how, what stands then, and what after it was taken back.
  private static let rows:
    [(settles: Int, opens: Int, choice: SettleSyncConflict.Choice, then: Double, after: Double)] =
      [
        (0, 0, .ours, 11, 22), (0, 1, .ours, 11, 22), (1, 0, .ours, 11, 22), (1, 1, .ours, 11, 22),
        (0, 1, .theirs, 22, 22), (1, 0, .leave, 22, 22),
      ]

  @Test(arguments: rows)
  func `what is settled and opened again on any side is the same on all`(
    settles: Int, opens: Int, choice: SettleSyncConflict.Choice, then: Double, after: Double
  ) throws {
    let (cloned, id) = try Self.disagreeing()
    let all = [cloned.hub, cloned.clones[0]]
    #expect(try all.map(Self.weight) == [22, 22])
    try all[settles].perform(SettleSyncConflict(id: id, choice: choice), by: .local, at: Self.now.adding(minutes: 9))
    try Self.sync(cloned, at: Self.now.adding(minutes: 10))
    #expect(try all.map(Self.weight) == [then, then])
    let settled = try all[opens].perform(ListSyncConflicts(all: true), by: .local, at: Self.now)
    let found = try #require(settled.first { $0.id == id })
    #expect(found.choice == choice && found.background.settledAt == Self.now.adding(minutes: 9))
    #expect(found.background.theirs?.device == "laptop 1")
    let opened = try all[opens].perform(ReopenSyncConflict(id: id), by: .local, at: Self.now.adding(minutes: 20))
    #expect(opened.settled == nil)
    try Self.sync(cloned, at: Self.now.adding(minutes: 21))
    #expect(try all.map(Self.weight) == [after, after])
    #expect(try SyncWorld.dump(cloned.hub) == SyncWorld.dump(cloned.clones[0]))
    for practice in all {
      #expect(try practice.perform(ListSyncConflicts(), by: .local, at: Self.now).map(\.id) == [id])
      #expect(try practice.perform(VerifyAudit(anchors: []), by: .local, at: Self.now).ok)
    }
    // One that is open is not opened again.
    let error = #expect(throws: PracticeError.self) {
      try cloned.hub.perform(ReopenSyncConflict(id: id), by: .local, at: Self.now)
    }
    #expect(error?.code == .notFound)
  }

  @Test func `a conflict names no words of its own: what is put back is found by who said it`() throws {
    let (cloned, id) = try Self.disagreeing()
    try cloned.hub.perform(SettleSyncConflict(id: id, choice: .ours), by: .local, at: Self.now.adding(minutes: 9))
    let log = try cloned.hub.connection.operationLog.operations(
      of: RecordName(kind: MergeRules.conflictKind, source: "hub", id: id))
    let said = log.flatMap { $0.fields.values }
    #expect(log.count == 2 && log[1].fields["before"] != nil)
    #expect(!said.contains(.number(11)) && !said.contains(.number(22)))
  }
}
