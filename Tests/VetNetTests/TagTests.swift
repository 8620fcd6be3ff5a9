import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Words that people give to records to find them by.
struct TagTests {
  let clinic: SmallClinic
  var practice: Practice { clinic.practice }
  let desk = Actor(name: "kim", role: .reception)

  init() throws { clinic = try SmallClinic() }

  @discardableResult
  private func set(_ tag: String, _ target: TagRecord.Target, removed: Bool = false) throws -> Bool {
    try practice.perform(TagRecord(tag: tag, target: target, isRemoved: removed), by: desk, at: clinic.now)
  }

  private func tagged(_ tag: String) throws -> [String] {
    try practice.perform(FindTagged(tag: tag), by: desk, at: clinic.now).map { "\($0.kind) \($0.id)" }
  }

  @Test func `a tag is one tag however it is written, on patients, notes and appointments`() throws {
    let note = try practice.perform(
      AddNote(patient: "P2", kind: .phone, text: "Rang.", recordedAt: clinic.now), by: .local, at: clinic.now)
    let visit = try clinic.book("P3", "2026-11-23T10:00").id
    #expect(try set("Diabetic", .patient("P1")) && !set("  DIABETIC ", .patient("P1")))
    #expect(
      try set("diabetic", .note(note.id)) && set("diabetic", .appointment(visit)) && set("for  study", .patient("P1")))
    #expect(try tagged("diabetic") == ["patient P1", "note \(note.id)", "appointment \(visit)"])
    let uses = try practice.perform(ListTags(), by: desk, at: clinic.now)
    #expect(uses.map(\.name) == ["Diabetic", "for study"] && uses[0].patients == 1 && uses[0].notes == 1)
    #expect(
      try practice.perform(ShowTags(target: .patient("P1")), by: desk, at: clinic.now) == ["Diabetic", "for study"])
    #expect(try set("diabetic", .patient("P1"), removed: true) && !set("diabetic", .patient("P1"), removed: true))
    #expect(try tagged("diabetic") == ["note \(note.id)", "appointment \(visit)"])
    let found = try practice.perform(FindTagged(tag: "diabetic"), by: desk, at: clinic.now)
    #expect(found.map(\.patientID) == ["P2", "P3"])
    // What goes takes its tags along.
    let row = try #require(try practice.connection.recordIDs.row(.patient, "P2"))
    try practice.connection.patients.delete(row: row)
    #expect(try tagged("diabetic") == ["appointment \(visit)"])
    #expect(try practice.integrity.verify().ok)
  }

  @Test func `what is no tag, or on no record, is refused, and no tag stands on record`() throws {
    let canary = "zanzibarquartz"
    for bad in ["", " \n ", String(repeating: "x", count: 61), "a\u{7}b"] {
      #expect(throws: PracticeError.self) { try set(bad, .patient("P1")) }
    }
    for target in [TagRecord.Target.patient("P99"), .note("N99"), .appointment("A99")] {
      let error = #expect(throws: PracticeError.self) { try set(canary, target) }
      #expect(error?.code == .notFound && error?.description.contains(canary) == false)
    }
    try set(canary, .patient("P1"))
    for entry in try practice.connection.audit.entries().compactMap(\.entry) { #expect(!"\(entry)".contains(canary)) }
  }
}
