import FoundationEssentials

/// A part of a job's result as bytes: a head of JSON, then numbers, little-endian. The same part is always the same bytes, so that results of
/// different engines can be compared by digest.
///
/// | bytes | content |
/// |---|---|
/// | 8 | `VETNETPT` |
/// | 4 | length h of the head |
/// | h | the head: `kind`, and what the kind says |
/// | rest | the kind's numbers |
struct PackedPartial {
  private static let magic = Array("VETNETPT".utf8)
  private(set) var bytes: [UInt8]
  private var place = 0

  /// Begins one to be written.
  init(head: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let encoded = [UInt8](try encoder.encode(head))
    bytes = Self.magic
    append(UInt32(encoded.count))
    bytes += encoded
  }

  /// Begins to read one.
  ///
  /// - Throws: ``PracticeError`` where it is none.
  init<Head: Decodable>(_ bytes: [UInt8], head: inout Head?) throws {
    self.bytes = bytes
    guard bytes.count >= 12, bytes[..<8].elementsEqual(Self.magic) else { throw Self.unreadable }
    place = 8
    let length = Int(try integer() as UInt32)
    guard place + length <= bytes.count,
      let decoded = try? JSONDecoder().decode(Head.self, from: Data(bytes[place..<(place + length)]))
    else { throw Self.unreadable }
    head = decoded
    place += length
  }

  static let unreadable = PracticeError(
    .failed, "a part of the job can't be read: it is cut off, altered, or of another job",
    hint: "Maybe remove it and run the job again; the other parts are kept.")

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ values: [Float]) {
    // The machines that this runs on are little-endian.
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  mutating func integer<Number: FixedWidthInteger>() throws -> Number {
    let size = MemoryLayout<Number>.size
    guard place + size <= bytes.count else { throw Self.unreadable }
    defer { place += size }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
  }

  mutating func integers<Number: FixedWidthInteger>(_ count: Int) throws -> [Number] {
    guard count >= 0, count <= (bytes.count - place) / MemoryLayout<Number>.size else { throw Self.unreadable }
    return try (0..<count).map { _ in try integer() }
  }

  mutating func floats(_ count: Int) throws -> [Float] {
    guard count >= 0, count <= (bytes.count - place) / 4 else { throw Self.unreadable }
    defer { place += 4 * count }
    return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: $0[place..<(place + 4 * count)]))
      }
      filled = count
    }
  }

  func finish() throws {
    guard place == bytes.count else { throw Self.unreadable }
  }
}
