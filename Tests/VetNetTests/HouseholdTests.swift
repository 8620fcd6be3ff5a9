import Briefing
import Clinical
import Foundation
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What a brief says of an owner's other animals: only what a note says, each line with its words.
struct HouseholdTests {
  let clinic: SmallClinic
  var practice: Practice { clinic.practice }

  init() throws {
    clinic = try SmallClinic()
    let connection = clinic.practice.connection
    let source = try connection.sources.id(named: "test")
    _ = try connection.clients.upsert(Client(id: "C2", name: "Mr Oak"), source: source)
    for (id, name, species) in [("K1", "Tiggy", Species.cat), ("K2", "Milo", .cat), ("K3", "Rex", .dog)] {
      _ = try connection.patients.upsert(Patient(id: id, name: name, species: species, ownerID: "C2"), source: source)
    }
  }

  private func note(_ id: String, _ patient: String, daysAgo: Int, _ text: String) throws {
    _ = try practice.connection.notes.upsert(
      ClinicalNote(
        id: id, patientID: patient, recordedAt: clinic.now.adding(days: -daysAgo), kind: .consult, text: text),
      source: practice.connection.sources.id(named: "test"))
  }

  /// The lines of the household of Tiggy's brief, with the notes that they cite.
  private func lines() throws -> [(text: String, notes: [String])] {
    try practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
    let brief = try practice.perform(BriefPatient(reference: "K1"), by: .local, at: clinic.now)
    let section = brief.sections.first { $0.title == "Household" }
    return (section?.lines ?? []).map { line in (line.text, line.citations.map { brief.citations[$0].noteID }) }
  }

  @Test func `what another animal of the owner has that spreads is told, with the words that say so`() throws {
    try note(
      "N1", "K2", daysAgo: 20, "Circular hair loss on the ear. Ringworm confirmed on culture. Itraconazole started.")
    try note("N2", "P1", daysAgo: 20, "Ringworm confirmed on culture.")
    let lines = try self.lines()
    let ringworm = try #require(lines.first { $0.text.contains("ringworm") })
    #expect(ringworm.text.contains("Milo (K2, cat)") && ringworm.text.contains("animals and people"))
    #expect(ringworm.text.contains("“Ringworm confirmed on culture”") && ringworm.notes == ["N1"])
    // Nothing of another owner's animals, and nothing without a note.
    #expect(lines.allSatisfy { !$0.notes.isEmpty && !$0.notes.contains("N2") })
  }

  @Test(arguments: [
    "No sign of ringworm. Fungal culture negative.", "Broken nail, clipped.", "Diabetes mellitus diagnosed.",
  ])
  func `what is denied, or doesn't spread, is not`(text: String) throws {
    try note("N1", "K2", daysAgo: 20, text)
    #expect(try lines().allSatisfy { !$0.text.contains("can spread") })
  }

  @Test func `what only animals of another kind can catch is not, but what people can is`() throws {
    try note("N1", "K3", daysAgo: 20, "Parvovirus confirmed on snap test. Leptospirosis confirmed.")
    let lines = try self.lines()
    #expect(!lines.contains { $0.text.contains("parvovirus") })
    #expect(lines.contains { $0.text.contains("leptospirosis, can spread to people") })
  }

  @Test func `what is long over is not told, nor of an animal that has died`() throws {
    try note("N1", "K2", daysAgo: 400, "Ringworm confirmed on culture.")
    try note("N2", "K3", daysAgo: 10, "Kennel cough diagnosed.")
    let source = try practice.connection.sources.id(named: "test")
    _ = try practice.connection.patients.upsert(
      Patient(
        id: "K3", name: "Rex", species: .dog, deceasedAt: CalendarDate(iso: "2026-11-19"), ownerID: "C2"),
      source: source)
    #expect(try lines().isEmpty)
  }

  @Test func `what was planned for all, who came, and who was here last are quoted`() throws {
    try note(
      "N1", "K2", daysAgo: 30, "Itchy. Flea dirt found. Plan: treat all cats in the house with selamectin monthly.")
    try note("N2", "K1", daysAgo: 90, "In with the daughter today. Sneezing, bright. Weight 4.1 kg.")
    let lines = try self.lines()
    #expect(
      lines.contains { $0.text.hasPrefix("For all of them") && $0.text.contains("all cats") && $0.notes == ["N1"] })
    #expect(
      lines.contains { $0.text.hasPrefix("Came last time") && $0.text.contains("daughter") && $0.notes == ["N2"] })
    #expect(lines.contains { $0.text.hasPrefix("Milo (K2, cat) was here last") && $0.notes == ["N1"] })
  }

  @Test func `an animal alone has no household`() throws {
    let source = try practice.connection.sources.id(named: "test")
    for id in ["K2", "K3"] {
      _ = try practice.connection.patients.upsert(
        Patient(id: id, name: "Other", species: .cat, ownerName: "Mr Oak"), source: source)
    }
    try note("N1", "K2", daysAgo: 20, "Ringworm confirmed on culture.")
    #expect(try lines().isEmpty)
  }
}
