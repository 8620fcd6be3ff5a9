public import Clinical

/// A patient's registration with its revision, to be corrected.
public struct ShowRegistration: Operation {
  public static let name = "patient.registration"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.patient]

  public var reference: String

  public init(reference: String) { self.reference = reference }

  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> RegisteredPatient {
    let found = try passage.practice.records.registration(of: reference, now: passage.now)
    passage.touch(.patient, found.patient.id)
    return found
  }
}

/// Corrects a patient's registration; what was changed can be changed back.
public struct AmendPatient: Operation {
  public static let name = "patient.amend"
  public static let permission = Permission.writeRegister
  public static let reads: Set<RecordKind> = [.patient]
  public static let changes: Set<RecordKind> = [.patient]

  public var reference: String
  public var fields: PatientFields
  /// The revision that it is based on; nil for whatever it is now.
  public var expecting: String?
  /// Whether somebody has looked at what is unlikely, and means it.
  public var acceptsDoubts: Bool
  public var isDryRun: Bool

  public init(
    reference: String, fields: PatientFields, expecting: String? = nil, acceptsDoubts: Bool = false,
    isDryRun: Bool = false
  ) {
    self.reference = reference
    self.fields = fields
    self.expecting = expecting
    self.acceptsDoubts = acceptsDoubts
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.patient, reference)] }

  public func run(_ passage: Passage) throws -> RegisteredPatient {
    try passage.practice.records.amendPatient(
      reference, to: fields, expecting: expecting, acceptsDoubts: acceptsDoubts, now: passage.now, isDryRun: isDryRun)
  }
}
