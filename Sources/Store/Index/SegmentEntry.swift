internal import CKernels
public import Clinical

/// What a segment holds of a chunk: what filters and BM25 ask of it, and its vector rounded to bytes.
struct SegmentEntry: Equatable {
  let chunkID: Int64
  let recordedAt: Int64
  let patientRowID: Int64
  let tokenCount: UInt32
  let scale: Float
  /// At least the length of what rounding took away.
  let error: Float
  /// At least the vector's length.
  let norm: Float
  let codes: [Int8]

  /// - Precondition: `vector` has ``ChunkStore/dimension`` numbers.
  init(chunkID: Int64, recordedAt: Int64, patientRowID: Int64, tokenCount: Int, vector: [Float]) {
    precondition(vector.count == ChunkStore.dimension, "a vector of \(vector.count) numbers")
    self.chunkID = chunkID
    self.recordedAt = recordedAt
    self.patientRowID = patientRowID
    self.tokenCount = UInt32(clamping: tokenCount)
    var bounds = vetnet_code()
    codes = [Int8](unsafeUninitializedCapacity: vector.count) { codes, initialized in
      bounds = vector.withUnsafeBufferPointer { vetnet_encode($0.baseAddress, vector.count, codes.baseAddress) }
      initialized = vector.count
    }
    (scale, error, norm) = (bounds.scale, bounds.error, bounds.norm)
  }

  /// The entry at a place of a segment.
  init(_ segment: ChunkSegment, at place: Int) {
    chunkID = segment.chunkID(place)
    recordedAt = segment.recordedAt(place).seconds
    patientRowID = segment.patientRowID(place)
    tokenCount = UInt32(segment.tokenCount(place))
    (scale, error, norm) = segment.bounds(place)
    let own = segment.codes[(place * ChunkStore.dimension)..<((place + 1) * ChunkStore.dimension)]
    codes = UnsafeRawBufferPointer(rebasing: own).withMemoryRebound(to: Int8.self) { Array($0) }
  }

  static func encode(_ entries: some Collection<SegmentEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * ChunkSegment.bytesPerChunk)
    func append<Value>(_ value: (SegmentEntry) -> Value) {
      for entry in entries { withUnsafeBytes(of: value(entry)) { bytes.append(contentsOf: $0) } }
    }
    append(\.chunkID)
    append(\.recordedAt)
    append(\.patientRowID)
    append(\.tokenCount)
    append(\.scale)
    append(\.error)
    append(\.norm)
    for entry in entries { entry.codes.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    return bytes
  }
}

/// Some dozen chunks as a search over the whole practice sees them, in SQLite's memory: gone when the next row is read.
public struct ChunkSegment {
  public let count: Int
  /// When the first of the chunks was recorded.
  public let earliest: Timestamp
  public let latest: Timestamp
  private let bytes: UnsafeRawBufferPointer

  static let bytesPerChunk = 40 + ChunkStore.dimension
  /// As many as a page of 16384 bytes holds, with its head and the row's.
  static let capacity = 29

  /// Nil when the bytes are not those of so many chunks.
  init?(count: Int, earliest: Timestamp, latest: Timestamp, bytes: UnsafeRawBufferPointer) {
    guard count > 0, bytes.count == count * Self.bytesPerChunk else { return nil }
    self.count = count
    self.earliest = earliest
    self.latest = latest
    self.bytes = bytes
  }

  /// Ascending with the place.
  public func chunkID(_ place: Int) -> Int64 { number(at: 0, place, Int64.self) }

  public func recordedAt(_ place: Int) -> Timestamp { Timestamp(seconds: number(at: 8, place, Int64.self)) }

  public func patientRowID(_ place: Int) -> Int64 { number(at: 16, place, Int64.self) }

  public func tokenCount(_ place: Int) -> Int { Int(number(at: 24, place, UInt32.self)) }

  /// The scales, then the error bounds, then the norm bounds: three floats for each chunk.
  public var bounds: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(28 * count)..<(40 * count)])
  }

  /// ``ChunkStore/dimension`` signed bytes for each chunk.
  public var codes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[(40 * count)...]) }

  func bounds(_ place: Int) -> (scale: Float, error: Float, norm: Float) {
    (number(at: 28, place, Float.self), number(at: 32, place, Float.self), number(at: 36, place, Float.self))
  }

  /// The number of a chunk in the column that begins after `column` bytes for each chunk.
  private func number<Number: BitwiseCopyable>(at column: Int, _ place: Int, _ type: Number.Type) -> Number {
    precondition(place >= 0 && place < count, "place \(place) of \(count)")
    return bytes.loadUnaligned(fromByteOffset: column * count + place * MemoryLayout<Number>.size, as: type)
  }
}
