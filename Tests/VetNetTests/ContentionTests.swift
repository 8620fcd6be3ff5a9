import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

/// Several programs at one practice file. `make stress` runs it with sixteen of them for a minute.
struct ContentionTests {
  private static func number(_ name: String, default value: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
  }

  private static let fileIsBusy: Int32 = 11

  private struct Booked: Hashable {
    let clinician: String
    let start: String
  }

  @Test func `however many book at once, nobody is booked twice, no booking is lost, and losers hear what is left`()
    throws
  {
    let processes = Self.number("VETNET_STRESS_PROCESSES", default: 4)
    let seconds = Self.number("VETNET_STRESS_SECONDS", default: 3)
    let folder = try TemporaryFolder()
    let hours = (1...7).map { #"{"weekday":\#($0),"start":"06:00","end":"22:00"}"# }.joined(separator: ",")
    let staff = ["S1", "S2"].map {
      #"{"id":"\#($0)","name":"Vet \#($0)","role":"veterinarian","working_hours":[\#(hours)]}"#
    }
    try folder.write(staff.joined(separator: "\n") + "\n", to: "in/staff.jsonl")
    try folder.write(#"{"id":"R1","name":"Room","kind":"room","capacity":2}"# + "\n", to: "in/resources.jsonl")
    let patients = (0..<processes).map { #"{"id":"P\#($0)","name":"Rex \#($0)","species":"dog"}"# }
    try folder.write(patients.joined(separator: "\n") + "\n", to: "in/patients.jsonl")
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    #expect(try vetnet.run("import", folder.file("in")).status == 0)

    var won: Set<Booked> = []
    var losers = 0
    var turn = 0
    let end = Date().addingTimeInterval(Double(seconds))
    repeat {
      // All want the same quarter of an hour of the same vet.
      let quarter = turn % 60
      let day = 23 + (turn / 120) % 7
      let time = String(format: "2026-11-%02dT%02d:%02d", day, 6 + quarter / 4, quarter % 4 * 15)
      let clinician = "S\(1 + (turn / 60) % 2)"
      turn += 1
      func book(_ number: Int) throws -> VetNetProcess.Running {
        try vetnet.start([
          "schedule", "book", "--patient", "P\(number)", "--at", time, "--with", clinician, "--minutes", "15", "--now",
          "2026-11-20T12:00", "--json",
        ])
      }
      let runs = try (0..<processes).map { try book($0) }
      var outcomes = try runs.map { try $0.wait() }
      // On a machine that is busy with other tests a program may wait too long for the file; it says so, and is run again.
      for (number, outcome) in outcomes.enumerated() where outcome.status == Self.fileIsBusy {
        outcomes[number] = try book(number).wait()
      }
      let winners = outcomes.filter { $0.status == 0 }
      #expect(winners.count == 1, "\(outcomes.map(\.errors))")
      if winners.count == 1 { won.insert(Booked(clinician: clinician, start: time)) }
      for loser in outcomes where loser.status != 0 {
        #expect(loser.status == 1)
        losers += 1
        let error = try #require(
          try JSONSerialization.jsonObject(with: Data(loser.errors.utf8)) as? [String: Any], "\(loser.errors)")
        let left = error["free_slots"] as? [[String: Any]]
        #expect(left?.isEmpty == false, "\(loser.errors)")
      }
    } while Date() < end && turn < 840

    #expect(turn > 0 && losers == turn * (processes - 1))
    var found: [Booked] = []
    for day in 23...29 {
      for line in try vetnet.run("schedule", "show", "--date", "2026-11-\(day)", "--now", "2026-11-20T12:00", "--json")
        .jsonLines()
      {
        let start = try #require(line["start"] as? String), vet = try #require(line["clinician_id"] as? String)
        found.append(Booked(clinician: vet, start: String(start.prefix(16))))
      }
    }
    #expect(found.count == won.count)
    #expect(Set(found) == won)
    #expect(try vetnet.run("doctor", "--json").status == 0)
    let log = try vetnet.run("schedule", "log", "--limit", "10000", "--json").jsonLines()
    #expect(log.count == won.count)
    #expect(log.first?["version"] as? Int == won.count)
  }

  @Test func `whoever ends first leaves the log to those who still have the file open`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    let vetnet = try VetNetProcess(practice: path)
    #expect(try vetnet.run("init", "--time-zone", "UTC").status == 0)
    #expect(try vetnet.run("patient", "add", "Rex", "--species", "dog").status == 0)
    // A lock on the file that a process loses here makes the next one to end believe that it is the last.
    let connection = try Connection.open(path)
    _ = try connection.pageCheck()
    func log() -> ino_t? {
      var status = stat()
      return stat(path + "-wal", &status) == 0 ? status.st_ino : nil
    }
    try connection.settings.set("first", to: "1")
    let before = try #require(log())
    for name in ["Tess", "Bob", "Moss"] {
      #expect(try vetnet.run("patient", "add", name, "--species", "dog").status == 0)
    }
    #expect(log() == before)
    try connection.settings.set("second", to: "2")
    let other = try Connection.open(path)
    #expect(try other.settings.value("second") == "2")
  }
}
