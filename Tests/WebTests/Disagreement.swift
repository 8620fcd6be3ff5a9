import Clinical
import Foundation
import PracticeTestSupport
import Testing
import VetNetTestSupport

@testable import VetNet

/// A practice that is served, and a laptop that changed the same records without knowing of it: a weight, a note's words, and the time that
/// another animal got.
final class Disagreement {
  let served: ServedPractice
  let folder: TemporaryFolder
  let laptop: Practice
  let vet = Actor(name: "a veterinarian", role: .veterinarian)
  let keeper = Actor(name: "a administrator", role: .administrator)
  static let (patient, other, note) = ("P002", "P003", "N0046")
  static let hostile = "Farm visit: <script>alert(1)</script> \"quoted\"."
  private let stick: String

  init() throws {
    served = try ServedPractice.closed()
    folder = try TemporaryFolder()
    stick = folder.file("stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    let hub = try Self.open(served.path)
    try hub.perform(CloneHub(path: folder.file("laptop.vetnet"), device: "farm laptop"), by: vet, at: served.clock.now)
    laptop = try Self.open(folder.file("laptop.vetnet"))
    try change(hub, weight: 11.1, text: "Rang: eats again.", visitOf: Self.other)
    served.clock.pass(seconds: 300)
    try change(laptop, weight: 22.2, text: Self.hostile, visitOf: Self.patient)
    try sync()
  }

  private static func open(_ path: String) throws -> Practice {
    try Practice.open(at: path, models: shippedModels(), access: .write)
  }

  func hub() throws -> Practice { try Self.open(served.path) }

  /// Through the stick: the laptop, the hub, the laptop again.
  func sync() throws {
    for practice in [laptop, try hub(), laptop] {
      let exchange = try practice.perform(ExchangeWithFolder(path: stick), by: vet, at: served.clock.now)
      #expect(exchange.refused == [])
    }
  }

  private func change(_ practice: Practice, weight: Double, text: String, visitOf patient: String) throws {
    try setWeight(weight, in: practice)
    try practice.perform(AmendNote(id: Self.note, text: text, reason: "more was heard"), by: vet, at: served.clock.now)
    let start = try #require(ISODateTime("2026-11-27T11:00").map { practice.timeZone.timestamp(of: $0) })
    let booking = Booking(patient: patient, start: start, minutes: 20, clinicianID: "S01", reason: "recheck")
    try practice.perform(BookAppointment(booking: booking), by: vet, at: served.clock.now)
  }

  func setWeight(_ weight: Double, in practice: Practice) throws {
    let known = try practice.perform(ShowRegistration(reference: Self.patient), by: vet, at: served.clock.now)
    var fields = PatientFields(known.patient)
    fields.weightKilograms = weight
    try practice.perform(
      AmendPatient(reference: Self.patient, fields: fields, acceptsDoubts: true), by: vet, at: served.clock.now)
  }

  func weight(in practice: Practice) throws -> Double? {
    try practice.perform(ShowRegistration(reference: Self.patient), by: vet, at: served.clock.now).patient
      .weightKilograms
  }

  /// Of one field, as the hub lists it.
  func conflict(_ field: String) throws -> SyncConflict {
    let all = try hub().perform(ListSyncConflicts(all: true), by: vet, at: served.clock.now)
    return try #require(all.first { $0.field == field }, "\(all.map(\.field))")
  }
}
