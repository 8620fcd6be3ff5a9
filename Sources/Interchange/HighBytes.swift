/// What the bytes past ASCII of a file say about its encoding, each judged by its neighbours.
///
/// Windows-1252 has punctuation where ISO 8859-15 has control characters, which no text holds, so one such byte decides.
/// Otherwise the two differ in eight bytes: `¤ ¦ ¨ ´ ¸ ¼ ½ ¾` in the one are `€ Š š Ž ž Œ œ Ÿ` in the other, and letters
/// stand beside letters.
///
/// - Source: Unicode Consortium, mapping tables `CP1252.TXT` and `8859-15.TXT`.
struct HighBytes {
  /// The first byte past ASCII.
  private(set) var first: Int64?
  /// Sequences of several bytes that are well-formed UTF-8; hardly any text in another encoding holds one.
  private(set) var validSequences = 0
  /// Bytes past ASCII that are in no such sequence.
  private(set) var invalid = 0
  private(set) var firstInvalid: Int64 = 0
  /// 0x80 to 0x9F.
  private(set) var firstControl: Int64?
  /// The five of these that Windows-1252 leaves free.
  private(set) var firstUndefined: Int64?
  /// Punctuation in the middle of a word, or a capital letter there: what the encodings of DOS and old Macintoshes look like.
  private(set) var firstImplausible: Int64?
  /// Whether there are bytes from 0x80 to 0x9F, which are characters in Windows-1252 alone.
  private(set) var hasPunctuation = false
  /// Of the eight bytes, the first that is a letter, or the euro sign, of ISO 8859-15.
  private(set) var firstLetter: Int64?
  /// The first that is a symbol of Windows-1252.
  private(set) var firstSymbol: Int64?
  /// The first that may be either.
  private(set) var firstDoubtful: Int64?

  init(_ file: InputFile) throws(InterchangeError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var window: [UInt8] = []
    // The file's offset of `window[0]`. A byte is judged when its neighbour and a whole UTF-8 sequence are in sight.
    var base: Int64 = 0
    var next = 0
    var sequenceEnd = 0
    var offset: Int64 = 0
    while true {
      let count = try file.read(at: offset, into: &buffer)
      offset += Int64(count)
      window += buffer[..<count]
      let limit = count == 0 ? window.count : max(0, window.count - 4)
      while next < limit {
        if window[next] >= 0x80 { judge(window, next, base: base, sequenceEnd: &sequenceEnd) }
        next += 1
      }
      if count == 0 { return }
      let dropped = max(0, next - 1)
      window.removeFirst(dropped)
      base += Int64(dropped)
      next -= dropped
      sequenceEnd -= dropped
    }
  }

  private mutating func judge(_ bytes: [UInt8], _ index: Int, base: Int64, sequenceEnd: inout Int) {
    let place = base + Int64(index)
    let byte = bytes[index]
    if first == nil { first = place }
    if index >= sequenceEnd {
      if let length = Self.sequenceLength(bytes, index) {
        validSequences += 1
        sequenceEnd = index + length
      } else {
        if invalid == 0 { firstInvalid = place }
        invalid += 1
      }
    }
    let before = index > 0 ? bytes[index - 1] : 0x20
    let after = index + 1 < bytes.count ? bytes[index + 1] : 0x20
    let isWithin = Self.isLetter(before) && Self.isLetter(after)
    switch byte {
    case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
      firstControl = firstControl ?? place
      firstUndefined = firstUndefined ?? place
      firstImplausible = firstImplausible ?? place
    case 0x80...0x9F:
      firstControl = firstControl ?? place
      hasPunctuation = true
      switch byte {
      case 0x82, 0x84, 0x86...0x89, 0x8B, 0x93, 0x94, 0x98, 0x9B:
        if isWithin { firstImplausible = firstImplausible ?? place }
      case 0x8A, 0x8C, 0x8E, 0x9F: if isWithin, Self.isSmall(after) { firstImplausible = firstImplausible ?? place }
      default: break
      }
    case 0xA4: firstLetter = firstLetter ?? place
    case 0xB4 where Self.isSmall(before): firstSymbol = firstSymbol ?? place
    case 0xB4 where isWithin: firstDoubtful = firstDoubtful ?? place
    case 0xA6, 0xA8, 0xB4, 0xB8, 0xBC, 0xBD, 0xBE:
      if Self.isLetter(before) {
        firstLetter = firstLetter ?? place
      } else if Self.isLetter(after) {
        firstDoubtful = firstDoubtful ?? place
      } else {
        firstSymbol = firstSymbol ?? place
      }
    default: break
    }
  }

  /// The length of a well-formed UTF-8 sequence of several bytes that begins here, nil for none.
  private static func sequenceLength(_ bytes: [UInt8], _ index: Int) -> Int? {
    let length =
      switch bytes[index] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0, index + length <= bytes.count,
      firstInvalidUTF8Offset(in: Array(bytes[index..<index + length])) == nil
    else { return nil }
    return length
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || isSmall(byte) || (0xC0...0xDE).contains(byte)
  }

  private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte >= 0xDF }
}
