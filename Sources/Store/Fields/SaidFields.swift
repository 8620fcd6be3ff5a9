import Clinical

/// What a source said last about a record, field by field, as hashes.
///
/// A source that repeats itself has no news: what was changed here since stays. Only what it says otherwise than before
/// is a change.
struct SaidFields: Equatable {
  /// Hashes of contents by hashes of names.
  private var hashes: [UInt32: UInt64] = [:]

  /// Under which the file is remembered that a row without an id stood in; no field of any record.
  static let file = "file"

  init() {}

  /// - Parameter stored: as ``bytes`` wrote it; nil for a record that no import has told of since imports are kept.
  init(stored: [UInt8]?) {
    guard let stored, stored.count % 12 == 0 else { return }
    for start in stride(from: 0, to: stored.count, by: 12) {
      let name = stored[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      hashes[name] = stored[start + 4..<start + 12].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }

  /// Twelve bytes a field, in an order that depends on nothing else.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 * hashes.count)
    for (name, content) in hashes.sorted(by: { $0.key < $1.key }) {
      for shift in stride(from: 24, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: name >> UInt32(shift)))
      }
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: content >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// Whether the source said anything about the field.
  func contains(_ field: String) -> Bool { hashes[Self.key(field)] != nil }

  /// Whether this is what the source said last about the field.
  func says(_ content: FieldContent, of field: String) -> Bool { hashes[Self.key(field)] == Self.hash(content) }

  /// Keeps what is said about a field; false when it was said before.
  mutating func hear(_ content: FieldContent, of field: String) -> Bool {
    let hash = Self.hash(content)
    return hashes.updateValue(hash, forKey: Self.key(field)) != hash
  }

  /// The bytes in ``bytes`` that say this of a field.
  static func entry(_ content: FieldContent, of field: String) -> [UInt8] {
    var said = SaidFields()
    _ = said.hear(content, of: field)
    return said.bytes
  }

  private static func hash(_ content: FieldContent) -> UInt64 {
    ContentHash(of: content.canonical).bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// Takes the memory of some fields from an earlier one.
  mutating func restore(_ fields: some Sequence<String>, from earlier: SaidFields) {
    for field in fields { hashes[Self.key(field)] = earlier.hashes[Self.key(field)] }
  }

  /// FNV-1a.
  private static func key(_ field: String) -> UInt32 {
    field.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
