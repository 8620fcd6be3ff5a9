/// Rows of slots as bits, 64 to a word, slot `t` in bit `t % 64` of word `t / 64`.
enum SlotBits {
  /// The starts in word `word` at which `length` slots in a row meet a set bit.
  ///
  /// Doubling: a run of 2k meets a bit where a run of k does, here or k further on; so a length costs its logarithm.
  /// Beyond 64 slots the run is taken apart into whole words.
  ///
  /// - Complexity: O(length / 64 + log length).
  @inline(__always)
  static func blocked(_ row: UnsafeMutablePointer<UInt64>, word: Int, length: Int) -> UInt64 {
    var blocked: UInt64 = 0
    var word = word
    var length = length
    while length > 64 {
      blocked |= blockedWithinTwoWords(row[word], row[word &+ 1], 64)
      word &+= 1
      length &-= 64
    }
    return blocked | blockedWithinTwoWords(row[word], row[word &+ 1], length)
  }

  @inline(__always)
  private static func blockedWithinTwoWords(_ low: UInt64, _ high: UInt64, _ length: Int) -> UInt64 {
    if low | high == 0 { return 0 }
    var low = low
    var high = high
    var reach = 1
    while reach &* 2 <= length {
      low |= (low &>> UInt64(reach)) | (high &<< UInt64(64 &- reach))
      high |= high &>> UInt64(reach)
      reach &*= 2
    }
    let rest = length &- reach
    if rest > 0 { low |= (low &>> UInt64(rest)) | (high &<< UInt64(64 &- rest)) }
    return low
  }

  /// The bits of word `word` that belong to slots in `lower..<upper`.
  @inline(__always)
  static func range(_ lower: Int, _ upper: Int, word: Int) -> UInt64 {
    let first = lower &- word &* 64
    let end = upper &- word &* 64
    if end <= 0 || first >= 64 || first >= end { return 0 }
    let fromFirst: UInt64 = first <= 0 ? ~0 : ~0 &<< UInt64(first)
    let toEnd: UInt64 = end >= 64 ? ~0 : ~(~0 &<< UInt64(end))
    return fromFirst & toEnd
  }

  /// Sets or clears the slots `lower..<upper` of a row.
  @inline(__always)
  static func fill(_ row: UnsafeMutablePointer<UInt64>, _ lower: Int, _ upper: Int, with bit: Bool) {
    var word = lower >> 6
    while word &* 64 < upper {
      let bits = range(lower, upper, word: word)
      if bit { row[word] |= bits } else { row[word] &= ~bits }
      word &+= 1
    }
  }
}
