import Clinical
import VetNet

/// Putting encryption on a practice file that is there, and taking it away.
enum EncryptCommands {
  private static let label = Option("--label", "NAME", "what the passphrase is called in vetnet key list")

  private static let dryRun = Option("--dry-run", nil, "check everything, write nothing")

  static let encrypt = Command(
    "encrypt", "encrypts the practice file",
    options: [
      PassphraseInput.newOption, label,
      Option(
        "--new-key", nil, "an encrypted file anew, under another key that older copies and passphrases don't know"),
      dryRun,
    ],
    examples: [
      Example("vetnet encrypt", "asks for a passphrase, and prints a recovery key"),
      Example("vetnet encrypt --new-passphrase-file pass.txt --json", "for a script"),
    ],
    discussion: """
      The whole file is made anew beside the other, checked against it, and put in its place in one step: what breaks off leaves the
      file as it was. It needs room for two more files of its size, and nobody else may use the file meanwhile (exit code 11). Backups that
      were made before stay as they are, and so may what the disk keeps of the file that was there: SECURITY.md says what is
      protected against, and what not.
      """
  ) { invocation in
    let path = invocation.practicePath
    let now = try invocation.now(in: .current)
    switch try PracticeLock.state(of: path) {
    case .none: break
    case .locked, .unlocked:
      guard invocation.arguments.isSet("--new-key") else {
        throw UsageError("'\(path)' is encrypted; --new-key encrypts it anew, vetnet key change changes the passphrase")
      }
      try invocation.unlock(path, byHeldKey: false)
    }
    let actor = try invocation.actor(at: path)
    let isDryRun = invocation.arguments.isSet("--dry-run")
    // Of a dry run nothing is kept, nor is a passphrase asked for it.
    let key = try isDryRun ? NewFileKey.discarded : invocation.newFileKey(now: now)
    let report = try finishing("encrypt", invocation) { progress in
      try Practice.File.encrypt(
        EncryptPractice(isDryRun: isDryRun), at: path, with: key, models: invocation.models(), by: actor, now: now,
        progress: progress)
    }
    if isDryRun {
      try invocation.show(EncryptionOutput(report, recoveryKey: nil, isDryRun: true)) {
        ["\(path): \(report.records) records, sound, would be encrypted"]
      }
      return .ok
    }
    invocation.show(recoveryKey: key.recoveryWords)
    try invocation.show(EncryptionOutput(report, recoveryKey: key.recoveryWords)) {
      ["\(path): \(report.records) records, encrypted, and found to be what was there"]
    }
    return .ok
  }

  static let decrypt = Command(
    "decrypt", "takes the encryption of the practice file away",
    options: [dryRun],
    examples: [Example("vetnet decrypt", "asks for the passphrase; anybody who can read the file reads it afterwards")],
    discussion: """
      As vetnet encrypt: made anew beside, checked, and put in place in one step. Keys that the kernel holds are not asked for: it takes
      the passphrase, or the recovery key.
      """
  ) { invocation in
    let path = invocation.practicePath
    let now = try invocation.now(in: .current)
    try invocation.unlock(path, byHeldKey: false)
    let actor = try invocation.actor(at: path)
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let report = try finishing("decrypt", invocation) { progress in
      try Practice.File.decrypt(
        DecryptPractice(isDryRun: isDryRun), at: path, models: invocation.models(), by: actor, now: now,
        progress: progress)
    }
    try invocation.show(EncryptionOutput(report, recoveryKey: nil, isDryRun: isDryRun)) {
      [
        isDryRun
          ? "\(path): \(report.records) records, sound, would not be encrypted any more"
          : "\(path): \(report.records) records, not encrypted any more, and found to be what was there"
      ]
    }
    return .ok
  }

  /// Runs long work with a bar, until a signal ends it.
  private static func finishing(
    _ name: String, _ invocation: Invocation, _ work: ((Progress) throws -> Void) throws -> CoverReport
  ) throws -> CoverReport {
    StopSignal.watch()
    let bar = ProgressBar(name, isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    return try work { progress in
      if let signal = StopSignal.current {
        throw PracticeError(.stopped(signal: signal), "stopped; the practice file is as it was")
      }
      bar.update(done: progress.done, total: progress.total, detail: progress.detail)
    }
  }
}

private struct EncryptionOutput: Encodable {
  let practice: String
  let encrypted: Bool
  let records: Int
  let bytes: Int
  let recovery_key: String?
  /// Left out where it was done.
  let dry_run: Bool?

  init(_ report: CoverReport, recoveryKey: String?, isDryRun: Bool = false) {
    dry_run = isDryRun ? true : nil
    practice = report.practice
    encrypted = report.encrypted
    records = report.records
    bytes = report.bytes
    recovery_key = recoveryKey
  }
}
