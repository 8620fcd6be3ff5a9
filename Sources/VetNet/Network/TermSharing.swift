import Clinical
import FoundationEssentials
public import LinearAlgebra
import Store
import TextAnalysis
public import Vectorization

/// What a practice is asked for when one projection is learned from many: three rounds, each over all of its notes, each giving a part that is
/// added to those of the others.
public enum TermRound: Codable, Sendable {
  /// Which terms occur, as ``TagPartial``.
  case tags
  /// In how many passages those stand that a file of tags admits, as ``CountPartial``.
  case counts(admitted: String)
  /// A sketch, as ``SketchPartial``.
  case sketch(SketchRound)
}

/// What a sketch is made with: the same for all practices.
public struct SketchRound: Codable, Sendable {
  /// A file of ``CountPartial``: the sum over all practices.
  public var counts: String
  /// A file of ``SketchPartial`` with a row for every bucket; nil for random signs of the seed.
  public var directions: String?
  public var seed: UInt64
  /// Of directions.
  public var width: Int
  public var settings: SharedSettings

  public init(counts: String, directions: String?, seed: UInt64, width: Int, settings: SharedSettings) {
    self.counts = counts
    self.directions = directions
    self.seed = seed
    self.width = width
    self.settings = settings
  }
}

/// What a shared projection is learned with.
public struct SharedSettings: Codable, Hashable, Sendable {
  /// Of `VectorizerModel/dimension` at most.
  public var rank = VectorizerModel.dimension
  /// Extra directions that make the wanted ones accurate.
  public var oversampling = 16
  /// Buckets of fewer practices never leave one.
  public var least = 3
  /// Rounds over all notes in which a sketch is made: 3 as `ProjectionTrainer` does on one machine (two iterations), 2 at the least.
  public var passes = 3
  public var seed: UInt64 = 1
  public var maximumRows = 60_000

  public init() {}

  public var configuration: ProjectionTrainer.Configuration {
    var configuration = ProjectionTrainer.Configuration()
    configuration.rank = rank
    configuration.maximumRows = maximumRows
    return configuration
  }
}

/// A vocabulary that all practices share, with the settings of the model to be.
public struct SharedVocabulary: Sendable {
  public let model: VectorizerModel
  public let vocabulary: ProjectionVocabulary
  public let counts: CountPartial

  /// - Parameters:
  ///   - counts: summed over all practices.
  ///   - settings: what it is learned with.
  public init(_ counts: CountPartial, _ settings: SharedSettings) {
    self.counts = counts
    vocabulary = ProjectionVocabulary(counts.counts, settings.configuration)
    model = settings.configuration.model(of: counts.counts, analyzerVersion: counts.analyzer)
  }

  /// How many directions a sketch has.
  public func width(_ settings: SharedSettings) -> Int {
    min(settings.rank + settings.oversampling, vocabulary.buckets.count, counts.counts.documentCount)
  }

  /// Signs by chance, which each practice makes for itself from the seed.
  public func signs(width: Int, seed: UInt64) -> Matrix {
    var generator = SplitMix64(seed: seed)
    return .randomSigns(rows: vocabulary.buckets.count, columns: width, using: &generator)
  }

  /// An orthonormal basis of what a sketch spans: the directions of the next one.
  public func basis(of sketch: SketchPartial) throws -> SketchPartial {
    let count = vocabulary.buckets.count
    let basis = try sketch.sketch.full(rowCount: count).qr().basis
    return SketchPartial(ProjectionSketch(places: (0..<Int32(count)).map { $0 }, rows: basis))
  }

  /// The projection that the last sketch gives, with the directions it was made with.
  public func projection(
    of sketch: SketchPartial, directions: SketchPartial, _ settings: SharedSettings
  ) throws -> ProjectionTrainer.Trained {
    let decomposition = try GramDecomposition(
      product: sketch.sketch.full(rowCount: vocabulary.buckets.count), basis: directions.sketch.rows,
      rank: settings.rank)
    return settings.configuration.trained(
      model, vocabulary, singularValues: decomposition.values, directions: decomposition.right)
  }

