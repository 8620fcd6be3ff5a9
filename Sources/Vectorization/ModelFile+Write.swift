import FoundationEssentials
import LinearAlgebra

extension ModelFile {
  /// The largest file that ships with VetNet.
  public static let defaultSizeLimit = 16_000_000

  /// The bytes of a model file.
  ///
  /// When all rows don't fit, those of least document frequency × idf are left out, so that the terms that shape most
  /// vectors stay. Directions lose precision to 11 bits, which moves similarities by less than 0.001.
  ///
  /// - Parameters:
  ///   - trained: what to write.
  ///   - provenance: where the training text came from, in words.
  ///   - sizeLimit: in bytes.
  ///   - digest: computes the checksum, 32 bytes.
  /// - Returns: what ``init(bytes:)`` reads.
  /// - Throws: ``VectorizationError`` when the limit leaves no room for the header.
  public static func bytes(
    of trained: ProjectionTrainer.Trained, provenance: String, sizeLimit: Int = defaultSizeLimit, digest: Digest
  ) throws(VectorizationError) -> [UInt8] {
    let projection = trained.projection
    let rank = trained.model.rank
    // The row count's digits may make the header shorter when rows are left out, never longer.
    let longest = try header(trained.model, rowCount: projection.buckets.count, provenance: provenance)
    let room = sizeLimit - preambleLength - longest.count
    guard room >= 0 else {
      throw VectorizationError(.sizeLimitTooSmall, "\(sizeLimit) bytes leave no room for the model's header")
    }
    let rows = mostImportantRows(of: trained, count: room / rowSize(rank: rank))
    let header = try header(trained.model, rowCount: rows.count, provenance: provenance)

    var body = header
    body.reserveCapacity(header.count + rows.count * rowSize(rank: rank))
    for row in rows { body.append(integer: projection.buckets[row]) }
    for row in rows { body.append(integer: projection.weights[row].bitPattern) }
    for row in rows {
      for value in projection.vectors.row(row) {
        let bits = Float16(value).bitPattern
        body.append(UInt8(truncatingIfNeeded: bits))
        body.append(UInt8(truncatingIfNeeded: bits >> 8))
      }
    }
    let checksum = digest(body[...])
    precondition(checksum.count == digestLength, "a checksum of \(checksum.count) bytes")

    var file = magic
    file.append(integer: version)
    file.append(integer: UInt32(header.count))
    file.append(contentsOf: checksum)
    file.append(contentsOf: body)
    return file
  }

  private static func header(
    _ model: VectorizerModel, rowCount: Int, provenance: String
  ) throws(VectorizationError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return [UInt8](try encoder.encode(Header(model: model, rowCount: rowCount, provenance: provenance)))
    } catch {
      throw VectorizationError(.malformedHeader, "the model's settings can't be written as JSON")
    }
  }

  /// Row numbers in ascending order.
  private static func mostImportantRows(of trained: ProjectionTrainer.Trained, count: Int) -> [Int] {
    let projection = trained.projection
    guard projection.buckets.count > count else { return Array(projection.buckets.indices) }
    let importance = projection.weights.map { weight in
      Double(weight)
        * TermWeighting.documentFrequency(ofWeight: Double(weight), documentCount: trained.model.documentCount)
    }
    let ranked = projection.buckets.indices.sorted { (importance[$0], $1) > (importance[$1], $0) }
    return ranked.prefix(count).sorted()
  }
}

extension [UInt8] {
  fileprivate mutating func append(integer: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: integer >> shift)) }
  }
}
