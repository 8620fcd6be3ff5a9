import Clinical

/// FNV-1a with 64 bits: names the contents of word lists, so that an index knows what analysed it. Not for secrets.
///
/// - Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft-eastlake-fnv.
struct Checksum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  /// Columns and cells in order, with separators that no cell holds.
  mutating func add(_ table: DataTable) {
    for column in table.columns { add("\(column)\t".utf8) }
    for row in table.rows {
      add("\n".utf8)
      for column in table.columns {
        row.withBytes(column) { add($0) }
        add(CollectionOfOne(0x09))
      }
    }
    add("\u{0C}".utf8)
  }

  /// Sixteen hexadecimal digits.
  var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
