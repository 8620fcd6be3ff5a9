import FoundationEssentials
import LinearAlgebra

/// A trained projection as bytes: the shipped default model, or one to carry to another machine.
///
/// All numbers are little-endian.
///
/// | bytes | content |
/// |---|---|
/// | 8 | `VETNETVM` |
/// | 4 | format version, 1 |
/// | 4 | length h of the header |
/// | 32 | checksum of everything after it |
/// | h | header as JSON: the settings of ``VectorizerModel``, `row_count`, `provenance` |
/// | 4 · rows | buckets, ascending, 32-bit |
/// | 4 · rows | inverse document frequencies, float32 |
/// | 2 · rows · rank | directions, float16, row after row |
///
/// The checksum's function is the caller's, because which digest to trust is decided elsewhere. Reading doesn't compute
/// it: a question must not pay for it; ``verify(digest:)`` does, at import, re-index and `doctor`.
public struct ModelFile: ProjectionSource, Sendable {
  /// Computes 32 bytes from any number of bytes.
  public typealias Digest = (ArraySlice<UInt8>) -> [UInt8]

  static let magic = Array("VETNETVM".utf8)
  static let version: UInt32 = 1
  static let digestLength = 32
  static let preambleLength = 8 + 4 + 4 + digestLength

  struct Header: Codable {
    var model: VectorizerModel
    var rowCount: Int
    var provenance: String

    enum CodingKeys: String, CodingKey {
      case model, provenance
      case rowCount = "row_count"
    }
  }

  public let model: VectorizerModel
  /// Where the training text came from, in words.
  public let provenance: String
  /// The checksum that the file claims for itself; the model's identity once verified.
  public let checksum: [UInt8]
  public let rowCount: Int
  private let bytes: [UInt8]
  private let tableStart: Int

  /// Opens a file's content; rows are decoded when they are asked for.
  ///
  /// - Throws: ``VectorizationError`` naming what is wrong. A wrong checksum is not found here.
  public init(bytes: [UInt8]) throws(VectorizationError) {
    guard bytes.count >= 8, bytes[..<8].elementsEqual(Self.magic) else {
      throw VectorizationError(.notAModelFile, "the file does not begin with VETNETVM")
    }
    guard bytes.count >= Self.preambleLength else {
      throw VectorizationError(.wrongLength, "\(bytes.count) bytes are too few for a model file")
    }
    let version = bytes.integer(at: 8)
    guard version == Self.version else {
      throw VectorizationError(.unsupportedVersion, "model file version \(version), known is \(Self.version)")
    }
    let headerLength = Int(bytes.integer(at: 12))
    let tableStart = Self.preambleLength + headerLength
    guard bytes.count >= tableStart else {
      throw VectorizationError(.wrongLength, "\(bytes.count) bytes end inside the header of \(headerLength)")
    }
    let header: Header
    do {
      header = try JSONDecoder().decode(Header.self, from: Data(bytes[Self.preambleLength..<tableStart]))
    } catch {
      throw VectorizationError(.malformedHeader, "the model file's header can't be read")
    }
    guard header.model.isPlausible, (0...header.model.hasher.bucketCount).contains(header.rowCount) else {
      throw VectorizationError(.malformedHeader, "the model file's header holds impossible settings")
    }
    let expected = tableStart + Self.rowSize(rank: header.model.rank) * header.rowCount
    guard bytes.count == expected else {
      throw VectorizationError(.wrongLength, "\(bytes.count) bytes, the header promises \(expected)")
    }
    model = header.model
    provenance = header.provenance
    checksum = Array(bytes[16..<Self.preambleLength])
    rowCount = header.rowCount
    self.bytes = bytes
    self.tableStart = tableStart
  }

  static func rowSize(rank: Int) -> Int { 4 + 4 + 2 * rank }

  /// Checks the content against the checksum, and that buckets ascend within the model's range.
  ///
  /// - Throws: ``VectorizationError``.
  public func verify(digest: Digest) throws(VectorizationError) {
    guard digest(bytes[Self.preambleLength...]) == checksum else {
      throw VectorizationError(.checksumMismatch, "the model file's content does not match its checksum")
    }
    var previous = -1
    for row in 0..<rowCount {
      let bucket = Int(self.bucket(row))
      guard bucket > previous, bucket < model.hasher.bucketCount else {
        throw VectorizationError(.malformedHeader, "bucket \(bucket) in row \(row) is out of order")
      }
      previous = bucket
    }
  }

  /// Reads by binary search among the buckets; only rows that were asked for are decoded.
  public func rows(for buckets: [UInt32]) -> [UInt32: ProjectionRow] {
    var result: [UInt32: ProjectionRow] = [:]
    for bucket in buckets {
      var (low, high) = (0, rowCount)
      while low < high {
        let middle = (low + high) / 2
        if self.bucket(middle) < bucket { low = middle + 1 } else { high = middle }
      }
      if low < rowCount, self.bucket(low) == bucket {
        result[bucket] = ProjectionRow(weight: weight(low), vector: vector(low))
      }
    }
    return result
  }

  /// The whole projection, for embedding batches.
  ///
  /// - Throws: ``VectorizationError`` when buckets are out of order, as in a damaged file.
  public func projection() throws(VectorizationError) -> InMemoryProjection {
    let buckets = (0..<rowCount).map { bucket($0) }
    for (row, pair) in zip(buckets, buckets.dropFirst()).enumerated() where pair.0 >= pair.1 {
      throw VectorizationError(.malformedHeader, "bucket \(pair.1) in row \(row + 1) is out of order")
    }
    var values: [Float] = []
    values.reserveCapacity(rowCount * model.rank)
    for row in 0..<rowCount { values.append(contentsOf: vector(row)) }
    return InMemoryProjection(
      buckets: buckets, weights: (0..<rowCount).map { weight($0) },
      vectors: Matrix(rows: rowCount, columns: model.rank, values: values))
  }

  private func bucket(_ row: Int) -> UInt32 { bytes.integer(at: tableStart + 4 * row) }

  private func weight(_ row: Int) -> Float {
    Float(bitPattern: bytes.integer(at: tableStart + 4 * (rowCount + row)))
  }

  private func vector(_ row: Int) -> [Float] {
    let start = tableStart + 8 * rowCount + 2 * row * model.rank
    return (0..<model.rank).map { column in
      let low = UInt16(bytes[start + 2 * column])
      let high = UInt16(bytes[start + 2 * column + 1])
      return Float(Float16(bitPattern: high << 8 | low))
    }
  }
}

extension [UInt8] {
  /// A little-endian number of four bytes.
  fileprivate func integer(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << UInt32(8 * $1) }
  }
}
