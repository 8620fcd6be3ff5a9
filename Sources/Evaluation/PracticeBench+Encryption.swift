import Clinical
import FoundationEssentials
import Glibc
import VetNet

/// What encryption costs: the same work on a plain and an encrypted practice file, in one run.
public struct EncryptionReport: Encodable, Sendable {
  public struct Work: Encodable, Sendable {
    public let name: String
    /// Of each run, in seconds; one where the work can't be repeated.
    public let plain: [Double]
    public let encrypted: [Double]
    /// The median of the encrypted runs over that of the plain ones.
    public let ratio: Double

    init(_ name: String, plain: [Double], encrypted: [Double]) {
      self.name = name
      self.plain = plain
      self.encrypted = encrypted
      ratio = PracticeBench.median(encrypted) / max(PracticeBench.median(plain), 1e-9)
    }
  }

  public let bench = "encryption"
  public let command: String
  public let commit: String
  public let machine: Machine
  public let startedAt: String
  public let seed: UInt64
  public let practice: BenchReport.Size
  public let work: [Work]
  /// What a command takes longer that derives the key from a passphrase instead of taking it from the kernel; seconds.
  public let derivationSeconds: Double

  private enum CodingKeys: String, CodingKey {
    case bench, command, commit, machine, seed, practice, work
    case startedAt = "started_at"
    case derivationSeconds = "derivation_seconds"
  }

  private var table: TextTable {
    func milliseconds(_ seconds: [Double]) -> String {
      "\(TextTable.decimals(PracticeBench.median(seconds) * 1000, 1)) ms"
    }
    return TextTable(
      head: ["work", "plain", "encrypted", "ratio", "runs"],
      rows: work.map {
        [
          $0.name, milliseconds($0.plain), milliseconds($0.encrypted), TextTable.decimals($0.ratio, 2),
          "\($0.encrypted.count)",
        ]
      })
  }

  private var size: String {
    "\(practice.patients) patients, \(practice.notes) notes, \(practice.chunks) chunks, \(TextTable.decimals(practice.megabytes, 1)) MB"
  }

  private var derivation: String {
    "Deriving the key from a passphrase takes \(TextTable.decimals(derivationSeconds * 1000, 0)) ms more"
  }

  public var lines: [String] { [size, ""] + table.lines + ["", derivation + "."] }

  public var markdown: [String] {
    RunFolder.provenance(
      command: command, commit: commit, machine: machine, versions: [:], startedAt: startedAt, seed: seed)
      + ["", "Raw figures: `bench-encryption.json`. \(size).", ""] + table.markdown + [
        "",
        """
        The same files were imported into a plain and an encrypted practice, whose key the kernel held, and the same questions \
        asked of both in turn, each in a new process; a ratio is one median over the other. Cold: the file was taken out of the \
        system's memory before each run. \(derivation), and is in none of these figures.
        """,
      ]
  }
}

extension PracticeBench {
  /// Measures what encryption costs.
  ///
  /// - Throws: ``Failure`` when a process fails, or the kernel holds no keys here.
  public func runEncryption(
    command: String, startedAt: String, commit: String, message: (String) -> Void
  ) throws -> EncryptionReport {
    let text = try SearchText(models: models)
    let records = try PracticeRecords.read([configuration.corpus], timeZone: .utc, models: models)
    message("writing a practice of \(configuration.chunks) chunks")
    let writer = PracticeRecordsWriter(folder: scratch.path)
    _ = try write(
      PracticeVariation(of: records, sentences: text.sentences, seed: configuration.seed), with: writer, text: text)

    let words = scratch.file("passphrase")
    try Data("words that are only for measuring\n".utf8).write(to: URL(filePath: words))
    chmod(words, 0o600)
    let (plain, sealed) = (practice("plain"), practice("sealed"))
    try plain.create()
    try sealed.run(["init", "--time-zone", "UTC", "--encrypted", "--new-passphrase-file", words])
    try sealed.run(["key", "hold", "--minutes", "600", "--passphrase-file", words])
    defer { _ = try? sealed.run(["key", "forget"]) }

    var work: [EncryptionReport.Work] = []
    message("importing and indexing it twice")
    for (name, arguments) in [("import", ["import", "--no-index"] + writer.paths), ("index", ["reindex"])] {
      let (first, second) = (try plain.run(arguments), try sealed.run(arguments))
      work.append(.init(name, plain: [first.seconds], encrypted: [second.seconds]))
    }
    message("asking")
    let lastNote = records.notes.map(\.recordedAt).max() ?? Timestamp(seconds: 0)
    let moment = ["--asked-at", PracticeTimeZone.utc.iso8601(lastNote.adding(days: 1)), "--json"]
    let questions = [
      ("question about a patient", ["ask", configuration.patientQuestion, "--patient", configuration.patientID]),
      ("search of the whole practice", ["ask", configuration.question]),
    ]
    for isCold in [false, true] {
      for (name, question) in questions {
        work.append(
          try repeated("\(name), \(isCold ? "cold" : "warm")", question + moment, plain, sealed, isCold: isCold))
      }
    }
    let held = try repeated("", ["key", "list"], sealed, sealed, isCold: false)
    let derived = try repeated("", ["key", "list", "--passphrase-file", words], sealed, sealed, isCold: false)
    return EncryptionReport(
      command: command, commit: commit, machine: .current(), startedAt: startedAt, seed: configuration.seed,
      practice: try plain.size(), work: work,
      derivationSeconds: Self.median(derived.plain) - Self.median(held.plain))
  }

  /// The same command on both, in turn; the first time isn't counted.
  private func repeated(
    _ name: String, _ arguments: [String], _ plain: BenchPractice, _ sealed: BenchPractice, isCold: Bool
  ) throws -> EncryptionReport.Work {
    var seconds: (plain: [Double], sealed: [Double]) = ([], [])
    for repetition in 0...configuration.repetitions {
      for (practice, isPlain) in [(plain, true), (sealed, false)] {
        if isCold { Self.forget(practice.file) }
        let outcome = try practice.run(arguments)
        guard repetition > 0 else { continue }
        if isPlain { seconds.plain.append(outcome.seconds) } else { seconds.sealed.append(outcome.seconds) }
      }
    }
    return .init(name, plain: seconds.plain, encrypted: seconds.sealed)
  }

  /// Takes a file out of the system's memory.
  private static func forget(_ path: String) {
    for suffix in ["", "-wal"] {
      let descriptor = open(path + suffix, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}
