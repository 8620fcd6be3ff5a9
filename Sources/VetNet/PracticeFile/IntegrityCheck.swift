import Store

/// One kind of check of a practice file, with what it found.
public struct IntegrityCheck: Encodable, Sendable {
  /// `structure`, `references`, `pages`, `records`, `encounters`, `audit`, `ranges`, `vectors`, `postings` or `slots`.
  public let name: String
  public let ok: Bool
  /// How many pages, tables, records, entries of the audit log, ranges, vectors, terms or appointments were looked at.
  public let checked: Int
  /// What is not as it was written, by ids and dates; never words of a note.
  public let failed: [String]
  /// The same as `doctor` says it, with what is no damage.
  let findings: [DoctorFinding]

  init(_ name: String, checked: Int, _ findings: [DoctorFinding]) {
    self.name = name
    self.checked = checked
    self.findings = findings
    failed = findings.filter { $0.severity == .damage }.map { "\($0.subject): \($0.message)" }
    ok = failed.isEmpty
  }

  /// A check that could not be made, which is no good sign: it isn't ok, and says why.
  init(_ name: String, skipped reason: String) {
    self.name = name
    checked = 0
    findings = []
    failed = [reason]
    ok = false
  }

  private enum CodingKeys: String, CodingKey { case name, ok, checked, failed }
}

/// What `vetnet verify` found.
public struct Verification: Encodable, Sendable {
  public let ok: Bool
  public let checks: [IntegrityCheck]

  init(_ checks: [IntegrityCheck]) {
    self.checks = checks
    ok = checks.allSatisfy(\.ok)
  }
}

extension Practice.Integrity {
  /// Compares everything in the file with what was written: its structure, references, pages, records, audit log, ranges, vectors, postings
  /// and occupied slots. Nothing is changed.
  ///
  /// `doctor` makes the same checks, and judges values, permissions and models besides.
  package func verify() throws -> Verification {
    try reading {
      var checks = try integrityChecks(isQuick: false)
      checks.append(
        IntegrityCheck(
          "slots", checked: try connection.recordHashes.recordCount(.appointment),
          try looking("appointments") { try slotFindings() }))
      return Verification(checks)
    }
  }

  /// What can be said of a file that can't be opened because of `error`.
  ///
  /// - Throws: `error`, when it says nothing about damage.
  public static func verification(ofUnopened path: String, because error: PracticeError) throws -> Verification {
    Verification([IntegrityCheck("structure", checked: 0, try findings(ofUnopened: path, because: error))])
  }
}
