import Clinical
import Store
import Sync
import VetNetTestSupport

@testable import VetNet

/// A hub and some devices, each a practice of its own in memory with a clock of its own, and a network that loses, doubles and delays
/// what they say to each other.
final class SyncWorld {
  struct Device {
    let practice: Practice
    /// Seconds that its clock is off.
    let offset: Int64
    /// Requests that may come once more, much later.
    var old: [PushRequest] = []
    /// Answers that may.
    var oldReplies: [PullReply] = []
  }

  static let zone = PracticeTimeZone.utc
  let models: ModelDirectory
  let hub: Practice
  var devices: [Device] = []
  var random: SplitMix64
  /// The true time; the hub's clock.
  var now = Timestamp(seconds: 1_795_000_000)
  /// How the network fails, of 100 messages; 0 for one that doesn't.
  var faults = 25
  /// Whether an answer says once that something was taken which wasn't: an error that is planted.
  var liesOnce = false
  private(set) var problems: [String] = []
  private var words = 0

  init(devices count: Int, seed: UInt64, models: ModelDirectory, rules: MergeRules = .standard) throws {
    self.models = models
    random = SplitMix64(seed: seed)
    hub = try Practice.inMemory(models: models, timeZone: Self.zone)
    hub.merging.rules = rules
    hub.secrets.randomness = { Array(1...32) }
    hub.merging.logTime = now
    _ = try hub.sync.beginHub()
    try furnish()
    for number in 1...count {
      try devices.append(Device(practice: newDevice("device \(number)", rules), offset: Self.offsets[number % 4]))
    }
    faults = 0
    for index in devices.indices { try sync(index) }
    faults = 25
  }

  /// Files that are there, with whatever is in them.
  init(hub: Practice, devices practices: [Practice], seed: UInt64, models: ModelDirectory) {
    self.models = models
    self.hub = hub
    random = SplitMix64(seed: seed)
    devices = practices.enumerated().map { Device(practice: $0.element, offset: Self.offsets[$0.offset % 4]) }
  }

  /// A clock that is right, one that is years behind, one that is months ahead, one a little.
  private static let offsets: [Int64] = [0, 40, -90_000_000, 9_000_000]

  /// A file with nothing in it that the hub knows.
  func newDevice(_ name: String, _ rules: MergeRules = .standard) throws -> Practice {
    let admission = try hub.sync.admitReplica(named: name, user: nil, now: now)
    let practice = try Practice.inMemory(models: models, timeZone: Self.zone)
    practice.merging.rules = rules
    practice.merging.logTime = now
    try practice.writing { try practice.connection.operationLog.keep(SyncSelf(admission)) }
    return practice
  }

  /// Staff, rooms, an owner and animals, all by the log.
  private func furnish() throws {
    try hub.writing {
      let connection = hub.connection
      let source = try connection.sources.id(named: "desk")
      let week = (1...7).map { StaffMember.WorkingHours(weekday: $0, minutes: 480..<1080) }
      for id in ["V1", "V2"] {
        _ = try connection.staff.upsert(
          StaffMember(
            id: id, name: "Dr \(id)", role: .veterinarian, skills: ["general practice": 0.9], workingHours: week),
          source: source)
      }
      _ = try connection.resources.upsert(Resource(id: "R1", name: "Room 1", kind: "room"), source: source)
      _ = try connection.resources.upsert(Resource(id: "R2", name: "Room 2", kind: "room"), source: source)
      for id in ["C1", "C2"] {
        _ = try connection.clients.upsert(Client(id: id, name: "Owner \(id)", phone: "01"), source: source)
      }
      for number in 1...4 {
        _ = try connection.patients.upsert(
          Patient(id: "P\(number)", name: "Animal \(number)", species: .dog, ownerID: "C\(1 + number % 2)"),
          source: source)
      }
    }
  }

  func note(problem: String) { problems.append(problem) }

  func chance(_ percent: Int) -> Bool { Int(random.next() % 100) < percent }

  func pick<Item>(_ items: [Item]) -> Item? {
    items.isEmpty ? nil : items[Int(random.next() % UInt64(items.count))]
  }

  /// Words that stand nowhere else.
  func word() -> String {
    words += 1
    return "w\(words)"
  }

  // MARK: Syncing

  private struct Lost: Error {}

  /// One sync, which may break off anywhere; by another line where one is named.
  func sync(_ index: Int, through other: (any SyncHub)? = nil) throws {
    let wire: any SyncHub = other ?? Wire(world: self, index: index)
    let batch = faults == 0 ? 1000 : 1 + Int(random.next() % 12)
    do {
      _ = try SyncSession(of: FileReplica(practice: devices[index].practice, now: now), with: wire, batch: batch).run()
    } catch is Lost {}
  }

  /// Syncs until nobody has anything to tell, by a network that works.
  func settle() throws {
    let before = faults
    faults = 0
    defer { faults = before }
    for _ in 0..<3 {
      for index in devices.indices { try sync(index) }
      let last = try hub.connection.operationLog.own()?.hubSequence
      if try devices.allSatisfy({ try $0.practice.sync.ownReplica().hubSequence == last }) { break }
    }
  }

