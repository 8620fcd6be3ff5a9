import Clinical
@testable import Store
import Testing

@Suite struct DoubleBookingTests {
  private static let origin = Timestamp(seconds: 1_795_424_400)

  private func practice() throws -> TestPractice {
    let practice = try TestPractice()
    for number in 1...2 {
      _ = try practice.connection.staff.upsert(
        StaffMember(id: "V\(number)", name: "V\(number)", role: .veterinarian), source: practice.source)
    }
    for (id, capacity, cleaning) in [("R1", 1, 5), ("R2", 3, 12)] {
      _ = try practice.connection.resources.upsert(
        Resource(id: id, name: id, kind: "room", capacity: capacity, cleaningMinutes: cleaning), source: practice.source
      )
    }
    return practice
  }

  @Test func `of two who race for the same time exactly one gets it`() async throws {
    let practice = try practice()
    let path = practice.folder.file
    for round in 0..<20 {
      let start = Self.origin.adding(minutes: round * 30)
      let winners = try await withThrowingTaskGroup(of: Int.self) { group in
        for racer in 0..<2 {
          group.addTask {
            let connection = try Connection.open(path)
            let appointment = Appointment(
              id: "A\(round)-\(racer)", clinicianID: "V1", resourceIDs: racer == 0 ? ["R1"] : [], start: start,
              durationMinutes: 15)
            do {
              _ = try connection.appointments.book(appointment)
              return 1
            } catch is SlotTaken {
              return 0
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(winners == 1)
    }
    #expect(try practice.connection.appointments.count() == 20)
    #expect(try practice.connection.appointments.rowsWithWrongSlots().isEmpty)
  }

  /// Minute by minute, without slots, units or tables: what is in use on the five-minute grid.
  private struct Oracle {
    struct Use {
      var clinician: String?
      var rooms: [String]
      var start: Int
      var minutes: Int
    }

    var uses: [String: Use] = [:]
    let capacity = ["R1": 1, "R2": 3]
    let cleaning = ["R1": 5, "R2": 12]

    func grid(_ start: Int, _ minutes: Int) -> Set<Int> {
      Set((start..<start + minutes).map { Int((Double($0) / 5).rounded(.down)) })
    }

    /// Whether there is room, by counting; with greedy units a count isn't enough, so units are tried as booked.
    func isFree(_ use: Use, units: [String: [String: Int]]) -> Bool {
      let others = uses.values
      if let clinician = use.clinician,
        others.contains(where: {
          $0.clinician == clinician && !grid($0.start, $0.minutes).isDisjoint(with: grid(use.start, use.minutes))
        })
      {
        return false
      }
      return use.rooms.allSatisfy { unit(for: $0, use, units) != nil }
    }

    func unit(for room: String, _ use: Use, _ units: [String: [String: Int]]) -> Int? {
      let wanted = grid(use.start, use.minutes + (cleaning[room] ?? 0))
      return (1...(capacity[room] ?? 0)).first { unit in
        uses.allSatisfy { id, other in
          units[id]?[room] != unit
            || grid(other.start, other.minutes + (cleaning[room] ?? 0)).isDisjoint(with: wanted)
        }
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func `random bookings, moves and cancellations agree with counting minutes`(seed: UInt64) throws {
    let practice = try practice()
    let appointments = practice.connection.appointments
    var generator = SplitMix64(seed: seed)
    var oracle = Oracle()
    var units: [String: [String: Int]] = [:]
    var rows: [String: Int64] = [:]
    var refusals = 0
    for step in 0..<150 {
      let start = Int.random(in: 0..<180, using: &generator)
      if let id = oracle.uses.keys.sorted().randomElement(using: &generator), let row = rows[id],
        Int.random(in: 0..<3, using: &generator) == 0
      {
        if Bool.random(using: &generator) {
          try appointments.cancel(row: row)
          oracle.uses[id] = nil
          units[id] = nil
        } else {
          var rest = oracle
          guard let old = rest.uses.removeValue(forKey: id) else { continue }
          var moved = old
          moved.start = start
          let otherUnits = units.filter { $0.key != id }
          let isFree = rest.isFree(moved, units: otherUnits)
          do {
            try appointments.move(row: row, to: Self.origin.adding(minutes: start))
            #expect(isFree, "step \(step)")
            units[id] = Dictionary(
              uniqueKeysWithValues: moved.rooms.compactMap { room in
                rest.unit(for: room, moved, otherUnits).map { (room, $0) }
              })
            oracle.uses[id] = moved
          } catch is SlotTaken {
            refusals += 1
            #expect(!isFree, "step \(step)")
          }
        }
        continue
      }
      let id = "A\(step)"
      let use = Oracle.Use(
        clinician: [nil, "V1", "V2"].randomElement(using: &generator) ?? nil,
        rooms: [[], ["R1"], ["R2"], ["R1", "R2"]].randomElement(using: &generator) ?? [], start: start,
        minutes: Int.random(in: 1...40, using: &generator))
      let isFree = oracle.isFree(use, units: units)
      do {
        let stored = try appointments.book(
          Appointment(
            id: id, clinicianID: use.clinician, resourceIDs: use.rooms, start: Self.origin.adding(minutes: start),
            durationMinutes: use.minutes))
        #expect(isFree, "step \(step)")
        rows[id] = stored.rowID
        units[id] = Dictionary(
          uniqueKeysWithValues: use.rooms.compactMap { room in oracle.unit(for: room, use, units).map { (room, $0) } })
        oracle.uses[id] = use
      } catch is SlotTaken {
        refusals += 1
        #expect(!isFree, "step \(step)")
      }
    }
    #expect(refusals > 10)
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
    #expect(try practice.connection.integrityCheck().isEmpty)
    #expect(try practice.connection.foreignKeyCheck().isEmpty)
  }
}
