import Clinical
import FoundationEssentials
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

@testable import Evaluation

struct PracticeSimulatorTests {
  private static func simulator(_ patients: Int, seed: UInt64 = 3) throws -> PracticeSimulator {
    let until = try #require(CalendarDate(iso: "2026-11-20"))
    return try PracticeSimulator(
      .init(patients: patients, seed: seed, until: until), models: shippedModels())
  }

  @Test func `the same seed gives the same practice, another another`() throws {
    let (one, same, other) = (try Self.simulator(20), try Self.simulator(20), try Self.simulator(20, seed: 4))
    #expect((0..<20).allSatisfy { one.patient($0) == same.patient($0) })
    #expect((0..<20).contains { one.patient($0).notes != other.patient($0).notes })
  }

  @Test func `a small practice is the beginning of a large one`() throws {
    let (small, large) = (try Self.simulator(10), try Self.simulator(2000))
    #expect((0..<10).allSatisfy { small.patient($0) == large.patient($0) })
  }

  @Test func `lives are in order: birth, notes, death`() throws {
    let simulator = try Self.simulator(300)
    for number in 0..<300 {
      let records = simulator.patient(number)
      let patient = try #require(records.patients.first)
      let birth = try #require(patient.dateOfBirth)
      let last = patient.deceasedAt ?? simulator.configuration.until
      for note in records.notes {
        let day = PracticeTimeZone.utc.date(of: note.recordedAt)
        #expect(day > birth && day <= last, "\(note.id)")
        #expect(!note.text.contains("{") && !note.text.isEmpty, "\(note.id)")
      }
      #expect(records.notes.map(\.recordedAt) == records.notes.map(\.recordedAt).sorted())
    }
  }

  @Test func `what is written can be imported whole, and books nobody twice`() throws {
    let folder = try TemporaryFolder()
    let simulator = try Self.simulator(200)
    let counts = try simulator.write(to: PracticeRecordsWriter(folder: folder.path)) { _ in }
    let models = try shippedModels()
    let now = PracticeTimeZone.utc.interval(of: simulator.configuration.until).upperBound
    try Practice.create(at: folder.file("p.vetnet"), name: nil, timeZone: .utc, now: now)
    let practice = try Practice.open(at: folder.file("p.vetnet"), models: models, access: .write)
    let summary = try practice.exchange.importFiles(
      ["patients", "clients", "staff", "resources", "notes", "appointments"].map { folder.file("\($0).jsonl") },
      options: ImportOptions(indexes: false), now: now, progress: { _ in }, message: { _ in })
    #expect(summary.rejected == 0)
    #expect(summary.conflicts == 0)
    #expect(summary.records["notes"]?.inserted == counts.notes)
    #expect(summary.records["appointments"]?.inserted == counts.appointments)
  }

  @Test func `the diary ahead gives each slot once and leaves the middle of the day free`() throws {
    let simulator = try Self.simulator(400)
    var slots = FreeSlots(staff: simulator.staff, from: simulator.configuration.until.adding(days: 1), days: 14)
    var seen: Set<String> = []
    while let slot = slots.next() {
      #expect(seen.insert("\(slot.clinician) \(slot.start.seconds)").inserted)
      let minute = Int(slot.start.seconds % 86_400) / 60
      #expect((540..<720).contains(minute) || (840..<1020).contains(minute))
    }
    #expect(seen.count == 10 * 12 * simulator.staff.count)
  }

  @Test func `words that nobody has seen keep coming`() throws {
    let simulator = try Self.simulator(200)
    func distinct(_ numbers: Range<Int>) -> Int {
      Set(numbers.flatMap { simulator.patient($0).notes }.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber } })
        .count
    }
    #expect(distinct(0..<200) > distinct(0..<100) * 3 / 2)
  }
}
