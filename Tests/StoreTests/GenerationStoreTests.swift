import Clinical
@testable import Store
import Testing

@Suite struct GenerationStoreTests {
  @Test func `a generation replaces the one before in one step, when it is complete`() throws {
    let practice = try TestPractice()
    let generations = practice.connection.generations
    try practice.write("N1", "one two")
    let first = try practice.beginGeneration("first")
    #expect(
      #expect(throws: StoreError.self) { try generations.activate(row: first) }?.code == .incomplete)
    try practice.index(first)
    try generations.activate(row: first)
    #expect(try generations.live()?.rowID == first)

    let second = try practice.beginGeneration("second")
    try practice.connection.chunks.markFailed(note: 1, generation: second, reason: "test")
    let reader = try Connection.open(practice.folder.file, access: .readOnly)
    try reader.transaction(.deferred) { () throws(StoreError) in
      #expect(try reader.generations.live()?.rowID == first)
      try generations.activate(row: second)
      #expect(try reader.generations.live()?.rowID == first)
    }
    #expect(try reader.generations.live()?.rowID == second)
    #expect(try generations.list().map(\.state) == [.retired, .live])
  }

  @Test func `no two generations are live, whatever a statement says`() throws {
    let practice = try TestPractice()
    _ = try practice.beginGeneration("first")
    _ = try practice.beginGeneration("second")
    let error = #expect(throws: StoreError.self) {
      try practice.connection.execute("UPDATE generation SET state = 'live'")
    }
    #expect(error?.isUniqueViolation == true)
  }

  @Test func `an interrupted generation is found again by model and rules`() throws {
    let practice = try TestPractice()
    let generations = practice.connection.generations
    let row = try practice.beginGeneration()
    let begun = try #require(try generations.generation(row: row))
    #expect(try generations.building(model: begun.modelRowID, rulesVersion: "1") == begun)
    #expect(try generations.building(model: begun.modelRowID, rulesVersion: "2") == nil)
  }

  @Test func `discarding goes step by step, and notes may change in between`() throws {
    let practice = try TestPractice()
    let connection = practice.connection
    let old = try practice.beginGeneration("old")
    let kept = try practice.beginGeneration("kept")
    for number in 0..<20 { try practice.write("N\(number)", "a b c d e f \(number)") }
    try practice.index(old)
    try practice.index(kept)
    var steps = 0
    while try !connection.generations.discard(row: old, atMost: 7) {
      steps += 1
      if steps == 2 { try practice.write("N19", "changed meanwhile") }
    }
    #expect(steps > 5)
    try practice.index(kept)
    #expect(try connection.generations.list().map(\.rowID) == [kept])
    #expect(try connection.chunks.verify(generation: kept).isEmpty)
    #expect(try connection.number("SELECT count(*) FROM chunk WHERE generation_id = ?", old) == 0)
    #expect(try connection.number("SELECT count(*) FROM term WHERE generation_id = ?", old) == 0)
    #expect(try connection.foreignKeyCheck().isEmpty)
    #expect(try connection.integrityCheck().isEmpty)
  }

  @Test func `a model is entered once, and goes when nothing uses it`() throws {
    let practice = try TestPractice()
    let models = practice.connection.models
    let generation = try practice.beginGeneration()
    _ = try practice.beginGeneration()
    #expect(try models.list().count == 1)
    let model = try #require(try models.list().first)
    #expect(try models.model(checksum: model.checksum) == model)
    #expect(
      #expect(throws: StoreError.self) { try models.delete(row: model.rowID) }?.code == .constraint(.foreignKey))
    for row in [generation, generation + 1] {
      while try !practice.connection.generations.discard(row: row) {}
    }
    try models.delete(row: model.rowID)
    #expect(try models.list().isEmpty)
  }

  @Test func `a question reads the rows of its own buckets`() throws {
    let practice = try TestPractice()
    let models = practice.connection.models
    let model = try models.register(
      kind: "projection", checksum: ContentHash(of: [1]), name: "test", parameters: "{}",
      createdAt: Timestamp(seconds: 0))
    let rows = [UInt32(0), 7, 262_143].map {
      StoredProjectionRow(bucket: $0, weight: Double($0) / 3, vector: toyVector("\($0)"))
    }
    try models.insertProjection(rows, model: model)
    let found = try models.projectionRows(model: model, buckets: [262_143, 1, 0, 0])
    #expect(found == [0: rows[0], 262_143: rows[2]])
    #expect(try models.projectionRowCount(model: model) == 3)
  }
}