  /// Writes the projection as a signed model file.
  ///
  /// - Parameters:
  ///   - trained: see ``projection(of:directions:_:)``.
  ///   - settings: what it was learned with.
  ///   - key: the file of the key that signs it; nil for none, and then no practice will take it.
  ///   - path: the model file; its signature lies beside it.
  /// - Returns: how it came to be.
  /// - Throws: ``PracticeError`` where a file can't be written, or the key can't be read.
  @discardableResult
  public func write(
    _ trained: ProjectionTrainer.Trained, _ settings: SharedSettings, signedBy key: String?, to path: String
  ) throws -> SharedModelProvenance {
    let provenance = SharedModelProvenance(
      program: VetNetVersion.current, analyzer: counts.analyzer, practices: counts.practices,
      passages: counts.counts.documentCount, buckets: vocabulary.buckets.count, least: settings.least,
      seed: settings.seed, passes: settings.passes)
    let bytes = try ModelFile.bytes(of: trained, provenance: provenance.text, sizeLimit: Self.largestFile) {
      ContentHash(of: Array($0)).bytes
    }
    try FileContents.write(bytes, to: path)
    if let key {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let signature = ModelSignature(of: try ModelFile(bytes: bytes), by: try NetworkKey.signing(key))
      try FileContents.write([UInt8](try encoder.encode(signature)), to: path + ".sig")
    }
    return provenance
  }

  /// All rows that a model may have at its full rank.
  private static let largestFile = 64_000_000
}

extension Practice.Sharing {
  /// This practice's part of a round.
  ///
  /// - Throws: ``PracticeError`` with `invalidArgument` without the group's key.
  /// - Complexity: one pass over the text; memory is that of 512 notes and of the round's directions.
  func terms(for round: TermRound, progress: (Progress) -> Void) throws -> [UInt8] {
    guard let key = practice.secrets.offeredGroupKey else {
      throw PracticeError(.invalidArgument, "the group's key is missing", hint: "Give --group-key FILE.")
    }
    switch round {
    case .tags:
      return try TagPartial(of: counts(progress: progress).entries.map(\.bucket), key: key).bytes()
    case .counts(let file):
      let admitted = Set(try TagPartial(FileContents.bytes(file)).tags)
      let kept = try counts(progress: progress).keeping { admitted.contains(TagPartial.tag($0, key: key)) }
      return try CountPartial(
        bits: Self.sharedBits, counts: kept, practices: [try pseudonym(key: key)],
        analyzer: models.analyzer().version
      ).bytes()
    case .sketch(let round):
      return try sketch(round, progress: progress).bytes()
    }
  }

  private static let sharedBits = ProjectionTrainer.Configuration().bits

  private func counts(progress: (Progress) -> Void) throws -> BucketCounts {
    var counts = BucketCounts(bits: Self.sharedBits)
    let hasher = FeatureHasher(bits: Self.sharedBits)
    try practice.index.forEachPassageBatch(progress: progress) { passages in
      for terms in passages { counts.add(SparseVector(counting: terms, by: hasher), length: terms.count) }
    }
    return counts
  }

  private func sketch(_ round: SketchRound, progress: (Progress) -> Void) throws -> SketchPartial {
    let shared = SharedVocabulary(try CountPartial(FileContents.bytes(round.counts)), round.settings)
    guard shared.counts.analyzer == (try models.analyzer().version) else {
      throw PracticeError(
        .failed, "the terms of the other practices were made by the analyser \(shared.counts.analyzer), not this one",
        hint: "Maybe one machine has another version of the program.")
    }
    let directions =
      try round.directions.map { try SketchPartial(FileContents.bytes($0)).sketch.rows }
      ?? shared.signs(width: round.width, seed: round.seed)
    guard directions.rows == shared.vocabulary.buckets.count else { throw PackedPartial.unreadable }
    var sketcher = ProjectionSketcher(
      model: shared.model, vocabulary: shared.vocabulary, directions: directions)
    // Few large batches: each goes through all rows of the sketch.
    var waiting: [[String]] = []
    try practice.index.forEachPassageBatch(progress: progress) { passages in
      waiting += passages
      guard waiting.count >= Self.sketchedAtOnce else { return }
      sketcher.add(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
    sketcher.add(waiting)
    return SketchPartial(sketcher.sketch())
  }

  private static let sketchedAtOnce = 8192

  /// What a practice is called in what several made together: nobody without the key can tell which one it is.
  func pseudonym(key: [UInt8]) throws -> String {
    let created = try reporting { try connection.settings.value(Setting.createdAt) } ?? ""
    let words = [created, try practice.settings.name() ?? "", FilePath.name(of: path)].joined(separator: "\n")
    return String(ContentHash.tag(of: Array(words.utf8), key: key).hexadecimal.prefix(16))
  }
}
