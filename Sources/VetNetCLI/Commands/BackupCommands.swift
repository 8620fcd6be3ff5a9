import Clinical
import VetNet

enum BackupCommands {
  static let backup = Command(
    "backup", "copies the practice file, and proves the copy before it counts",
    positionals: [Positional("FILE", "the backup, or a folder for backups that are named after their time")],
    options: [
      Option("--keep", "N", "with a folder: delete the oldest backups of this practice beyond N"),
      Option("--encrypted", nil, "encrypt the backup of a practice file that isn't; a recovery key is printed once"),
      PassphraseInput.newOption,
      Option("--dry-run", nil, "say what would be made and deleted, do nothing"),
    ],
    examples: [
      Example("vetnet backup /media/usb/backups --keep 14", "one more in the folder, the last fourteen stay"),
      Example("vetnet backup practice-before-move.vetnet", "one file; an older backup of that name is replaced"),
    ],
    discussion: """
      Others may go on working: the backup is the practice at one moment. It is called good, and takes its name, only after it
      was restored into another file, and that file's structure, references, checksums and record hashes were checked and
      its tables compared with what was backed up. It is readable by you only; that of an encrypted practice is encrypted, and
      opened by the passphrases and the recovery key that the practice had then. A practice file that is not as it was written is not backed up (exit code 13); earlier backups are left alone. vetnet status shows the last proven backup. Names in a
      folder are practice-YYYYMMDD-HHMMSS.vetnet, in UTC.
      """,
    files: { _ in .folders }
  ) { invocation in
    let arguments = invocation.arguments
    let keep = try invocation.integer("--keep", in: 1...10_000)
    let practice = try invocation.openPractice(.write)
    StopSignal.watch()
    practice.door.stopSignal = { StopSignal.current }
    let isEncrypted = arguments.isSet("--encrypted")
    guard isEncrypted || !arguments.isSet(PassphraseInput.newOption.name) else {
      throw UsageError("'\(PassphraseInput.newOption.name)' goes with '--encrypted'")
    }
    var key: NewFileKey?
    if isEncrypted, !practice.file.isEncryptedFile, !arguments.isSet("--dry-run") {
      let made = try invocation.newFileKey(now: invocation.now(in: practice.timeZone))
      practice.secrets.offeredBackupKey = made
      key = made
    }
    let bar = ProgressBar("backup", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let report = try invocation.perform(
      BackUp(
        destination: arguments.positionals[0], keep: keep, isEncrypted: isEncrypted,
        isDryRun: arguments.isSet("--dry-run")), on: practice,
      progress: { bar.update(done: $0.done, total: $0.total, detail: $0.detail) })
    bar.finish()
    if let key { invocation.show(recoveryKey: key.recoveryWords) }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line) }
    }
    return .ok
  }

  static let restore = Command(
    "restore", "puts a backup in the place of the practice file",
    positionals: [Positional("FILE", "a backup")],
    options: [
      Option("--replace-newer", nil, "also where the practice file holds changes that the backup doesn't"),
      Option("--dry-run", nil, "check the backup and compare, change nothing"),
    ],
    examples: [
      Example("vetnet restore /media/usb/backups/practice-20261120-180000.vetnet", "the practice file as it was then"),
      Example("vetnet restore old.db --practice ./look-up.db", "beside it, to look something up"),
    ],
    discussion: """
      The backup is checked first, put in place in one step, and checked again. What was there is kept beside it, under its name
      with before-restore and the time. A practice file that holds changes which the backup doesn't, or is another practice's,
      is left alone unless --replace-newer says otherwise; one that is in use is left alone in any case (exit code 11). A backup
      that is not what was written is refused (exit code 13).
      """,
    files: { _ in .folders }
  ) { invocation in
    // One passphrase for both: what is there may have been opened by another since.
    try invocation.unlock(invocation.arguments.positionals[0])
    do {
      try invocation.unlock(invocation.practicePath)
    } catch let error as PracticeError where error.code == .integrity {
      // Too damaged to be opened by anybody: why somebody restores.
    }
    let actor = try invocation.actor(at: invocation.practicePath)
    let report = try Practice.File.restore(
      RestoreBackup(
        backup: invocation.arguments.positionals[0], replacesNewer: invocation.arguments.isSet("--replace-newer"),
        isDryRun: invocation.arguments.isSet("--dry-run")),
      at: invocation.practicePath, models: invocation.models(), by: actor, now: invocation.now(in: .current))
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line) }
    }
    return .ok
  }
}

enum VerifyCommand {
  static let command = Command(
    "verify", "compares the practice file, or a backup, with what was written, and says how much was looked at",
    positionals: [Positional("FILE", "a backup; the practice file when none is given", optional: true)],
    examples: [
      Example("vetnet verify", "each check, and what failed"),
      Example("vetnet verify --json", "one JSON object, for a script"),
      Example("vetnet verify /media/usb/backups/practice-20261120-180000.vetnet", "a backup, which is only read"),
    ],
    discussion: """
      Checks the structure (every index against its table), references, the checksum of every page, the hash of every record, the
      chain of the audit log, the byte ranges of chunks and facts in their notes, vectors against their model, postings against chunks,
      courses of drugs against facts, and the slots that appointments occupy. The exit code is 13 when anything is not as it was written; ids and dates are named, never words of
      a note. It repairs nothing and judges no values: vetnet doctor says what to do, and what looks wrong in the record.

      With FILE nothing is changed in it or made beside it, and no practice file is needed. An encrypted one takes its passphrase, and one of a
      practice with users one of them (--as); who looked is not put on record. A file in use (exit code 11) is named with --practice instead; a backup from an older VetNet is checked by vetnet restore FILE --dry-run. A backup has no audit key beside it: the
      chain of its log is checked, but not that nobody made it anew (vetnet audit verify does, for the practice file).
      """
  ) { invocation in
    let backup = invocation.arguments.positionals.first
    let result: Verification
    do {
      let practice =
        if let backup {
          try invocation.openBackup(backup)
        } else {
          try invocation.openPractice()
        }
      result = try invocation.perform(VerifyPractice(), on: practice)
    } catch let error as PracticeError {
      result = try Practice.Integrity.verification(ofUnopened: backup ?? invocation.practicePath, because: error)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(result)
    } else {
      for check in result.checks {
        let outcome = check.ok ? "ok" : "FAILED"
        invocation.terminal.print("\(check.name.padded(to: 12))\(outcome.padded(to: 8))\(check.checked) checked")
        for failure in check.failed { invocation.terminal.print("  \(failure)") }
      }
    }
    return result.ok ? .ok : .integrity
  }
}
