import Clinical
@testable import Store
import Testing

@Suite struct RecentTermsTests {
  @Test func `a term that another process took away is entered anew`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "rare common")
    try practice.write("N2", "common")
    try practice.index(generation)
    let other = try Connection.open(practice.folder.file)
    try other.notes.delete(row: 1)
    try practice.write("N3", "rare common")
    try practice.index(generation)
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    #expect(
      try practice.connection.chunks.statistics(of: ["rare", "common"], generation: generation)
        .mapValues(\.documentFrequency) == ["rare": 1, "common": 2])
    #expect(try practice.connection.foreignKeyCheck().isEmpty)
  }

  @Test func `a term that this process took away is entered anew`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "rare common")
    try practice.write("N2", "common")
    try practice.index(generation)
    try practice.connection.notes.delete(row: 1)
    try practice.write("N3", "rare common")
    try practice.index(generation)
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    #expect(try practice.connection.foreignKeyCheck().isEmpty)
  }

  @Test func `a term of a batch that was undone is entered anew`() throws {
    struct Undone: Error {}
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    let next = try practice.beginGeneration("next")
    try practice.write("N1", "some words")
    try practice.index(generation)
    try practice.write("N2", "new words")
    #expect(throws: Undone.self) {
      try practice.connection.mixedTransaction {
        try practice.index(generation)
        throw Undone()
      }
    }
    // Its row is taken by another.
    try practice.index(next)
    try practice.index(generation)
    for generation in [generation, next] {
      #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    }
    #expect(try practice.connection.foreignKeyCheck().isEmpty)
  }
}
