import Answering
import Clinical
import Foundation
import Sync
import Testing
import VetNetTestSupport

@testable import Store
@testable import VetNet

/// A hub's file and clones of it, with a folder between them, each change through the door.
final class ClonedPractice {
  let place: TemporaryFolder
  let models: ModelDirectory
  let hub: Practice
  private(set) var clones: [Practice] = []
  static let now = SmallClinic.at("2026-11-20T18:00")

  init(clones count: Int = 1, encryptedBy key: NewFileKey? = nil) throws {
    let swept = try SweptPractice.shared.get()
    place = try TemporaryFolder()
    models = try ModelDirectory(path: swept.models)
    try FileManager.default.copyItem(atPath: swept.base, toPath: place.file("hub"))
    try FileManager.default.createDirectory(atPath: place.file("stick"), withIntermediateDirectories: true)
    let path = place.file("hub/p.vetnet")
    if let key {
      _ = try Practice.File.encrypt(EncryptPractice(), at: path, with: key, models: models, by: .local, now: Self.now)
    }
    hub = try Practice.open(at: path, models: models, access: .write)
    for number in 0..<count { try clones.append(makeClone("laptop \(number + 1)")) }
  }

  func makeClone(
    _ name: String, of user: String? = nil, by actor: Actor = .local, encryptedBy key: NewFileKey? = nil
  ) throws -> Practice {
    let path = place.file("\(name)/p.vetnet")
    try FileManager.default.createDirectory(atPath: place.file(name), withIntermediateDirectories: true)
    hub.secrets.offeredBackupKey = key
    try hub.perform(CloneHub(path: path, device: name, user: user), by: actor, at: Self.now)
    return try Practice.open(at: path, models: models, access: .write)
  }

  /// The device, the hub, the device again.
  func syncAll() throws {
    for _ in 0..<2 {
      for clone in clones { try exchange(clone) }
      try exchange(hub)
      for clone in clones { try exchange(clone) }
    }
  }

  @discardableResult
  func exchange(_ practice: Practice, by actor: Actor = .local) throws -> FolderExchange {
    try practice.perform(ExchangeWithFolder(path: place.file("stick")), by: actor, at: Self.now)
  }

  func note(_ text: String, at practice: Practice, patient: String = "P1", by actor: Actor = .local) throws -> String {
    let patient = try practice.perform(IdentifyPatient(reference: patient), by: actor, at: Self.now)
    return try practice.perform(
      AddNote(patient: patient.id, kind: .consult, author: nil, text: text, recordedAt: Self.now), by: actor,
      at: Self.now
    ).id
  }

  /// Whether any file below a folder holds these bytes.
  static func holds(_ word: String, in folder: String) throws -> Bool { try holds(Data(word.utf8), in: folder) }

  static func holds(_ bytes: Data, in folder: String) throws -> Bool {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try names.contains { name in
      var isFolder: ObjCBool = false
      let path = "\(folder)/\(name)"
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
      if isFolder.boolValue { return try holds(bytes, in: path) }
      return try Data(contentsOf: URL(filePath: path)).range(of: bytes) != nil
    }
  }
}

