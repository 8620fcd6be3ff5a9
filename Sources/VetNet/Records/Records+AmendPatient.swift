public import Clinical
import Store

/// A patient's registration as somebody corrects it: all of it that the desk may change, nil for what nobody knows.
public struct PatientFields: Hashable, Sendable, Codable {
  public var name: String
  public var species: Species
  public var breed: String?
  public var sex: Sex
  public var dateOfBirth: CalendarDate?
  /// In kilograms.
  public var weightKilograms: Double?
  public var microchip: String?

  public init(_ patient: Patient) {
    name = patient.name
    species = patient.species
    breed = patient.breed
    sex = patient.sex
    dateOfBirth = patient.dateOfBirth
    weightKilograms = patient.weightKilograms
    microchip = patient.microchip
  }

  func applied(to patient: Patient) -> Patient {
    var patient = patient
    patient.name = name
    patient.species = species
    patient.breed = breed
    patient.sex = sex
    patient.dateOfBirth = dateOfBirth
    patient.weightKilograms = weightKilograms
    patient.microchip = microchip
    return patient
  }
}

/// A registration with its revision.
public struct RegisteredPatient: Sendable {
  public let patient: Patient
  /// Another one for each change.
  public let revision: String
  /// What was on file before; nil where nothing was changed.
  public let before: Patient?
  /// What is unlikely about it, in words.
  public let doubts: [String]
}

extension Practice.Records {
  /// A patient's registration, its revision, and what is unlikely about it.
  package func registration(of reference: String, now: Timestamp) throws -> RegisteredPatient {
    try reading {
      let stored = try stored(patient: reference)
      return RegisteredPatient(
        patient: stored.value, revision: try revision(of: stored), before: nil,
        doubts: try models.plausibility().complaints(about: stored.value, today: timeZone.date(of: now)))
    }
  }

  /// Corrects a patient's registration.
  ///
  /// - Parameters:
  ///   - reference: whose: an id, or words that fit one patient.
  ///   - fields: what it is to be.
  ///   - revision: which it is based on; nil for whatever it is now.
  ///   - acceptsDoubts: whether somebody has looked at what is unlikely, and means it.
  ///   - now: the present moment.
  ///   - isDryRun: whether it is only looked at.
  /// - Returns: the registration as it is then, with its revision, and what it was.
  /// - Throws: ``PracticeError`` with `changedMeanwhile` for another revision, `invalidArgument` for what can't be (no name, a birth
  ///   in the future, a microchip of other digits) and, unless they are accepted, for what is unlikely, `failed` for a microchip that
  ///   another patient has.
  package func amendPatient(
    _ reference: String, to fields: PatientFields, expecting revision: String?, acceptsDoubts: Bool, now: Timestamp,
    isDryRun: Bool = false
  ) throws -> RegisteredPatient {
    func work() throws -> RegisteredPatient {
      let stored = try stored(patient: reference)
      if let revision, try self.revision(of: stored) != revision {
        throw PracticeError(
          .changedMeanwhile, "somebody changed patient \(stored.value.id) meanwhile", hint: "Look at it, then decide.")
      }
      var fields = fields
      fields.name = Self.oneLine(fields.name)
      fields.breed = fields.breed.map(Self.oneLine).flatMap { $0.isEmpty ? nil : $0 }
      fields.microchip = try fields.microchip.flatMap(Self.chip)
      let amended = fields.applied(to: stored.value)
      let doubts = try check(amended, acceptsDoubts: acceptsDoubts, now: now)
      guard amended != stored.value else {
        return RegisteredPatient(
          patient: amended, revision: try self.revision(of: stored), before: nil, doubts: doubts)
      }
      guard !isDryRun else {
        return RegisteredPatient(
          patient: amended, revision: try self.revision(of: stored), before: stored.value, doubts: doubts)
      }
      try connection.patients.amend(amended, row: stored.rowID)
      return RegisteredPatient(patient: amended, revision: "", before: stored.value, doubts: doubts)
    }
    if isDryRun { return try reading(work) }
    let done = try writing(work)
    guard done.before != nil else { return done }
    // The revision is a record's hash, which is taken when it is committed.
    let kept = try registration(of: done.patient.id, now: now)
    return RegisteredPatient(
      patient: kept.patient, revision: kept.revision, before: done.before, doubts: done.doubts)
  }

  private func revision(of patient: Stored<Patient>) throws -> String {
    String(try connection.recordHashes.hash(.patient, patient.rowID)?.hexadecimal.prefix(16) ?? "0")
  }

  private func check(_ patient: Patient, acceptsDoubts: Bool, now: Timestamp) throws -> [String] {
    let today = timeZone.date(of: now)
    guard !patient.name.isEmpty else {
      throw PracticeError(.invalidArgument, "a patient needs a name", hint: "'unnamed' will do.")
    }
    if let born = patient.dateOfBirth, born > today {
      throw PracticeError(.invalidArgument, "the date of birth lies in the future")
    }
    if let weight = patient.weightKilograms, !(weight > 0 && weight < 2000) {
      throw PracticeError(.invalidArgument, "a weight is more than 0 and less than 2000 kg")
    }
    if let chip = patient.microchip, let other = try connection.patients.matching(chip).first?.value,
      other.microchip == chip, other.id != patient.id
    {
      throw PracticeError(.failed, "patient \(other.id) has this microchip", hint: "Nothing was written.")
    }
    let doubts = try models.plausibility().complaints(about: patient, today: today)
    if !acceptsDoubts, let first = doubts.first {
      throw PracticeError(.invalidArgument, first, hint: "Look at the number and its unit; if it is right, confirm it.")
    }
    return doubts
  }

  /// 15 digits as chips have had since 1996, or the 9 or 10 characters of those before; spaces and hyphens are left out.
  private static func chip(_ text: String) throws -> String? {
    let digits = text.filter { !$0.isWhitespace && $0 != "-" }.uppercased()
    guard !digits.isEmpty else { return nil }
    let isNew = digits.count == 15 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let isOld = (9...10).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard isNew || isOld else {
      throw PracticeError(
        .invalidArgument, "a microchip has 15 digits, or 9 or 10 characters where it is an old one",
        hint: "It has \(digits.count) here.")
    }
    return digits
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
