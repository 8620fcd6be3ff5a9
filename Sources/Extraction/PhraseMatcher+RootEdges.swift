import Clinical

extension PhraseMatcher {
  /// The class edges of the root.
  struct RootEdges: Sendable {
    /// By the bit of a class, its edge; -1 for none.
    private var ofClass = [Int32](repeating: -1, count: UInt128.bitWidth)
    /// By the hash of a word that is in slots, its place in `heads`.
    private var slotWords = HashIndex(capacity: 16)
    /// The first link of each such word.
    private var heads: [Int32] = []
    private var links: [Link] = []

    private struct Link: Sendable {
      let edge: Int32
      /// The link of the next slot that has the word; -1 for the last.
      var next: Int32 = -1
    }

    /// Adds an edge; later ones have greater numbers.
    mutating func add(_ edge: Int32, class bit: Int) { ofClass[bit] = edge }

    /// Adds the edge of a slot.
    mutating func add(_ edge: Int32, words: [UInt64]) {
      for word in words {
        let link = Int32(links.count)
        links.append(Link(edge: edge))
        guard let place = slotWords.find(word) else {
          slotWords.insert(word, UInt32(heads.count))
          heads.append(link)
          continue
        }
        var last = heads[Int(place)]
        while links[Int(last)].next >= 0 { last = links[Int(last)].next }
        links[Int(last)].next = link
      }
    }

    /// The least edge above `edge` that a word of these classes leads along; -1 where there is none.
    @inline(__always)
    func next(after edge: Int32, classes: UInt128, firstLink: Int32) -> Int32 {
      var least = Int32.max
      var rest = classes
      while rest != 0 {
        let found = ofClass[rest.trailingZeroBitCount]
        if found > edge, found < least { least = found }
        rest &= rest - 1
      }
      var link = firstLink
      while link >= 0 {
        let found = links[Int(link)].edge
        if found > edge, found < least { least = found }
        link = links[Int(link)].next
      }
      return least == .max ? -1 : least
    }

    /// The first link of a word; -1 where it is in no slot.
    @inline(__always)
    func firstLink(of word: UInt64) -> Int32 {
      slotWords.find(word).map { heads[Int($0)] } ?? -1
    }
  }
}
