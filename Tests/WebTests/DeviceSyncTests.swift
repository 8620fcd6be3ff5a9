import Clinical
import Foundation
import PracticeTestSupport
import Testing
import VetNetTestSupport

@testable import Store
@testable import Sync
@testable import VetNet

/// A hub with users, and a machine that takes its practice along, over this machine's own network.
struct DeviceSyncTests {
  private let served: ServedPractice
  private let folder: TemporaryFolder
  private let vet = Actor(name: "a veterinarian", role: .veterinarian)
  private let administrator = Actor(name: "a administrator", role: .administrator)

  init() throws {
    served = try ServedPractice.closed(corpus: [
      "Corpus/clients.jsonl", "Corpus/patients.jsonl", "Corpus/staff.jsonl", "Corpus/resources.jsonl",
    ])
    folder = try TemporaryFolder()
  }

  private func open(_ path: String) throws -> Practice {
    try Practice.open(at: path, models: shippedModels(), access: .write)
  }

  private func hub() throws -> Practice { try open(served.path) }

  private func invite(_ name: String = "laptop", of actor: Actor? = nil) throws -> DeviceInvitation {
    let made = try hub().perform(
      InviteDevice(device: name, user: (actor ?? vet).name), by: administrator, at: served.clock.now)
    return DeviceInvitation(made, hub: try #require(HubAddress.read(beside: served.path)))
  }

  /// What reaches the hub, or what stands before it.
  private func dialer(_ port: Int? = nil) throws -> Dialer {
    try Dialer([HubURL("http://127.0.0.1:\(port ?? served.port)")])
  }

  @discardableResult
  private func take(
    _ invitation: DeviceInvitation, to name: String = "laptop.vetnet", through port: Int? = nil
  ) throws -> TakenAlong {
    try TakingAlong(invitation, to: folder.file(name), at: served.clock.now, reaching: dialer(port)).run(
      unlock: { _ in }, progress: { _, _ in })
  }

  @discardableResult
  private func sync(_ clone: Practice, by actor: Actor? = nil, through port: Int? = nil) throws -> SyncCounts {
    let replica = PracticeReplica(clone, by: actor ?? vet, at: served.clock.now)
    return try SyncSession(of: replica, with: clone.devices.hubConnection(reaching: dialer(port))).run().counts
  }

  @discardableResult
  private func write(_ text: String, of patient: String = "P001", in practice: Practice) throws -> String {
    try practice.perform(
      AddNote(patient: patient, kind: .phone, text: text, recordedAt: served.clock.now), by: vet, at: served.clock.now
    ).id
  }

  private func texts(_ practice: Practice, of patient: String = "P001") throws -> [String] {
    let row = try #require(try practice.connection.recordIDs.row(.patient, patient))
    return try practice.connection.notes.notes(patient: row).map(\.value.text).sorted()
  }

  private func refusal(_ work: () throws -> Any) -> (code: PracticeError.Code, words: String)? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? PracticeError).map { ($0.code, $0.description) }
    }
  }

  @Test func `what is written on either side is on both after a sync, once`() throws {
    let taken = try take(invite())
    #expect(taken.device == "device-1" && taken.user == vet.name)
    let clone = try open(folder.file("laptop.vetnet"))
    try write("Seen on the farm.", in: clone)
    try write("Rang about the farm.", in: hub())
    let first = try sync(clone)
    #expect(first.sent >= 1 && first.received >= 1)
    let second = try sync(clone)
    #expect(second.sent == 0 && second.received == 0)
    #expect(try texts(clone) == ["Rang about the farm.", "Seen on the farm."])
    #expect(try texts(hub()) == texts(clone))
    #expect(try clone.integrity.verify().ok && hub().integrity.verify().ok)
    let devices = try hub().perform(ListDevices(), by: administrator, at: served.clock.now)
    #expect(devices.map(\.state) == [.active] && devices[0].seenAt != nil)
  }

  @Test func `of the hub's secrets only that by which its user signs in travels`() throws {
    let practice = try hub()
    try practice.perform(AddCalendarFeed(clinician: "S01"), by: vet, at: served.clock.now)
    _ = try served.signIn(.veterinarian)
    _ = try invite("other")
    let verifiers = try practice.connection.rows("SELECT name, verifier FROM user") { ($0.text(0), $0.text(1)) }
    let digests = try practice.connection.rows(
      "SELECT digest FROM calendar_feed UNION SELECT digest FROM user_session UNION SELECT digest FROM device_invitation"
    ) { $0.bytes(0) }
    #expect(verifiers.count == 4 && digests.count == 3)
    try take(invite())
    let bytes = try Data(contentsOf: URL(filePath: folder.file("laptop.vetnet")))
    for (name, verifier) in verifiers {
      #expect((bytes.range(of: Data(verifier.utf8)) != nil) == (name == vet.name), "\(name)")
    }
    for digest in digests { #expect(bytes.range(of: Data(digest)) == nil) }
    let clone = try open(folder.file("laptop.vetnet"))
    for table in [
      "user_session", "user_passkey", "calendar_feed", "sign_in_try", "device", "device_invitation", "backup",
    ] {
      #expect(try clone.connection.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("laptop.vetnet.audit-key")))
    clone.secrets.passphraseCost = .least
    let words = "words of a veterinarian"
    #expect(try clone.people.identify(vet.name, Passphrase(words), from: "here", at: served.clock.now).name == vet.name)
    #expect(
      refusal {
        try clone.people.identify(
          administrator.name, Passphrase("words of a administrator"), from: "here", at: served.clock.now)
      }?.code == .notSignedIn)
    // The key lies beside the file, for its owner only.
    let path = folder.file("laptop.vetnet.device")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    chmod(path, 0o644)
    #expect(refusal { try sync(clone) }?.code == .fileRights)
  }

  @Test func `a revoked device is told so, and nothing of it is taken`() throws {
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    try write("Before.", in: clone)
    try sync(clone)
    try hub().perform(
      RevokeDevice(device: "laptop", reason: "left on a train"), by: administrator, at: served.clock.now)
    try write("After.", in: clone)
    let refused = try #require(refusal { try sync(clone) })
    #expect(refused.code == .notPermitted && refused.words.contains("revoked on 2026-11-26 by a administrator"))
    #expect(!refused.words.contains("train"))
    #expect(try texts(hub()) == ["Before."] && texts(clone) == ["After.", "Before."])
  }

  @Test func `a device acts as its user, and not any more when the user may not`() throws {
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    try write("On the farm.", in: clone)
    try sync(clone)
    let log = try hub().connection.audit.entries().compactMap(\.entry)
    #expect(log.contains { $0.operation == "sync.push" && $0.actor == vet.name && $0.role == "veterinarian" })
    #expect(log.contains { $0.operation == "device.copy" && $0.kind == .access && $0.actor == vet.name })
    #expect(log.contains { $0.operation == "device.join" && $0.subjects.contains { $0.id == "device-1" } })
    // Who keeps the machines only has nothing to say on one.
    try hub().perform(SetUserRole(name: vet.name, role: .administrator), by: administrator, at: served.clock.now)
    #expect(refusal { try sync(clone) }?.code == .notPermitted)
    try hub().perform(DisableUser(name: vet.name), by: administrator, at: served.clock.now)
    #expect(refusal { try sync(clone) }?.code == .notPermitted)
  }

  @Test(
    "a nurse and a receptionist take the practice along, and do what their role may",
    arguments: [Role.nurse, .reception])
  func otherRolesHaveDevices(role: Role) throws {
    let actor = Actor(name: "a \(role.rawValue)", role: role)
    let taken = try take(invite("phone", of: actor), to: "phone.vetnet")
    #expect(taken.user == actor.name)
    let clone = try open(folder.file("phone.vetnet"))
    var rex = NewPatient(name: "Rex", species: .dog)
    rex.owner = "Mrs Farm"
    let added = try clone.perform(AddPatient(patient: rex), by: actor, at: served.clock.now)
    let note = AddNote(
      patient: "P001", kind: .phone, text: "On the farm.", recordedAt: served.clock.now)
    let refused = refusal { try clone.perform(note, by: actor, at: served.clock.now) }
    #expect((refused?.code == .notPermitted) == !role.may(.writeRecord))
    try sync(clone, by: actor)
    #expect(try hub().connection.recordIDs.row(.patient, added.id) != nil)
    #expect(try texts(hub()) == (role.may(.writeRecord) ? ["On the farm."] : []))
    // Past the door of the device, by whoever has its file.
    guard !role.may(.writeRecord) else { return }
    try clone.writing {
      let own = try #require(try clone.connection.operationLog.own())
      var writer = OperationWriter(connection: clone.connection, own: own, actor: vet.name, now: served.clock.now)
      let row = try #require(try clone.connection.recordIDs.row(.patient, "P001"))
      let patient = try #require(try clone.connection.replicated.name(.patient, row: row))
      try writer.append(
        RecordName(kind: "note", source: "vetnet", id: "note-d1-77"), turn: .made,
        fields: [
          "patient_id": .list([.text(patient.source), .text(patient.id)]), "text": .text("By nobody."),
          "kind": .text("phone"), "recorded_at": .number(Double(served.clock.now.seconds)),
        ])
      try clone.connection.operationLog.keep(writer.own)
    }
    try sync(clone, by: actor)
    #expect(try texts(hub()) == [])
    let conflicts = try hub().sync.syncConflicts()
    #expect(conflicts.map(\.theirs) == [.text("By nobody.")])
    #expect(conflicts.first?.reason == "the device acts as reception, who may not write record")
  }

  /// A hub or a device of a later program: the same messages, another name of its schema.
  private struct LaterHub: SyncHub {
    let hub: any SyncHub
    func hello(_ hello: ReplicaHello) throws -> HubHello {
      var answer = try hub.hello(hello)
      answer.schema = "m0099_later"
      return answer
    }
    func push(_ request: PushRequest) throws -> PushReply { try hub.push(request) }
    func pull(_ request: PullRequest) throws -> PullReply {
      var reply = try hub.pull(request)
      for place in reply.operations.indices { reply.operations[place].fields["later"] = .text("kept") }
      return reply
    }
  }

  private struct LaterReplica: SyncReplica {
    let replica: PracticeReplica
    func hello() throws -> ReplicaHello {
      var hello = try replica.hello()
      hello.schema = "m0099_later"
      return hello
    }
    func operations(after sequence: Int64, limit: Int) throws -> [RecordOperation] {
      var operations = try replica.operations(after: sequence, limit: limit)
      for place in operations.indices { operations[place].fields["later"] = .text("kept") }
      return operations
    }
    func apply(_ reply: PullReply) throws -> Applied { try replica.apply(reply) }
  }

  @Test func `sides of different versions sync over the network, and the notice says where to update`() throws {
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    try write("On the farm.", in: clone)
    let own = PracticeReplica(clone, by: vet, at: served.clock.now)
    let line = try clone.devices.hubConnection(reaching: dialer())
    func notice(_ replica: any SyncReplica, _ hub: any SyncHub) throws -> String? {
      try SchemaDifference.notice(replica.hello(), SyncSession(of: replica, with: hub).run().hub)
    }
    let schema = SchemaDifference.number(Practice.Sync.schemaName) ?? 0
    #expect(try notice(LaterReplica(replica: own), line)?.hasPrefix("the hub's file has schema \(schema)") == true)
    try write("Rang.", in: hub())
    #expect(try notice(own, LaterHub(hub: line))?.hasPrefix("this file has schema \(schema)") == true)
    #expect(try notice(own, line) == nil)
    #expect(try texts(hub()) == ["On the farm.", "Rang."] && texts(clone) == texts(hub()))
    // What neither knows is in the log of the side that was told.
    func kept(_ practice: Practice) throws -> Int {
      try practice.connection.operationLog.operations(kind: "note").count { $0.fields["later"] == .text("kept") }
    }
    #expect(try kept(hub()) == 1 && kept(clone) == 1)
  }

  // MARK: Who somebody is

  /// One request as it is sent, with what it shows.
  private func ask(
    _ target: String, _ body: String, proof: String?
  ) throws -> HTTPClient.Answer {
    try served.ask("POST", target, body, headers: proof.map { ["X-VetNet-Device": $0] } ?? [:])
  }

  private func nonce() throws -> String {
    try #require(try served.ask("GET", "/api/v1/sync/nonce").json()["nonce"] as? String)
  }

  @Test func `a request is good once, for what it asks for, from who it is, and with the server's own bytes`() throws {
    try take(invite())
    let identity = try #require(try DeviceIdentity.read(beside: folder.file("laptop.vetnet")))
    let key = try #require(identity.key)
    let clone = try open(folder.file("laptop.vetnet"))
    let hello = String(decoding: try JSONEncoder().encode(clone.sync.replicaHello()), as: UTF8.self)
    let target = "/api/v1/sync/hello"
    func proof(
      _ nonce: String, target: String = target, body: String? = nil, practice: String? = nil,
      device: String = "device-1",
      key other: SigningKey? = nil
    ) -> DeviceProof {
      DeviceProof(
        device: device, nonce: nonce,
        signing: .init(method: "POST", target: target, body: Array((body ?? hello).utf8)),
        of: practice ?? identity.practiceID, with: other ?? key)
    }
    let good = try proof(nonce()).text
    let answer = try ask(target, hello, proof: good)
    #expect(answer.status == 200 && answer.headers["x-vetnet-nonce"]?.count == 43, "\(answer.text)")
    // The same once more.
    #expect(try ask(target, hello, proof: good).code == "old_nonce")
    // Bytes that nobody gave, and none.
    #expect(try ask(target, hello, proof: proof(String(repeating: "A", count: 43)).text).code == "old_nonce")
    for text in [nil, "", "device-1", "device-1 x y", "\(good) "] {
      #expect(try ask(target, hello, proof: text).code == "unknown_device", "\(text ?? "none")")
    }
    // Signed for something else, by somebody else, for another practice, for another device.
    #expect(try ask(target, hello + " ", proof: proof(nonce()).text).code == "unknown_device")
    #expect(try ask(target, hello, proof: proof(nonce(), target: "/api/v1/sync/pull").text).code == "unknown_device")
    #expect(try ask(target, hello, proof: proof(nonce(), practice: "other").text).code == "unknown_device")
    #expect(try ask(target, hello, proof: proof(nonce(), device: "device-2").text).code == "unknown_device")
    #expect(try ask(target, hello, proof: proof(nonce(), key: .random()).text).code == "unknown_device")
    // Bytes that were given are good for ten minutes.
    let old = try nonce()
    served.clock.pass(seconds: 601)
    #expect(try ask(target, hello, proof: proof(old).text).code == "old_nonce")
    // Another device's number.
    let others = hello.replacing("\"replica\":1", with: "\"replica\":2")
    #expect(others != hello)
    #expect(try ask(target, others, proof: proof(nonce(), body: others).text).code == "refused")
  }

  @Test func `an invitation lets one machine in, once, and wrong ones slow the next down`() throws {
    let invitation = try invite()
    func enroll(_ secret: String, _ key: [UInt8], practice: String? = nil) throws -> HTTPClient.Answer {
      try served.ask(
        "POST", "/api/v1/sync/enroll",
        #"{"invitation":"\#(secret)","practice":"\#(practice ?? invitation.practiceID)","public_key":"\#(Base64URL.text(key))"}"#
      )
    }
    let key = SigningKey.random().publicKey
    let secret = invitation.secret.text
    #expect(try enroll(secret, key, practice: "other").code == "wrong_invitation")
    #expect(try enroll(secret, [1, 2, 3]).code == "wrong_invitation")
    let first = try enroll(secret, key)
    #expect(try first.status == 201 && first.json()["device"] as? String == "device-1")
    // An answer that was lost is given again, to the same key only.
    #expect(try enroll(secret, key).json()["device"] as? String == "device-1")
    #expect(try enroll(secret, SigningKey.random().publicKey).code == "wrong_invitation")
    let late = try invite("late")
    served.clock.pass(seconds: 901)
    #expect(try enroll(late.secret.text, SigningKey.random().publicKey).code == "wrong_invitation")
    #expect(refusal { try take(late) }?.code == .notSignedIn)
    for _ in 0..<5 { _ = try enroll(String(repeating: "0", count: 64), key) }
    let slowed = try enroll(String(repeating: "0", count: 64), key)
    #expect(slowed.status == 401 && slowed.text.contains("is looked at in"))
    let log = try hub().connection.audit.entries().compactMap(\.entry).filter { $0.operation == "device.join" }
    #expect(log.count { $0.kind == .refusal } >= 4)
  }

  @Test func `the hub stands by its name only, and a strange one is asked nothing`() throws {
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    // One that is another practice's.
    let other = try ServedPractice.closed(corpus: [])
    let refused = refusal { try sync(clone, through: other.port) }
    #expect(refused?.code == .failed, "\(String(describing: refused))")
    other.stop()
    #expect(try #require(refusal { try sync(clone, through: other.port) }).words.contains("can't be reached"))
  }

  // MARK: Connections that break

  @Test func `a copy that is cut off anywhere comes whole, or not at all`() throws {
    let proxy = try CuttingProxy(to: served.port)
    defer { proxy.stop() }
    proxy.cut(after: nil)
    try take(invite("whole"), to: "whole.vetnet", through: proxy.port)
    let whole = proxy.counts.received
    #expect(whole > 100_000)
    for (number, place) in [0, 90, 400, whole / 3, whole - 1].enumerated() {
      proxy.cut(after: place)
      let taken = try take(invite("cut \(number)"), to: "\(number).vetnet", through: proxy.port)
      #expect(taken.bytes > 0 && proxy.counts.connections >= 2, "\(place)")
      #expect(try open(folder.file("\(number).vetnet")).integrity.verify().ok, "\(place)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { $0.hasPrefix(".vetnet-partial") }.isEmpty)
    // Nobody is there any more: no practice file, and the device's key for the next try.
    proxy.stop()
    let invitation = try invite("gone")
    #expect(refusal { try take(invitation, to: "gone.vetnet", through: proxy.port) }?.code == .failed)
    #expect(!FileManager.default.fileExists(atPath: folder.file("gone.vetnet")))
    #expect(FileManager.default.fileExists(atPath: folder.file("gone.vetnet.device")))
    #expect(try take(invitation, to: "gone.vetnet").name == "gone")
  }

  @Test func `a sync that is cut off anywhere is done by the next, and nothing twice`() throws {
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    let proxy = try CuttingProxy(to: served.port)
    defer { proxy.stop() }
    var written: [String] = []
    for place in stride(from: 0, through: 3000, by: 150) {
      let (ours, theirs) = ("Here \(place).", "There \(place).")
      try write(ours, in: clone)
      try write(theirs, in: hub())
      written += [ours, theirs]
      proxy.cut(after: place)
      _ = try? sync(clone, through: proxy.port)
      try sync(clone)
      #expect(try texts(clone) == written.sorted() && texts(hub()) == written.sorted(), "\(place)")
    }
  }

  @Test func `a day's changes cost little more than their JSON`() throws {
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    for number in 0..<200 {
      try write("Rang back, number \(number): eating well, no vomiting since the morning.", in: clone)
    }
    let operations = try clone.sync.ownOperations(after: 0, limit: 1000)
    #expect(operations.count >= 200)
    let json = try JSONEncoder().encode(operations).count
    let proxy = try CuttingProxy(to: served.port)
    defer { proxy.stop() }
    proxy.cut(after: nil)
    try sync(clone, through: proxy.port)
    let cost = proxy.counts
    #expect(cost.sent + cost.received <= json * 3 / 2, "\(cost) for \(json)")
  }

  // MARK: What is subscribed to

  @Test func `a calendar that is subscribed to shows a visit that was booked offline when the hub has it, and once`()
    throws
  {
    let feed = try hub().perform(AddCalendarFeed(clinician: "S01"), by: vet, at: served.clock.now).path
    func visits() throws -> Int { try served.ask("GET", feed).text.matches(of: /BEGIN:VEVENT/).count }
    let before = try visits()
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    func book(_ patient: String, _ time: String, in practice: Practice) throws {
      let start = try #require(ISODateTime(time).map { practice.timeZone.timestamp(of: $0) })
      try practice.perform(
        BookAppointment(booking: Booking(patient: patient, start: start, minutes: 15, clinicianID: "S01")), by: vet,
        at: served.clock.now)
    }
    try book("P001", "2026-11-27T09:00", in: clone)
    try book("P002", "2026-11-27T11:00", in: clone)
    #expect(try visits() == before)
    // The second one's place is gone meanwhile.
    try book("P003", "2026-11-27T11:00", in: hub())
    #expect(try visits() == before + 1)
    try sync(clone)
    #expect(try visits() == before + 2)
    let text = try served.ask("GET", feed).text
    #expect(
      text.matches(of: /DTSTART[^\r]*:20261127T0900/).count == 1
        && text.matches(of: /DTSTART[^\r]*:20261127T1100/).count == 1)
    try sync(clone)
    #expect(try visits() == before + 2)
  }

  @Test func `a calendar shows a visit that was moved offline at its new time, once and under the same name`() throws {
    let feed = try hub().perform(AddCalendarFeed(clinician: "S01"), by: vet, at: served.clock.now).path
    let practice = try hub()
    func moment(_ time: String) throws -> Timestamp {
      try #require(ISODateTime(time).map { practice.timeZone.timestamp(of: $0) })
    }
    func book(_ patient: String, _ time: String) throws -> String {
      try practice.perform(
        BookAppointment(booking: Booking(patient: patient, start: moment(time), minutes: 15, clinicianID: "S01")),
        by: vet, at: served.clock.now
      ).appointment.id
    }
    let (moved, late) = (try book("P001", "2026-11-27T09:00"), try book("P002", "2026-11-27T10:00"))
    /// When each event is, by its UID.
    func events() throws -> [String: String] {
      let text = try served.ask("GET", feed).text.replacing("\r\n ", with: "")
      let pairs = text.matches(of: /UID:([^\r]+)[\s\S]*?DTSTART[^:\r]*:(\d{8}T\d{4})/).map {
        (String($0.1), String($0.2))
      }
      return Dictionary(pairs) { one, _ in "twice: \(one)" }
    }
    let before = try events()
    #expect(Set(before.values) == ["20261127T0900", "20261127T1000"])
    try take(invite())
    let clone = try open(folder.file("laptop.vetnet"))
    try clone.perform(
      MoveAppointment(id: moved, start: moment("2026-11-27T14:00")), by: vet, at: served.clock.now)
    try clone.perform(
      MoveAppointment(id: late, start: moment("2026-11-27T15:00")), by: vet, at: served.clock.now)
    // At the hub the second one was moved elsewhere meanwhile: that stands.
    try practice.perform(
      MoveAppointment(id: late, start: moment("2026-11-27T16:00")), by: vet, at: served.clock.now)
    for _ in 0..<2 {
      try sync(clone)
      let after = try events()
      #expect(Set(after.keys) == Set(before.keys))
      #expect(Set(after.values) == ["20261127T1400", "20261127T1600"])
    }
    try practice.perform(
      WithdrawCalendarFeed(
        id: try #require(practice.perform(ListCalendarFeeds(), by: vet, at: served.clock.now).first?.id)),
      by: vet, at: served.clock.now)
    #expect(try served.ask("GET", feed).status == 404)
  }
}
