import Clinical

extension PhraseMatcher {
  /// What a phrase may begin with. Most words of a text begin nothing: these bits stay in the cache, the table of edges does not.
  struct FirstWords: Sendable {
    /// A bit for each word, by the low bits of its hash.
    private var bits = [UInt64](repeating: 0, count: Self.count)
    /// The classes of which a first word may be.
    private(set) var classes: WordClassSet = []

    private static let count = 256

    init() {}

    mutating func add(_ hash: UInt64) { bits[Self.place(hash)] |= 1 << (hash & 63) }

    mutating func add(_ set: WordClassSet) { classes.formUnion(set) }

    /// Whether a word with this hash may be one; its classes aside.
    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool { bits[Self.place(hash)] & 1 << (hash & 63) != 0 }

    @inline(__always)
    private static func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 6) & (count - 1) }
  }
}

extension PhraseMatcher.FirstWords: Packable {
  func pack(into packer: inout Packer) {
    packer.add(all: bits)
    classes.pack(into: &packer)
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    bits = try unpacker.all()
    classes = try WordClassSet(from: &unpacker)
    guard bits.count == Self.count else { throw PackingError() }
  }
}
