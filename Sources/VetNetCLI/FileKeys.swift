import Clinical
import FoundationEssentials
import VetNet

extension Invocation {
  /// Opens the key of an encrypted file, if it isn't yet: with the passphrase that was given, else by what the kernel holds for a while, else
  /// asked for on the terminal. Who changes what opens the file has to know what does: a key that is held is not enough for that.
  ///
  /// - Throws: ``PracticeError`` with `key` when there is none, or it doesn't fit.
  func unlock(_ path: String, byHeldKey: Bool = true) throws {
    guard try PracticeLock.state(of: path) == .locked else { return }
    PracticeLock.keepMemoryPrivate()
    let isGiven = arguments.isSet("--passphrase-file") || arguments.isSet("--passphrase-fd")
    // With `--as` the passphrase may be the user's alone.
    if byHeldKey, !isGiven || arguments.isSet("--as"), try PracticeLock.openFromKernel(path) { return }
    let given: Passphrase
    do {
      given = try passphrase("Passphrase of \(path): ")
    } catch let error as UsageError where !isGiven {
      throw PracticeError(.key, "'\(path)' is encrypted: \(error.message)")
    }
    try given.withBytes { try PracticeLock.open(path, with: $0) }
  }

  /// The passphrase and the recovery key of a file that is to be encrypted.
  func newFileKey(now: Timestamp) throws -> NewFileKey {
    PracticeLock.keepMemoryPrivate()
    let passphrase = try PassphraseInput.readNew(arguments, prompt: "New passphrase of the file: ", to: terminal)
    return try passphrase.withBytes {
      try NewFileKey(passphrase: $0, label: arguments.value("--label") ?? "", now: now)
    }
  }

  /// Shows a recovery key this once.
  func show(recoveryKey words: String) {
    if wantsJSON { return }
    terminal.print("Recovery key: \(words)")
    terminal.say(
      "Write it down and keep it away from the file: it opens the file when the passphrase is forgotten, and is not shown again."
    )
  }
}
