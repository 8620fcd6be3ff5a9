/// What a benchmark of a practice found, in the shape of its JSON.
public struct BenchReport: Hashable, Codable, Sendable {
  /// How large a practice is.
  public struct Size: Hashable, Codable, Sendable {
    public var patients: Int
    public var notes: Int
    public var chunks: Int
    /// Of the practice file, its log included.
    public var megabytes: Double
  }

  /// Work that is counted in pieces.
  public struct Throughput: Hashable, Codable, Sendable {
    /// The same pieces done in the plainest way.
    public struct Baseline: Hashable, Codable, Sendable {
      public var name: String
      public var seconds: Double
      public var perSecond: Double

      private enum CodingKeys: String, CodingKey {
        case name, seconds
        case perSecond = "per_second"
      }
    }

    public var name: String
    /// What is counted: `notes` or `chunks`.
    public var unit: String
    public var count: Int
    public var seconds: Double
    public var perSecond: Double
    /// Nil where the work was done within the benchmark's own process.
    public var peakMemoryMegabytes: Double?
    public var baseline: Baseline
    /// The rate over the baseline's; 1 would be as fast.
    public var ratio: Double

    init(
      _ name: String, _ unit: String, count: Int, seconds: Double, peakMemory: Int? = nil, baseline: String,
      baselineSeconds: Double
    ) {
      self.name = name
      self.unit = unit
      self.count = count
      self.seconds = seconds
      perSecond = Double(count) / max(seconds, 1e-9)
      peakMemoryMegabytes = peakMemory.map { Double($0) / 1e6 }
      self.baseline = Baseline(
        name: baseline, seconds: baselineSeconds, perSecond: Double(count) / max(baselineSeconds, 1e-9))
      ratio = baselineSeconds / max(seconds, 1e-9)
    }

    private enum CodingKeys: String, CodingKey {
      case name, unit, count, seconds, baseline, ratio
      case perSecond = "per_second"
      case peakMemoryMegabytes = "peak_memory_mb"
    }
  }

  /// Arithmetic within the benchmark's own process, nothing written.
  public struct Rate: Hashable, Codable, Sendable {
    public var name: String
    /// What is counted: `MB` of text or `chunks`.
    public var unit: String
    public var count: Double
    public var seconds: Double
    public var cores: Int
    public var perSecond: Double

    init(_ name: String, _ unit: String, count: Double, seconds: Double, cores: Int) {
      self.name = name
      self.unit = unit
      self.count = count
      self.seconds = seconds
      self.cores = cores
      perSecond = count / max(seconds, 1e-9)
    }

    private enum CodingKeys: String, CodingKey {
      case name, unit, count, seconds, cores
      case perSecond = "per_second"
    }
  }

  /// A command in a new process, several times.
  public struct Latency: Hashable, Codable, Sendable {
    public var name: String
    public var arguments: [String]
    /// Wall times in the order of the runs.
    public var milliseconds: [Double]
    public var median: Double
    public var low: Double
    public var high: Double
    public var peakMemoryMegabytes: Double
    /// How many citations each run's answer had; nil for a command that doesn't answer.
    public var citations: Int?
    /// The median over the median of starting a process that does nothing.
    public var ratio: Double

    private enum CodingKeys: String, CodingKey {
      case name, arguments, milliseconds, citations, ratio
      case median = "median_ms"
      case low = "low_ms"
      case high = "high_ms"
      case peakMemoryMegabytes = "peak_memory_mb"
    }
  }

  public var bench = "practice"
  /// ISO 8601.
  public var startedAt: String
  public var command: String
  public var commit: String
  public var machine: Machine
  /// Of the program, its tables and models.
  public var versions: [String: String]
  public var seed: UInt64
  /// How long the whole benchmark took, setting up included.
  public var seconds: Double
  public var corpus: Size
  public var practice: Size
  /// Distinct analysed terms of the large practice.
  public var distinctTerms: Int
  public var throughput: [Throughput]
  public var rates: [Rate]
  public var latency: [Latency]