/// Clones of a practice file, and what passes between them and their hub through a folder.
struct SyncFileTests {
  @Test func `what is written in a clone and at the hub is in both after a stick went there and back`() throws {
    let cloned = try ClonedPractice(clones: 2)
    let here = try cloned.note("Seen at the farm: sound.", at: cloned.clones[0])
    #expect(here.hasPrefix("note-d1-"))
    let there = try cloned.note("Rang: well.", at: cloned.hub)
    let other = try cloned.note("In the ward.", at: cloned.clones[1])
    #expect(other.hasPrefix("note-d2-"))
    try cloned.syncAll()
    let truth = try SyncWorld.dump(cloned.hub)
    for clone in cloned.clones { #expect(try SyncWorld.dump(clone) == truth) }
    for id in [here, there, other] { #expect(truth.contains { $0.contains(id) }) }
    for practice in cloned.clones + [cloned.hub] {
      #expect(try practice.perform(VerifyAudit(anchors: []), by: .local, at: ClonedPractice.now).ok)
      #expect(try practice.integrity.verify().ok)
      let found = try practice.perform(
        Ask(question: "was she seen at the farm?", patient: "P1", askedAt: ClonedPractice.now), by: .local,
        at: ClonedPractice.now)
      #expect(found.sentences.isEmpty == false, "what came is indexed there")
    }
  }

  @Test func `a clone leaves at the hub what is the hub's, and refuses what only the hub does`() throws {
    let cloned = try ClonedPractice()
    let clone = cloned.clones[0]
    for table in Clone.left where table != "device" {
      #expect(
        try clone.connection.number("SELECT count(*) FROM \(table)") <= (table.hasPrefix("audit") ? 9 : 0), "\(table)")
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: clone.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    for work in [
      {
        try clone.perform(
          ErasePatient(reference: "P1", reason: "r", withClient: false), by: .local, at: ClonedPractice.now)
      }
        as () throws -> Any,
      { try clone.perform(MergePatients(first: "P1", second: "P2", reason: "r"), by: .local, at: ClonedPractice.now) },
      {
        try clone.perform(
          CloneHub(path: cloned.place.file("x.vetnet"), device: "x"), by: .local, at: ClonedPractice.now)
      },
    ] {
      #expect(throws: PracticeError.self) { try work() }
    }
  }

  @Test func `erased words leave the logs of hub and clones, and what comes late of them is not kept`() throws {
    let cloned = try ClonedPractice(clones: 2)
    let (marked, late) = ("qx71zvnote", "qx72zvlate")
    _ = try cloned.note("Canary \(marked)", at: cloned.hub, patient: "P3")
    try cloned.syncAll()
    // Still to be told when the patient is erased.
    _ = try cloned.note("Canary \(late)", at: cloned.clones[1], patient: "P3")
    try cloned.hub.perform(
      ErasePatient(reference: "P3", reason: "asked for", withClient: false), by: .local, at: ClonedPractice.now)
    try cloned.syncAll()
    for folder in ["hub", "laptop 1", "laptop 2"] {
      for word in [marked, late] {
        #expect(try !ClonedPractice.holds(word, in: cloned.place.file(folder)), "\(word) in \(folder)")
      }
    }
    for clone in cloned.clones { #expect(try SyncWorld.dump(clone) == SyncWorld.dump(cloned.hub)) }
  }

  @Test func `a file on the stick that was changed, or is another device's, is refused, and nothing of it taken`()
    throws
  {
    let cloned = try ClonedPractice(clones: 2)
    _ = try cloned.note("Seen.", at: cloned.clones[0])
    try cloned.exchange(cloned.clones[0])
    let folder = try #require(
      try FileManager.default.contentsOfDirectory(atPath: cloned.place.file("stick")).first)
    let path = cloned.place.file("stick/\(folder)/device-1.sync")
    let whole = try Data(contentsOf: URL(filePath: path))
    #expect(whole.range(of: Data("Seen.".utf8)) == nil, "a stick that is found says nothing")
    let before = try SyncWorld.dump(cloned.hub)
    for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
      var changed = whole
      changed[place] ^= 1
      try changed.write(to: URL(filePath: path))
      #expect(try cloned.exchange(cloned.hub).refused.count == 1, "byte \(place)")
    }
    try whole.write(to: URL(filePath: cloned.place.file("stick/\(folder)/device-2.sync")))
    try FileManager.default.removeItem(atPath: path)
    #expect(try cloned.exchange(cloned.hub).refused.count == 1)
    #expect(try SyncWorld.dump(cloned.hub) == before)
  }

  @Test func `a device that was revoked is told so, and nothing of it is taken`() throws {
    let cloned = try ClonedPractice()
    _ = try cloned.note("Seen.", at: cloned.clones[0])
    try cloned.exchange(cloned.clones[0])
    try cloned.hub.perform(RevokeReplica(device: "laptop 1"), by: .local, at: ClonedPractice.now)
    let before = try SyncWorld.dump(cloned.hub)
    let exchange = try cloned.exchange(cloned.hub)
    #expect(exchange.refused.count == 1)
    #expect(exchange.refused.first?.contains("was revoked") == true)
    #expect(try SyncWorld.dump(cloned.hub) == before)
  }

  @Test func `kinds and fields of a later program are kept and passed on`() throws {
    let cloned = try ClonedPractice(clones: 2)
    let clone = cloned.clones[0]
    try clone.writing {
      let own = try #require(try clone.connection.operationLog.own())
      var writer = OperationWriter(connection: clone.connection, own: own, actor: "a", now: ClonedPractice.now)
      try writer.append(
        RecordName(kind: "vaccine", source: "vetnet", id: "vaccine-d1-1"), turn: .made, fields: ["batch": .text("A7")])
      try writer.append(
        RecordName(kind: "patient", source: "practice", id: "P2"), turn: nil, fields: ["temperament": .text("calm")])
      try clone.connection.operationLog.keep(writer.own)
    }
    try cloned.syncAll()
    for practice in [cloned.hub, cloned.clones[1]] {
      let kept = try practice.connection.operationLog.operations(
        of: RecordName(kind: "vaccine", source: "vetnet", id: "vaccine-d1-1"))
      #expect(kept.map(\.fields) == [["batch": .text("A7")]])
      let patient = try practice.connection.operationLog.operations(
        of: RecordName(kind: "patient", source: "practice", id: "P2"))
      #expect(patient.map(\.fields) == [["temperament": .text("calm")]])
    }
  }

  @Test func `a file that was put back to an older state is told to be cloned anew`() throws {
    let cloned = try ClonedPractice()
    let path = cloned.clones[0].path
    let old = cloned.place.file("old.vetnet")
    try cloned.clones[0].perform(BackUp(destination: old), by: .local, at: ClonedPractice.now)
    _ = try cloned.note("Seen.", at: cloned.clones[0])
    try cloned.syncAll()
    // As if the laptop's disk had been put back.
    let back = try Practice.open(at: old, models: cloned.models, access: .write)
    #expect(path != back.path)
    let error = #expect(throws: SyncError.self) {
      _ = try SyncSession(
        of: PracticeReplica(back, by: .local, at: ClonedPractice.now),
        with: PracticeHub(cloned.hub, by: .local, at: ClonedPractice.now)
      ).run()
    }
    #expect(error?.code == .olderReplica)
    // And the hub's.
    var hello = try back.sync.replicaHello()
    hello.sequence = 99
    hello.pulled = 10_000
    let answer = try cloned.hub.sync.hello(hello)
    let other = #expect(throws: SyncError.self) { try SyncSession.check(hello, answer) }
    #expect(other?.code == .olderHub)
    hello.pulled = 0
    var newer = answer
    newer.protocolVersion = 2
    let third = #expect(throws: SyncError.self) { try SyncSession.check(hello, newer) }
    #expect(third?.code == .newerProtocol)
    #expect(third?.description.contains("update vetnet here") == true)
  }
}
