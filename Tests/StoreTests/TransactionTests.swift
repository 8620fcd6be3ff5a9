import Clinical
import Foundation
@testable import Store
import Testing

@Suite struct TransactionTests {
  private struct Refusal: Error {}

  @Test func `a transaction that throws leaves nothing`() throws {
    let practice = try TestPractice()
    #expect(throws: Refusal.self) {
      try practice.connection.mixedTransaction {
        try practice.connection.settings.set("key", to: "value")
        throw Refusal()
      }
    }
    #expect(try practice.connection.settings.value("key") == nil)
    try practice.connection.settings.set("key", to: "later")
    #expect(try practice.connection.settings.value("key") == "later")
  }

  @Test func `an inner transaction fails alone`() throws {
    let practice = try TestPractice()
    let settings = practice.connection.settings
    try practice.connection.mixedTransaction {
      try settings.set("outer", to: "1")
      #expect(throws: Refusal.self) {
        try practice.connection.mixedTransaction {
          try settings.set("inner", to: "1")
          try practice.connection.transaction { () throws(StoreError) in try settings.set("innermost", to: "1") }
          throw Refusal()
        }
      }
      try practice.connection.transaction { () throws(StoreError) in try settings.set("second", to: "1") }
    }
    #expect(try settings.all().map(\.key) == ["outer", "second"])
  }

  @Test func `an outer transaction takes the inner ones along when it fails`() throws {
    let practice = try TestPractice()
    #expect(throws: Refusal.self) {
      try practice.connection.mixedTransaction {
        try practice.connection.transaction { () throws(StoreError) in
          try practice.connection.settings.set("inner", to: "1")
        }
        throw Refusal()
      }
    }
    #expect(try practice.connection.settings.all().isEmpty)
  }

  @Test func `a second writer waits, and is told when it waited long enough`() throws {
    let practice = try TestPractice()
    let second = try Connection.open(practice.folder.file)
    try second.executeScript("PRAGMA busy_timeout = 20", context: "test")
    try practice.connection.transaction { () throws(StoreError) in
      let error = #expect(throws: StoreError.self) {
        try second.transaction { () throws(StoreError) in }
      }
      #expect(error?.code == .busy)
    }
    try second.transaction { () throws(StoreError) in try second.settings.set("key", to: "second") }
    #expect(try practice.connection.settings.value("key") == "second")
  }

  @Test func `a deferred transaction sees one state`() throws {
    let practice = try TestPractice()
    let reader = try Connection.open(practice.folder.file, access: .readOnly)
    try reader.transaction(.deferred) { () throws(StoreError) in
      #expect(try reader.patients.count() == 1)
      _ = try practice.connection.patients.upsert(
        Patient(id: "P2", name: "Max", species: .cat), source: practice.source)
      #expect(try reader.patients.count() == 1)
    }
    #expect(try reader.patients.count() == 2)
  }

  @Test func `two threads with a connection each lose no update`() async throws {
    let practice = try TestPractice()
    let path = practice.folder.file
    try practice.connection.settings.set("count", to: "0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let connection = try Connection.open(path)
          for _ in 0..<50 {
            try connection.transaction { () throws(StoreError) in
              let count = Int(try connection.settings.value("count") ?? "") ?? 0
              try connection.settings.set("count", to: "\(count + 1)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try practice.connection.settings.value("count") == "100")
  }
}
