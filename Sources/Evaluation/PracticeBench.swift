import Clinical
import FoundationEssentials
public import VetNet

/// Measures the main job on a practice of any size: importing, embedding, indexing, and a question from a cold start.
///
/// The practice is made of a small one by ``PracticeVariation``. What a user runs is run as a user runs it: `import`, `reindex`
/// and `ask` are processes of the built program on real files. Each is measured beside a baseline in the same run.
public struct PracticeBench {
  public struct Configuration: Sendable {
    /// The small practice: a folder that can be imported.
    public var corpus: String
    /// The large practice has at least so many chunks.
    public var chunks = 100_000
    /// How often each question is asked; odd, for a median that is one of the runs.
    public var repetitions = 21
    public var seed: UInt64 = 1
    /// Asked of the whole practice, in search of passages and for a list of patients, and of ``patientID``; the corpus must have
    /// something to cite.
    public var question = "why was the leg amputated?"
    public var listQuestion = "who is on meloxicam?"
    public var patientQuestion = "why was meloxicam stopped?"
    public var patientID = "P001"

    public init(corpus: String) { self.corpus = corpus }
  }

  /// Why a measurement would mean nothing.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Notes that are written in one transaction, as an import writes them.
  static let batchSize = 500

  let configuration: Configuration
  let models: ModelDirectory
  let vetnet: MeasuredProcess
  let scratch: ScratchFolder
  private let executable: String

  /// - Parameters:
  ///   - configuration: what to measure on.
  ///   - models: the models that the measured processes use too.
  ///   - executable: the path of `vetnet`.
  ///   - scratch: where practice files and texts go; a gigabyte for 100,000 chunks.
  public init(_ configuration: Configuration, models: ModelDirectory, executable: String, scratch: ScratchFolder) {
    self.configuration = configuration
    self.models = models
    self.executable = executable
    self.scratch = scratch
    vetnet = MeasuredProcess(executable, scratch: scratch)
  }

  /// - Parameters:
  ///   - command: as it was typed, for the report.
  ///   - startedAt: the moment of the run, ISO 8601, for the report.
  ///   - commit: of the sources, for the report.
  ///   - message: called with what is being done.
  /// - Returns: the figures, and how they came about.
  /// - Throws: ``Failure`` when a process fails, an answer cites nothing or rows are missing.
  public func run(
    command: String, startedAt: String, commit: String, message: (String) -> Void
  ) throws -> BenchReport {
    let began = MeasuredProcess.now()
    let text = try SearchText(models: models)
    let records = try PracticeRecords.read([configuration.corpus], timeZone: .utc, models: models)
    let variation = PracticeVariation(of: records, sentences: text.sentences, seed: configuration.seed)

    message("importing \(configuration.corpus)")
    let small = practice("small")
    try small.create()
    try small.run(["import", configuration.corpus])

    message("writing a practice of \(configuration.chunks) chunks")
    let writer = PracticeRecordsWriter(folder: scratch.path)
    let copies = try write(variation, with: writer, text: text)

    message("importing it")
    let large = practice("large")
    try large.create()
    let imported = try large.run(["import", "--no-index"] + writer.paths)
    message("indexing it")
    let indexed = try large.run(["reindex"])
    let sizes = (small: try small.size(), large: try large.size())
    guard sizes.large.chunks >= configuration.chunks else {
      throw Failure(description: "the large practice has \(sizes.large.chunks) chunks, not \(configuration.chunks)")
    }
    guard sizes.large.notes == copies * records.notes.count else {
      throw Failure(description: "\(sizes.large.notes) of \(copies * records.notes.count) notes were imported")
    }

    message("asking")
    let lastNote = records.notes.map(\.recordedAt).max() ?? Timestamp(seconds: 0)
    let latency = try latencies(small: small, large: large, askedAt: lastNote.adding(days: 1))

    message("measuring the baselines")
    let baselines = try baselines(variation, copies: copies, text: text)
    guard baselines.chunks == sizes.large.chunks else {
      throw Failure(description: "\(sizes.large.chunks) chunks were indexed, \(baselines.chunks) embedded")
    }
    return BenchReport(
      startedAt: startedAt, command: command, commit: commit, machine: .current(),
      versions: text.versions.merging(["model": baselines.model]) { own, _ in own }, seed: configuration.seed,
      seconds: MeasuredProcess.now() - began, corpus: sizes.small, practice: sizes.large,
      distinctTerms: baselines.distinctTerms,
      throughput: [
        .init(
          "import", "notes", count: sizes.large.notes, seconds: imported.seconds, peakMemory: imported.peakMemory,
          baseline: "plain table", baselineSeconds: baselines.plainSeconds),
        .init(
          "embed", "chunks", count: sizes.large.chunks, seconds: baselines.embeddingSeconds, baseline: "FTS5 in memory",
          baselineSeconds: baselines.memoryFullTextSeconds),
        .init(
          "index (reindex)", "chunks", count: sizes.large.chunks, seconds: indexed.seconds,
          peakMemory: indexed.peakMemory, baseline: "FTS5 in a file", baselineSeconds: baselines.fileFullTextSeconds),
      ],
      rates: [
        .init("read facts", "MB", count: Double(baselines.textBytes) / 1e6, seconds: baselines.factSeconds, cores: 1),
        .init(
          "embed", "chunks", count: Double(sizes.large.chunks), seconds: baselines.embeddingSeconds,
          cores: Machine.current().cores),
      ], latency: latency)
  }

  func practice(_ name: String) -> BenchPractice {
    BenchPractice(file: scratch.file("\(name).vetnet"), models: models.path, vetnet: vetnet)
  }

  /// Writes copies until there are chunks enough.
  ///
  /// - Returns: how many copies that took, the original among them.
  func write(
    _ variation: PracticeVariation, with writer: PracticeRecordsWriter, text: SearchText
  ) throws -> Int {
    var (copies, chunks) = (0, 0)
    while chunks < configuration.chunks {
      let copy = variation.copy(copies)
      let added = text.passageCounts(of: copy.notes.map(\.text)).reduce(0, +)
      guard added > 0 else { throw Failure(description: "there is no text in '\(configuration.corpus)'") }
      try writer.write(copy)
      copies += 1
      chunks += added
    }
    try writer.finish()
    return copies
  }
}

/// A practice file of the benchmark, worked on by processes.
struct BenchPractice {
  let file: String
  let models: String
  let vetnet: MeasuredProcess

  func create() throws { try run(["init", "--time-zone", "UTC"]) }

  /// Runs a command on the file; anything but success ends the benchmark.
  @discardableResult
  func run(_ arguments: [String]) throws -> MeasuredProcess.Outcome {
    let outcome = try vetnet.run(arguments + options)
    guard outcome.status == 0 else {
      let errors = String(decoding: outcome.errors.prefix(500), as: UTF8.self)
      throw PracticeBench.Failure(
        description: "vetnet \(arguments.joined(separator: " ")) exited with \(outcome.status): \(errors)")
    }
    return outcome
  }

  var options: [String] { ["--practice", file, "--models", models] }

  func size() throws -> BenchReport.Size {
    struct Status: Decodable {
      struct Index: Decodable { let chunks: Int }
      let patients: Int
      let notes: Int
      let index: Index?
    }
    let status = try JSONDecoder().decode(Status.self, from: Data(try run(["status", "--json"]).output))
    let bytes = [file, file + "-wal"].reduce(0) { sum, path in
      sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
    }
    return BenchReport.Size(
      patients: status.patients, notes: status.notes, chunks: status.index?.chunks ?? 0, megabytes: Double(bytes) / 1e6)
  }
}