  private struct FileReplica: SyncReplica {
    let practice: Practice
    let now: Timestamp

    func hello() throws -> ReplicaHello { try practice.sync.replicaHello() }
    func operations(after sequence: Int64, limit: Int) throws -> [RecordOperation] {
      try practice.sync.ownOperations(after: sequence, limit: limit)
    }
    func apply(_ reply: PullReply) throws -> Applied { try practice.sync.follow(reply, now: now) }
  }

  /// The hub at the other end of a bad line.
  private struct Wire: SyncHub {
    let world: SyncWorld
    let index: Int

    func hello(_ hello: ReplicaHello) throws -> HubHello {
      try fail()
      return try world.hub.sync.hello(hello)
    }

    func push(_ request: PushRequest) throws -> PushReply {
      try fail()
      if world.liesOnce, let last = request.operations.last {
        world.liesOnce = false
        // Planted: what was not taken is said to be, and the hub's books are cooked to match.
        return try world.cook(request, through: last.sequence)
      }
      let before = try world.bookState()
      if world.chance(world.faults), let old = world.pick(world.devices[index].old) {
        _ = try world.hub.sync.take(old, now: world.now)
      }
      var reply = try world.hub.sync.take(request, now: world.now)
      if world.chance(world.faults) { reply = try world.hub.sync.take(request, now: world.now) }
      try world.checkBook(since: before)
      world.devices[index].old.append(request)
      try fail()
      return reply
    }

    func pull(_ request: PullRequest) throws -> PullReply {
      try fail()
      let reply = try world.hub.sync.tell(request, now: world.now)
      if world.chance(world.faults), let old = world.pick(world.devices[index].oldReplies) {
        _ = try world.devices[index].practice.sync.follow(old, now: world.now)
      }
      if world.chance(world.faults) { _ = try world.devices[index].practice.sync.follow(reply, now: world.now) }
      world.devices[index].oldReplies.append(reply)
      try fail()
      return reply
    }

    private func fail() throws { if world.chance(world.faults / 3) { throw Lost() } }
  }

  /// A hub with a planted error: it forgets an operation and says that it took it.
  private func cook(_ request: PushRequest, through last: Int64) throws -> PushReply {
    var kept = request
    kept.operations.removeLast()
    _ = try hub.sync.take(kept, now: now)
    try hub.writing {
      guard var replica = try hub.connection.replicas.replica(request.replica) else { return }
      replica.acknowledged = max(replica.acknowledged, last)
      try hub.connection.replicas.keep(replica)
    }
    return PushReply(acknowledged: last)
  }

  // MARK: The book

  struct BookState {
    var status: [Int64: Appointment.Status] = [:]
    var confirmed: Set<Int64> = []
    var unplaced: Set<Int64> = []
  }

  func bookState() throws -> BookState {
    var state = BookState()
    for stored in try allAppointments(hub) {
      state.status[stored.rowID] = stored.value.status
      if stored.value.status.occupiesTime, stored.conflict == nil { state.confirmed.insert(stored.rowID) }
      if stored.conflict != nil { state.unplaced.insert(stored.rowID) }
    }
    return state
  }

  func allAppointments(_ practice: Practice) throws -> [StoredAppointment] {
    try practice.connection.appointments.appointments(
      startingIn: Timestamp(seconds: 0)..<Timestamp(seconds: 1 << 40))
  }

  /// At the hub nobody is booked twice, at any moment; nothing goes back; nothing that was confirmed loses its time.
  func checkBook(since before: BookState) throws {
    let ranks: [Appointment.Status: Int] = [
      .requested: 0, .booked: 1, .arrived: 2, .inProgress: 3, .done: 4, .cancelled: 5, .noShow: 5,
    ]
    let now = try allAppointments(hub)
    for stored in now {
      let id = stored.value.id
      if let old = before.status[stored.rowID], ranks[old, default: 0] > ranks[stored.value.status, default: 0] {
        problems.append("\(id) went back from \(old) to \(stored.value.status)")
      }
      if stored.value.status == .booked, stored.conflict != nil, !before.unplaced.contains(stored.rowID) {
        problems.append("\(id) is booked without its time")
      }
      if before.confirmed.contains(stored.rowID), stored.conflict != nil {
        problems.append("\(id) lost the time that was confirmed")
      }
    }
    let held = now.filter { $0.value.status.occupiesTime && $0.conflict == nil }
    for (place, one) in held.enumerated() {
      for other in held[(place + 1)...]
      where one.value.start < other.value.end && other.value.start < one.value.end {
        if one.value.clinicianID == other.value.clinicianID, one.value.clinicianID != nil {
          problems.append("\(one.value.id) and \(other.value.id) have one vet")
        }
        if !Set(one.value.resourceIDs).isDisjoint(with: other.value.resourceIDs) {
          problems.append("\(one.value.id) and \(other.value.id) have one room")
        }
      }
    }
  }
}
