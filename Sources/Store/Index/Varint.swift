/// Whole numbers in as few bytes as they need: seven bits each, the lowest first, the top bit set on all but the last.
///
/// - Source: the "LEB128" of the DWARF standard, version 4, section 7.6, unsigned.
enum Varint {
  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads the number at `position` and moves behind it; nil when the bytes end within it or it has over 64 bits.
  static func read(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard shift < 63 || (shift == 63 && byte <= 1) else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}

/// Pairs of an ascending id and a count, as differences: what both the postings of a term and the terms of a chunk are.
enum PairList {
  static func encode(_ pairs: some Sequence<(id: Int64, count: Int)>, base: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    var previous = base
    for pair in pairs {
      precondition(pair.id >= previous && pair.count >= 0, "pair \(pair) after \(previous)")
      Varint.append(UInt64(pair.id - previous), to: &bytes)
      Varint.append(UInt64(pair.count), to: &bytes)
      previous = pair.id
    }
    return bytes
  }

  /// Calls `body` with each pair in order; false when the bytes are no such list.
  static func decode(_ bytes: UnsafeRawBufferPointer, base: Int64, _ body: (Int64, Int) -> Void) -> Bool {
    var position = 0
    var id = base
    while position < bytes.count {
      guard let step = Varint.read(bytes, at: &position), let count = Varint.read(bytes, at: &position),
        let step = Int64(exactly: step), let count = Int(exactly: count)
      else { return false }
      let (next, hasOverflown) = id.addingReportingOverflow(step)
      guard !hasOverflown else { return false }
      id = next
      body(id, count)
    }
    return true
  }
}
