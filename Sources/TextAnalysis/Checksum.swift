import Clinical

/// Names the contents of word lists by their ``FNV1a``, so that an index knows what analysed it. Not for secrets.
struct Checksum {
  private var hash = FNV1a()
  var value: UInt64 { hash.value }

  mutating func add(_ bytes: some Sequence<UInt8>) { hash.add(bytes) }

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
