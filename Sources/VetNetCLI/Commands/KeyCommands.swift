import Clinical
import VetNet

/// What opens an encrypted practice file.
enum KeyCommands {
  private static let label = Option("--label", "NAME", "what it is called in vetnet key list")
  private static let dryRun = Option("--dry-run", nil, "check everything, change nothing")
  private static let recovery = Option("--recovery", nil, "a recovery key instead, which is printed once")

  static let list = Command(
    "key list", "lists what opens the encrypted practice file",
    examples: [Example("vetnet key list", "passphrases and recovery keys, by number")],
    discussion: "Neither a passphrase nor a key is shown, or could be: the file doesn't hold them."
  ) { invocation in
    for line in try invocation.perform(ListKeys(), on: invocation.openPractice()) {
      try invocation.show(line) { [line.description] }
    }
    return .ok
  }

  static let add = Command(
    "key add", "lets another passphrase open the encrypted practice file",
    options: [PassphraseInput.newOption, label, recovery, dryRun],
    examples: [
      Example("vetnet key add --label \"Dr Ash\"", "asks for the passphrase of now, and for the new one"),
      Example("vetnet key add --recovery", "one more recovery key"),
    ],
    discussion: "No page of the file is written anew: each passphrase opens the same key. A file has eight at most."
  ) { invocation in
    try invocation.unlock(invocation.practicePath, byHeldKey: false)
    let practice = try invocation.openPractice(.write)
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let words = isDryRun ? nil : try offer(to: practice, invocation)
    let number = try invocation.perform(
      AddKey(label: invocation.arguments.value("--label") ?? "", isDryRun: isDryRun), on: practice)
    try report(number, "added", words, invocation)
    return .ok
  }

  static let change = Command(
    "key change", "replaces a passphrase, or a recovery key, by another",
    positionals: [
      Positional("NUMBER", "as vetnet key list says; needed where there are several passphrases", optional: true)
    ],
    options: [PassphraseInput.newOption, label, recovery, dryRun],
    examples: [
      Example("vetnet key change", "asks for the passphrase of now, and for the new one"),
      Example("vetnet key change 3 --new-passphrase-file pass.txt", "the third"),
    ],
    discussion: """
      The old one doesn't open this file from then on. It still opens copies and backups that were made before: vetnet encrypt --new-key gives the
      file another key, where that is not enough.
      """
  ) { invocation in
    try invocation.unlock(invocation.practicePath, byHeldKey: false)
    let practice = try invocation.openPractice(.write)
    let wanted = try number(in: practice, invocation)
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let words = isDryRun ? nil : try offer(to: practice, invocation)
    let label = invocation.arguments.value("--label")
    let known = try invocation.perform(ListKeys(), on: practice).first { $0.number == wanted }?.label
    try invocation.perform(ChangeKey(number: wanted, label: label ?? known ?? "", isDryRun: isDryRun), on: practice)
    try report(wanted, "changed", words, invocation)
    return .ok
  }

  static let remove = Command(
    "key remove", "takes away a passphrase, or a recovery key",
    positionals: [Positional("NUMBER", "as vetnet key list says")], options: [dryRun],
    examples: [Example("vetnet key remove 2", "it opens this file no more; the last that there is can't be removed")],
    discussion:
      "It still opens copies and backups that were made before; vetnet encrypt --new-key gives the file another key."
  ) { invocation in
    try invocation.unlock(invocation.practicePath, byHeldKey: false)
    let practice = try invocation.openPractice(.write)
    let wanted = try number(in: practice, invocation)
    try invocation.perform(RemoveKey(number: wanted, isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    try report(wanted, "removed", nil, invocation)
    return .ok
  }

  static let hold = Command(
    "key hold", "has the kernel hold the key for a while, so that commands need no passphrase",
    options: [Option("--minutes", "N", "for how long, up to a day (default 60)")],
    examples: [Example("vetnet key hold --minutes 600", "for a working day; vetnet key forget ends it")],
    discussion: """
      Every program that you run can use the key meanwhile; it is in no file, and gone when the machine is switched off. It
      lies in the kernel's keyring, in memory that is not swapped.
      """
  ) { invocation in
    let minutes = try invocation.integer("--minutes", in: 1...1440) ?? 60
    try requireEncryption(invocation)
    try invocation.unlock(invocation.practicePath, byHeldKey: false)
    try PracticeLock.hold(of: invocation.practicePath, minutes: minutes)
    invocation.terminal.say("The key is held for \(minutes) minutes; vetnet key forget ends that.")
    return .ok
  }

  static let forget = Command(
    "key forget", "has the kernel hold the key no longer",
    examples: [Example("vetnet key forget", "the next command needs the passphrase again")]
  ) { invocation in
    try requireEncryption(invocation)
    let wasHeld = try PracticeLock.forgetHeld(of: invocation.practicePath)
    invocation.terminal.say(wasHeld ? "The key is forgotten." : "No key was held.")
    return .ok
  }

  private static func requireEncryption(_ invocation: Invocation) throws {
    guard try PracticeLock.state(of: invocation.practicePath) == .none else { return }
    _ = try invocation.openPractice()
    throw PracticeError(.failed, "'\(invocation.practicePath)' is not encrypted, and needs no keys")
  }

  /// The number that was given, or that of the only passphrase.
  private static func number(in practice: Practice, _ invocation: Invocation) throws -> Int {
    if let word = invocation.arguments.positionals.first {
      guard let number = Int(word), (1...8).contains(number) else {
        throw UsageError("'\(word)' is no number of a key")
      }
      return number
    }
    let passphrases = try invocation.perform(ListKeys(), on: practice).filter { $0.kind == "passphrase" }
    guard passphrases.count == 1 else {
      throw UsageError("there are \(passphrases.count) passphrases; say which by its number: vetnet key list")
    }
    return passphrases[0].number
  }

  /// Has the new passphrase given, or makes a recovery key, whose words are returned.
  private static func offer(to practice: Practice, _ invocation: Invocation) throws -> String? {
    if invocation.arguments.isSet("--recovery") {
      try invocation.requireOne(of: "--recovery", PassphraseInput.newOption.name)
      let (key, words) = OfferedKey.recovery()
      practice.secrets.offeredKey = key
      return words
    }
    let passphrase = try PassphraseInput.readNew(
      invocation.arguments, prompt: "New passphrase: ", to: invocation.terminal)
    practice.secrets.offeredKey = try passphrase.withBytes { try OfferedKey(passphrase: $0) }
    return nil
  }

  private static func report(_ number: Int, _ what: String, _ words: String?, _ invocation: Invocation) throws {
    if let words { invocation.show(recoveryKey: words) }
    let isDryRun = invocation.arguments.isSet("--dry-run")
    try invocation.show(
      KeyChangeOutput(number: number, done: what, recovery_key: words, dry_run: isDryRun ? true : nil)
    ) {
      ["Key \(number) \(isDryRun ? "would be" : "is") \(what)."]
    }
  }

  private struct KeyChangeOutput: Encodable {
    let number: Int
    let done: String
    let recovery_key: String?
    /// Left out where it was done.
    let dry_run: Bool?
  }
}
