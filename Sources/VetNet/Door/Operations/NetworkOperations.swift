import Clinical
import FoundationEssentials
import Store

/// How the notes of a practice can be dealt out to several who index them.
public struct PlanPortions: Operation {
  public static let name = "index.portions"
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.index]

  /// Notes of a portion.
  public var size: Int

  public init(size: Int) {
    self.size = max(1, size)
  }

  public struct Portions: Codable, Hashable, Sendable {
    public let notes: Int
    /// The last row of each portion.
    public let ends: [Int64]
  }

  public func run(_ passage: Passage) throws -> Portions {
    let practice = passage.practice
    return try practice.reading {
      Portions(
        notes: try practice.connection.notes.lackingCount(in: 0),
        ends: try practice.connection.notes.portions(of: size))
    }
  }
}

/// Writes what a re-index would derive from a portion of the notes into a file, which ``Reindex`` takes with ``ReindexOptions/prepared``.
public struct EmbedPortion: Operation {
  public static let name = "index.embed"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [.note]

  /// Notes behind this row…
  public var after: Int64
  /// …up to and with this one.
  public var through: Int64
  public var file: String

  public init(after: Int64, through: Int64, file: String) {
    self.after = after
    self.through = through
    self.file = file
  }

  /// - Returns: how many notes were written.
  public func run(_ passage: Passage) throws -> Int {
    passage.details["rows"] = "\(after + 1)-\(through)"
    let count = try passage.practice.sharing.embedPortion(after: after, through: through, to: file, passage.progress)
    passage.details["notes"] = String(count)
    return count
  }
}

/// This practice's part of a model that several learn together: tags, counts or sums over terms that enough practices have.
public struct ShareTerms: Operation {
  public static let name = "network.terms"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [.note]
  public static let feature: Feature? = .shareTerms

  public var round: TermRound

  public init(round: TermRound) {
    self.round = round
  }

  /// - Returns: the part, as bytes.
  public func run(_ passage: Passage) throws -> [UInt8] {
    passage.details["round"] =
      switch round {
      case .tags: "tags"
      case .counts: "counts"
      case .sketch: "sketch"
      }
    let part = try passage.practice.sharing.terms(for: round, progress: passage.progress)
    passage.details["digest"] = ContentHash(of: part).hexadecimal
    return part
  }
}

/// The cases of this practice that are most like one that is described, without names.
public struct ShareCases: Operation {
  public static let name = "network.cases"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [.patient, .note, .client, .staff]
  public static let feature: Feature? = .shareCases

  public var query: SharedCaseQuery
  /// What the practice is called in the answer.
  public var label: String

  public init(query: SharedCaseQuery, label: String) {
    self.query = query
    self.label = label
  }

  public func run(_ passage: Passage) throws -> SharedCases {
    passage.details["question"] = Passage.digest(query.text)
    let found = try passage.practice.sharing.sharedCases(query, called: label)
    passage.touch(.note, found.cases.map(\.noteID))
    return found
  }
}

/// Sums over this practice's visits by type: how long they took, and how often nobody came.
public struct ShareFigures: Operation {
  public static let name = "network.figures"
  public static let permission = Permission.export
  public static let reads: Set<RecordKind> = [.appointment]
  public static let feature: Feature? = .shareFigures

  public var label: String

  public init(label: String) {
    self.label = label
  }

  public func run(_ passage: Passage) throws -> SharedFigures {
    try passage.practice.sharing.sharedFigures(called: label, at: passage.now)
  }
}

extension Practice.Sharing {
  /// Notes that are worked out and written together.
  private static let embeddedAtOnce = 1024

  func embedPortion(
    after first: Int64, through last: Int64, to file: String, _ progress: (Progress) -> Void
  ) throws -> Int {
    let embedder = try noteEmbedder()
    let output = try reporting { try PortionFile(file) }
    var row = first
    var count = 0
    while row < last {
      try continueUnlessStopped()
      let notes = try reporting {
        try connection.notes.lacking(in: 0, after: row, limit: Self.embeddedAtOnce).filter { $0.rowID <= last }
      }
      guard let end = notes.last?.rowID else { break }
      row = end
      let embedded = embedder.embed(notes.map(\.value), vectorsAs: .base64)
      let lines = Concurrent.map(Array(zip(notes.map(\.contentHash), embedded))) { version, note -> [UInt8] in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(note) else { return [] }
        // The version stands first, so that a reader finds a note's line without reading it.
        return PreparedNotes.head + Array(version.hexadecimal.utf8) + Array("\",".utf8) + line.dropFirst()
          + [UInt8(ascii: "\n")]
      }
      try reporting { try output.append(lines.flatMap { $0 }) }
      count += notes.count
      progress(Progress(done: count, total: 0, detail: "notes embedded"))
    }
    try reporting { try output.finish() }
    return count
  }

  /// Embeds as a re-index of this practice would.
  func noteEmbedder() throws -> NoteEmbedder {
    guard let own = try practice.index.ownModel() else { return try NoteEmbedder(models: models) }
    return try NoteEmbedder(
      models: models, model: own.checksum.hexadecimal, embedding: reporting { try own.embedding(from: connection) })
  }
}
