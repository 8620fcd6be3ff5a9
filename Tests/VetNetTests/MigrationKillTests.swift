import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Files of every schema there was, brought up to date by a process that is killed on the way: they arrive, with all they held.
struct MigrationKillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isSoak = environment["VETNET_SOAK_KILLS"] != nil
  /// Contents that a version wrote, by how many migrations it had; the first is of the first that was released.
  private static let fixtures: [(migrations: Int, file: String)] = [
    (7, "schema-v1.sql"), (20, "schema-v20.sql"),
  ]
  private static let first = 7

  /// A file as the version with so many migrations left it, with the latest content that there is of it or an earlier one.
  private static func makeFile(_ path: String, migrations count: Int) throws {
    let fixture = try #require(fixtures.last(where: { $0.migrations <= count }))
    let script = try String(
      contentsOfFile: projectDirectory + "/Tests/StoreTests/Fixtures/\(fixture.file)", encoding: .utf8)
    // Checksums of pages came with the fifteenth.
    let raw = try Connection.create(path, migrator: Migrator([]), hasPageSums: count >= 15)
    try raw.executeScript("PRAGMA foreign_keys = OFF", context: "the fixture")
    try raw.executeScript(script, context: "the fixture")
    // The records that the script wrote have the seals that it wrote too, and need none of today's schema.
    raw.writtenRecords.forget()
    try Migrator(Array(Migrator.practice.migrations.prefix(count))).migrate(raw)
    try raw.checkpoint()
  }

  /// Those with contents of their own, the last, and one of four between; the soak tries all.
  private static var counts: [Int] {
    let all = first..<Migrator.practice.migrations.count
    let kept = Set(fixtures.map(\.migrations) + [all.upperBound - 1])
    return isSoak ? Array(all) : all.filter { kept.contains($0) || $0.isMultiple(of: 4) }
  }

  @Test(arguments: counts)
  func `a file of an older schema arrives, however often the way is broken off`(count: Int) throws {
    let place = try TemporaryFolder()
    let old = place.file("old/p.vetnet"), folder = place.file("w"), counter = place.file("count")
    mkdir(place.file("old"), 0o700)
    try Self.makeFile(old, migrations: count)
    func prepare() throws {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: place.file("old"), toPath: folder)
      unlink(counter)
    }
    func run(_ fault: Fault) throws -> (VetNetProcess.Outcome, wasKilled: Bool) {
      var vetnet = try VetNetProcess(practice: folder + "/p.vetnet")
      if let program = Self.environment["VETNET_SOAK_PROGRAM"] { vetnet.executable = program }
      let running = try fault.installed(in: vetnet, folder: folder, countFile: counter).start(["import", "log"])
      let outcome = try running.wait()
      return (outcome, running.process.terminationReason == .uncaughtSignal && outcome.status == SIGKILL)
    }
    try prepare()
    let (whole, _) = try run(Fault(.kill, at: 0))
    // A practice with users is brought up to date, and then says nothing to whoever isn't signed in.
    #expect(whole.status == (count < 20 ? 0 : 15), "\(whole.errors)")
    let steps = Fault.count(in: counter)
    try #require(steps > 3)
    let arrived = try Connection.open(folder + "/p.vetnet", access: .readOnly).contentSummary()
    #expect(arrived.tables["migration"]?.rowCount == Migrator.practice.migrations.count)
    #expect(arrived.tables["note"]?.rowCount == 2)

    var kills = 0
    var betweenSchemas = 0
    let chosen = Self.isSoak ? Array(1...steps) : [steps / 12, steps * 3 / 4]
    for step in chosen {
      try prepare()
      let (_, wasKilled) = try run(Fault(step % 2 == 0 ? .kill : .tear, at: max(1, step)))
      guard wasKilled else { continue }
      kills += 1
      let state = try Connection.openAsItIs(folder + "/p.vetnet")
      let reached = try state.number("SELECT count(*) FROM migration")
      if reached < Migrator.practice.migrations.count { betweenSchemas += 1 }
      #expect(reached >= count)
      let connection = try Connection.open(folder + "/p.vetnet")
      #expect(try Migrator.practice.checkUpToDate(connection) == ())
      // A calendar's own id is drawn anew.
      // Nor does somebody come to be refused.
      let differing = Set(try connection.contentSummary().differences(from: arrived).filter { !$0.hasPrefix("audit_") })
      #expect(differing.isSubset(of: ["plan_revision"]), "step \(step) of \(steps): \(differing)")
      #expect(try connection.integrityCheck() == [] && connection.foreignKeyCheck() == [])
      for table in RecordTable.allCases { #expect(try connection.recordHashes.altered(table) == []) }
    }
    #expect(kills == chosen.count, "\(kills) of \(chosen.count)")
    #expect(betweenSchemas > 0)
    print("migration from \(count): \(steps) steps, \(kills) kills, \(betweenSchemas) between schemas")
    if let path = Self.environment["VETNET_SOAK_REPORT"], let file = fopen(path, "a") {
      fputs(#"{"kills":\#(kills),"losses":[],"steps":\#(steps),"work":"migrate from schema \#(count)"}"# + "\n", file)
      fclose(file)
    }
  }
}