  private enum CodingKeys: String, CodingKey {
    case bench, command, commit, machine, versions, seed, seconds, corpus, practice, throughput, rates, latency
    case startedAt = "started_at"
    case distinctTerms = "distinct_terms"
  }
}

extension BenchReport {
  private var throughputTable: TextTable {
    TextTable(
      head: ["work", "rate", "baseline", "baseline's rate", "ratio", "peak memory"],
      rows: throughput.map { work in
        [
          work.name, "\(TextTable.decimals(work.perSecond, 0)) \(work.unit)/s", work.baseline.name,
          "\(TextTable.decimals(work.baseline.perSecond, 0)) \(work.unit)/s", TextTable.decimals(work.ratio, 2),
          work.peakMemoryMegabytes.map { "\(TextTable.decimals($0, 0)) MB" } ?? "",
        ]
      })
  }

  private var rateTable: TextTable {
    TextTable(
      head: ["stage alone", "rate", "cores"],
      rows: rates.map { rate in
        [rate.name, "\(TextTable.decimals(rate.perSecond, rate.unit == "MB" ? 2 : 0)) \(rate.unit)/s", "\(rate.cores)"]
      })
  }

  private var latencyTable: TextTable {
    TextTable(
      head: ["new process", "median", "lowest", "highest", "× floor", "peak memory", "citations"],
      rows: latency.map { run in
        [
          run.name, "\(TextTable.decimals(run.median, 1)) ms", "\(TextTable.decimals(run.low, 1)) ms",
          "\(TextTable.decimals(run.high, 1)) ms", TextTable.decimals(run.ratio, 1),
          "\(TextTable.decimals(run.peakMemoryMegabytes, 0)) MB", run.citations.map(String.init) ?? "",
        ]
      })
  }

  private var sizes: String {
    func size(_ size: Size) -> String {
      "\(size.patients) patients, \(size.notes) notes, \(size.chunks) chunks, \(TextTable.decimals(size.megabytes, 1)) MB"
    }
    return "small: \(size(corpus)); large: \(size(practice)), \(distinctTerms) distinct terms"
  }

  /// For a person.
  public var lines: [String] {
    [sizes, ""] + throughputTable.lines + [""] + rateTable.lines + [""] + latencyTable.lines
      + ["", "\(machine.name), \(machine.processor), \(TextTable.decimals(seconds, 0)) s in all"]
  }

  /// For the README beside the raw figures.
  public var markdown: [String] {
    RunFolder.provenance(
      command: command, commit: commit, machine: machine, versions: versions, startedAt: startedAt, seed: seed)
      + [
        "", "Raw figures: `bench-practice.json`. \(sizes). The whole run took \(TextTable.decimals(seconds, 0)) s.", "",
      ] + throughputTable.markdown + [
        "",
        """
        A ratio is VetNet's rate over the baseline's, measured in the same run. The plain table takes the same rows without ids, \
        references, indexes or parsing; FTS5 indexes the same text's words and neither embeds it nor reads facts from it.
        """, "",
      ] + rateTable.markdown + [""] + latencyTable.markdown + [
        "",
        """
        Each run is a new process with the file in the system's cache; all are measured in turn, \
        \(latency.first?.milliseconds.count ?? 0) times. The floor is `vetnet --version`. Every answer was checked to cite \
        something. Memory is what was resident at most: pages of the practice file that a search maps and reads count, though the \
        system can take them back at any time, and nothing reads lower than the benchmark's own, which the floor's row shows.
        """,
      ]
  }
}

extension RunFolder {
  /// How a run was made, as lines of Markdown.
  public static func provenance(
    command: String, commit: String, machine: Machine, versions: [String: String], startedAt: String, seed: UInt64
  ) -> [String] {
    [
      "- command: `\(command)`",
      "- commit: \(commit), \(startedAt), seed \(seed)",
      "- machine: \(machine.cores) cores, \(machine.processor), \(machine.memoryGigabytes) GB",
      "- versions: \(versions.sorted { $0.key < $1.key }.map { "\($0.key) `\($0.value)`" }.joined(separator: ", "))",
    ]
  }
}
