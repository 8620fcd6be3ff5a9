import Clinical
import FoundationEssentials
import Store

extension Practice.File {
  static func secret(_ passphrase: UnsafeRawBufferPointer) throws -> LockedBytes {
    guard !passphrase.isEmpty else { throw PracticeError(.key, "an empty passphrase protects nothing") }
    return LockedBytes(copying: passphrase)
  }

  /// Whether the practice file is encrypted.
  public var isEncryptedFile: Bool { connection.isSealed }

  func backupCover(isEncrypted: Bool) throws -> Backup.Cover {
    defer { practice.secrets.offeredBackupKey = nil }
    guard isEncrypted, !isEncryptedFile else { return .asSource }
    guard let key = practice.secrets.offeredBackupKey else {
      throw PracticeError(
        .key, "there is no passphrase to encrypt the backup with",
        hint: "Maybe give one with --new-passphrase-file FILE.")
    }
    return .sealed(key.sealing)
  }

  // MARK: What doctor and verify say

  /// Whether both copies of the head are whole; nil of a plain file.
  func encryptionCheck() throws -> IntegrityCheck? {
    guard isEncryptedFile else { return nil }
    return IntegrityCheck(
      "encryption", checked: 2,
      try practice.integrity.looking("file") {
        let whole = try SealedHead.soundCopies(of: path)
        guard whole < 2 else { return [] }
        return [
          DoctorFinding(
            .damage, "file",
            "\(2 - whole) of the two copies of its head is not whole, as where a change of keys was broken off; the next command that writes makes both whole"
          )
        ]
      })
  }

  func encryptionFindings() throws -> [DoctorFinding] {
    guard let sealing = try connection.sealing() else { return [] }
    let kinds = sealing.head.slots.compactMap { $0?.kind }
    guard !kinds.contains(.recovery) else { return [] }
    return [
      DoctorFinding(
        .problem, "file",
        "is encrypted and has no recovery key: when its passphrases are forgotten, nobody can open it; run: vetnet key add --recovery"
      )
    ]
  }
}

extension PracticeError {
  static func keyNeeded(_ path: String) -> Self {
    PracticeError(
      .key, "'\(path)' is encrypted, and there is no key for it",
      hint: "Maybe give its passphrase or recovery key: --passphrase-file FILE, or on the terminal.")
  }

  static func wrongKey(_ path: String) -> Self {
    PracticeError(
      .key, "'\(path)' is encrypted, and what was given opens none of its keys",
      hint: "Maybe look for capitals and the keyboard's language; the recovery key opens it too.")
  }
}
