/// The settings a projection was trained with, and those that its vectors need to be comparable.
///
/// The settings are not the model's identity: two collections may share them. The caller stamps vectors with a checksum
/// of the projection.
public struct VectorizerModel: Codable, Hashable, Sendable {
  /// The length of every stored vector, whatever the rank of the projection: the rest is zero.
  public static let dimension = 512

  /// log2 of the number of hash buckets.
  public var bits: Int
  public var k1: Double
  public var b: Double
  /// Mean number of terms of the training documents.
  public var averageLength: Double
  /// How many documents the document frequencies were counted in.
  public var documentCount: Int
  /// A document vector is divided by its norm to this power: 1 is the cosine, less favours texts that say more.
  public var exponent: Double
  /// How many of the 512 dimensions are used.
  public var rank: Int
  /// The analyser that made the terms; terms of another one would miss their buckets.
  public var analyzerVersion: String

  public init(
    bits: Int = 18, k1: Double = 1.2, b: Double = 0.75, averageLength: Double, documentCount: Int,
    exponent: Double = 0.75, rank: Int, analyzerVersion: String
  ) {
    self.bits = bits
    self.k1 = k1
    self.b = b
    self.averageLength = averageLength
    self.documentCount = documentCount
    self.exponent = exponent
    self.rank = rank
    self.analyzerVersion = analyzerVersion
  }

  private enum CodingKeys: String, CodingKey {
    case bits, k1, b, exponent, rank
    case averageLength = "average_length"
    case documentCount = "document_count"
    case analyzerVersion = "analyzer_version"
  }

  public var hasher: FeatureHasher { FeatureHasher(bits: bits) }

  public var weighting: TermWeighting { TermWeighting(k1: k1, b: b, averageLength: averageLength) }

  /// Whether every number is one that a trainer could have written.
  var isPlausible: Bool {
    (1...24).contains(bits) && (0...Self.dimension).contains(rank) && documentCount >= 0
      && [k1, averageLength, exponent].allSatisfy { $0.isFinite && $0 >= 0 } && (0...1).contains(b)
  }
}
