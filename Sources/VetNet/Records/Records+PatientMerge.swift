import Clinical
import Store

/// Two records made one, or taken apart; or what that would do.
public struct PatientMergeReport: Encodable, Sendable {
  /// A field in which the two differ.
  public struct Field: Encodable, Sendable {
    public let field: String
    /// Of the record that is left.
    public let kept: String?
    /// Of the other.
    public let other: String?
    /// Whether both say something: then somebody has to say which is right.
    public let conflicts: Bool
  }

  /// The id of the record that is left.
  public let patient: String
  /// The id that finds it as well, or is a record of its own again.
  public let other: String
  /// False for a dry run, and where somebody has to say which fields are right.
  public let done: Bool
  public let fields: [Field]
  /// Records by kind.
  public let moved: [String: Int]
  /// Fields that were changed since and stay.
  public let stayed: [String]

  /// Whether it waits for somebody to say which fields are right.
  public var isOpen: Bool { !done && fields.contains(where: \.conflicts) }
}

/// A field of a patient, as a merge compares it.
private struct MergedField {
  let name: String
  let columns: [String]
  let value: @Sendable (Patient) -> String?

  static let all: [MergedField] = [
    .init(name: "name", columns: ["name", "name_key"], value: { $0.name }),
    .init(name: "species", columns: ["species"], value: { $0.species.rawValue }),
    .init(name: "breed", columns: ["breed"], value: { $0.breed }),
    .init(name: "sex", columns: ["sex"], value: { $0.sex == .unknown ? nil : $0.sex.rawValue }),
    .init(name: "date_of_birth", columns: ["date_of_birth"], value: { $0.dateOfBirth?.description }),
    .init(name: "deceased_at", columns: ["deceased_at"], value: { $0.deceasedAt?.description }),
    .init(name: "weight_kg", columns: ["weight_kg"], value: { $0.weightKilograms.map { String($0) } }),
    .init(name: "microchip", columns: ["microchip"], value: { $0.microchip }),
    .init(
      name: "owner", columns: ["owner_id", "owner_name", "owner_name_key"],
      value: { patient in
        patient.ownerID.map { id in patient.ownerName.map { "\($0) (\(id))" } ?? id } ?? patient.ownerName
      }),
  ]
}

// Doubles of one animal, which twenty years leave behind. A merge is taken back by a split, a split by merging again.

extension Practice.Records {
  /// Makes the second patient a part of the first, whose id stays; the other's finds it. Where both say something of a field and
  /// differ, `keep` says whose holds; without it nothing is done.
  ///
  /// - Throws: ``PracticeError`` for an empty reason, and for a patient named twice.
  func mergePatients(
    _ first: String, _ second: String, keep: MergePatients.Side?, reason: String, now: Timestamp, isDryRun: Bool
  ) throws -> PatientMergeReport {
    try requireReason(reason)
    let (kept, other) = (try stored(patient: first), try stored(patient: second))
    guard kept.rowID != other.rowID else {
      throw PracticeError(.invalidArgument, "both are \(kept.value.id); nothing was merged")
    }
    var columns: [String] = []
    let fields = MergedField.all.compactMap { field -> PatientMergeReport.Field? in
      let (mine, theirs) = (field.value(kept.value), field.value(other.value))
      guard let theirs, mine != theirs else { return nil }
      if mine == nil || keep == .second { columns += field.columns }
      return .init(field: field.name, kept: mine, other: theirs, conflicts: mine != nil)
    }
    func report(_ done: Bool, _ moved: [String: Int]) -> PatientMergeReport {
      PatientMergeReport(
        patient: kept.value.id, other: other.value.id, done: done, fields: fields, moved: moved, stayed: [])
    }
    if keep == nil, fields.contains(where: \.conflicts) { return report(false, [:]) }
    var moved: [String: Int] = [:]
    try practice.inbox.dryRunning(isDryRun) {
      let outcome = try connection.merges.merge(
        other.rowID, into: kept.rowID, taking: columns, reason: reason, at: now, actor: practice.actorName)
      moved = Self.shown(outcome.moved)
      if outcome.moved["appointment"] != nil { try practice.assessment.keepDurations(at: now) }
    }
    if !isDryRun {
      try practice.index.indexNewNotes(
        after: "\(other.value.id) is merged into \(kept.value.id)", hint: "Run vetnet reindex.", now: now)
    }
    return report(!isDryRun, moved)
  }

  /// Takes a merge back: the id that went is a patient again, with what came from it, and with the notes that are named.
  ///
  /// - Throws: ``PracticeError`` with `notFound` for an id that no merge took, and for a note that is not of the patient who is
  ///   left.
  func splitPatient(
    _ id: String, notes: [String], reason: String, now: Timestamp, isDryRun: Bool
  ) throws -> PatientMergeReport {
    try requireReason(reason)
    let entries = try reporting { try connection.merges.entries(id: id) }
    guard let entry = entries.first, entries.count == 1 else {
      throw PracticeError(
        .notFound, entries.isEmpty ? "no merge took that id" : "\(entries.count) sources have had that id",
        hint: entries.isEmpty
          ? "Give the id that went; vetnet audit log --patient ID says what was merged." : "Write it as source:id.")
    }
    var report: PatientMergeReport?
    try practice.inbox.dryRunning(isDryRun) {
      let outcome: PatientMerges.Outcome
      do {
        outcome = try connection.merges.split(entry)
      } catch let error as StoreError where error.code == .unknownRecord {
        throw PracticeError(
          .invalidArgument, "that record was merged before it came into this file, and can't be taken apart here",
          hint: "Add a patient, and move the notes that are its: vetnet note move")
      }
      guard let kept = try connection.recordIDs.shown(.patient, entry.kept),
        let other = try connection.patients.row(id: entry.externalID, source: entry.source),
        let patient = try connection.patients.patient(row: other)?.value
      else { throw PracticeError(.integrity, "what was kept of the merge is not whole; nothing was written") }
      for note in notes {
        let stored = try storedNote(note)
        guard stored.patientRowID == entry.kept || stored.patientRowID == other else {
          throw PracticeError(.invalidArgument, "note \(stored.value.id) is not of \(kept); nothing was written")
        }
        _ = try connection.notes.change(
          row: stored.rowID, cause: .moved, reason: reason, at: now, actor: practice.actorName,
          { $0.patientID = patient.id })
      }
      if outcome.moved["appointment"] != nil { try practice.assessment.keepDurations(at: now) }
      report = PatientMergeReport(
        patient: kept, other: patient.id, done: !isDryRun, fields: [], moved: Self.shown(outcome.moved),
        stayed: outcome.kept.filter { !$0.hasSuffix("_key") })
    }
    guard let report else { throw PracticeError(.notFound, "no merge took that id") }
    if !isDryRun {
      try practice.index.indexNewNotes(after: "\(report.other) is split off", hint: "Run vetnet reindex.", now: now)
    }
    return report
  }

  private func requireReason(_ reason: String) throws {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "a correction needs a reason", hint: "Give it with --reason.")
    }
  }

  /// Records that people know.
  private static func shown(_ moved: [String: Int]) -> [String: Int] {
    moved.filter { ["note", "appointment", "intake", "assessment", "photo"].contains($0.key) }
  }
}
