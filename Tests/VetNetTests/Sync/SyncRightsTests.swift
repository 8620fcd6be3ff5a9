import Clinical
import Foundation
@testable import Store
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// Whose clone it is: what their role permits at the hub is taken through a folder, and what it doesn't is listed.
struct SyncRightsTests {
  private let cloned: ClonedPractice
  private let ann = Actor(name: "ann", role: .administrator)
  private static func actor(_ role: Role) -> Actor { Actor(name: "a \(role.rawValue)", role: role) }

  /// A hub with an administrator and one of each other role.
  init() throws {
    cloned = try ClonedPractice(clones: 0)
    let now = ClonedPractice.now
    let verifier = { try PassphraseVerifier(of: Passphrase("four words, or five"), cost: .least) }
    try cloned.hub.perform(AddUser(name: "ann", role: .administrator, verifier: verifier()), by: .local, at: now)
    for role in [Role.veterinarian, .nurse, .reception] {
      try cloned.hub.perform(AddUser(name: "a \(role.rawValue)", role: role, verifier: verifier()), by: ann, at: now)
    }
  }

  private func book(_ practice: Practice, by actor: Actor, at time: String = "2026-11-24T09:00") throws {
    try practice.perform(
      BookAppointment(
        booking: Booking(patient: "P1", start: SmallClinic.at(time), minutes: 20, clinicianID: "S1")),
      by: actor, at: ClonedPractice.now)
  }

  private func sync(_ clone: Practice, by actor: Actor) throws -> [FolderExchange] {
    try [(clone, actor), (cloned.hub, ann), (clone, actor)].map { try cloned.exchange($0.0, by: $0.1) }
  }

  private func texts(_ practice: Practice) throws -> [String] {
    try practice.connection.rows("SELECT text FROM note WHERE text LIKE 'On the farm%'") { $0.text(0) }
  }

  @Test("each role has a device, which does what the role may", arguments: [Role.veterinarian, .nurse, .reception])
  func eachRoleHasADevice(role: Role) throws {
    let actor = Self.actor(role)
    let clone = try cloned.makeClone("laptop", of: actor.name, by: ann)
    try book(clone, by: actor)
    var wrote = true
    do {
      _ = try cloned.note("On the farm: sound.", at: clone, by: actor)
    } catch let error as PracticeError where error.code == .notPermitted {
      wrote = false
    }
    #expect(wrote == role.may(.writeRecord))
    let exchanges = try sync(clone, by: actor)
    #expect(exchanges.allSatisfy { $0.refused.isEmpty })
    #expect(try texts(cloned.hub).count == (wrote ? 1 : 0))
    #expect(try SyncWorld.dump(clone) == SyncWorld.dump(cloned.hub))
    #expect(try SyncWorld.dump(clone).contains { $0.hasPrefix("appointment vetnet:") && $0.contains("status=booked") })
    #expect(try cloned.hub.sync.syncConflicts().isEmpty)
  }

  @Test(
    "what a role doesn't permit at the hub is not taken, and listed with its words",
    arguments: [Role.nurse, .reception])
  func roleIsAskedAtTheHub(role: Role) throws {
    let vet = Self.actor(.veterinarian)
    let clone = try cloned.makeClone("laptop", of: vet.name, by: ann)
    // Since then, and the clone hasn't heard.
    try cloned.hub.perform(SetUserRole(name: vet.name, role: role), by: ann, at: ClonedPractice.now)
    _ = try cloned.note("On the farm: sound.", at: clone, by: vet)
    try book(clone, by: vet)
    _ = try sync(clone, by: vet)
    let isTaken = role.may(.writeRecord)
    #expect(try texts(cloned.hub).count == (isTaken ? 1 : 0))
    for practice in [cloned.hub, clone] {
      let conflicts = try practice.sync.syncConflicts()
      #expect(conflicts.count == (isTaken ? 0 : 1))
      guard let conflict = conflicts.first else { continue }
      #expect(conflict.reason == "the device acts as reception, who may not write record")
      #expect(conflict.field == "text" && conflict.theirs == .text("On the farm: sound."))
    }
    #expect(try SyncWorld.dump(clone) == SyncWorld.dump(cloned.hub))
    #expect(try SyncWorld.dump(cloned.hub).contains { $0.hasPrefix("appointment vetnet:") })
  }

  @Test func `a device whose user was disabled is told so, and what it has waits there`() throws {
    let vet = Self.actor(.veterinarian)
    let clone = try cloned.makeClone("laptop", of: vet.name, by: ann)
    _ = try cloned.note("On the farm: sound.", at: clone, by: vet)
    try cloned.hub.perform(DisableUser(name: vet.name), by: ann, at: ClonedPractice.now)
    let exchanges = try sync(clone, by: vet)
    #expect(exchanges[1].refused.count == 1)
    #expect(exchanges[1].refused[0].contains("whoever works on 'laptop' may not use the practice any more"))
    #expect(try texts(cloned.hub).isEmpty && clone.sync.syncStatus().waiting > 0)
    #expect(try texts(clone) == ["On the farm: sound."])
  }

  @Test func `a clone that is nobody's is asked by who made each change`() throws {
    let vet = Self.actor(.veterinarian)
    let clone = try cloned.makeClone("laptop", of: vet.name, by: ann)
    // As one that was made before the hub kept whose it is.
    try cloned.hub.connection.execute("UPDATE sync_replica SET user_id = NULL")
    _ = try cloned.note("On the farm: sound.", at: clone, by: vet)
    try clone.writing {
      let own = try #require(try clone.connection.operationLog.own())
      let patient = RecordName(kind: "patient", source: "practice", id: "P2")
      for (actor, weight) in [("a reception", 10.0), ("somebody", 99)] {
        var writer = OperationWriter(
          connection: clone.connection, own: try clone.connection.operationLog.own() ?? own, actor: actor,
          now: ClonedPractice.now)
        try writer.append(patient, turn: nil, fields: ["weight_kg": .number(weight)])
        try clone.connection.operationLog.keep(writer.own)
      }
    }
    _ = try sync(clone, by: vet)
    #expect(try texts(cloned.hub) == ["On the farm: sound."])
    let hub = cloned.hub.connection
    let row = try #require(try hub.recordIDs.row(.patient, "P2"))
    #expect(try hub.patients.patient(row: row)?.value.weightKilograms == 10)
    let conflicts = try cloned.hub.sync.syncConflicts()
    #expect(conflicts.map(\.theirs) == [.number(99)])
    #expect(conflicts.first?.reason?.contains("anybody who uses the practice") == true)
  }

  @Test func `a clone has the verifier of its own user and of nobody else`() throws {
    let hub = cloned.hub.connection
    let verifiers = try hub.rows("SELECT name, verifier FROM user") { ($0.text(0), $0.text(1)) }
    #expect(verifiers.count == 4)
    let nurse = Self.actor(.nurse)
    let clone = try cloned.makeClone("phone", of: nurse.name, by: ann)
    let bytes = try Data(contentsOf: URL(filePath: clone.path))
    for (name, verifier) in verifiers {
      #expect((bytes.range(of: Data(verifier.utf8)) != nil) == (name == nurse.name), "\(name)")
    }
    clone.secrets.passphraseCost = .least
    let words = Passphrase("four words, or five")
    #expect(try clone.people.identify(nurse.name, words, from: "here", at: ClonedPractice.now) == nurse)
    #expect(throws: PracticeError.self) {
      try clone.people.identify("ann", words, from: "here", at: ClonedPractice.now)
    }
  }

  @Test func `a clone is somebody's who works with records`() throws {
    for user in [nil, "ann", "nobody"] {
      let error = #expect(throws: PracticeError.self) { try cloned.makeClone("x", of: user, by: ann) }
      #expect(error?.code == (user == "nobody" ? .notFound : .invalidArgument))
    }
    #expect(try cloned.hub.connection.replicas.list().isEmpty)
    let nurse = Self.actor(.nurse)
    let error = #expect(throws: PracticeError.self) { try cloned.makeClone("y", by: nurse) }
    #expect(error?.code == .notPermitted, "who copies the whole practice needs more than to work on a device")
  }
}
