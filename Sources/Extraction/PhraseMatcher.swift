/// Finds many phrases at once: a trie over word hashes, walked from every word.
///
/// A phrase is written as text ("no sign of"), with these atoms: `<num>` a number, `<year>` a year, `<any>` one word,
/// `<start>` and `<end>` the border of a phrase, `<line>` the beginning of a line, `<plus> <minus> <query> <question>
/// <dash>` the signs of ``Sign``, `<name>` any word of that word class.
///
/// - Complexity: O(words × longest phrase); a word that begins no phrase costs one probe.
struct PhraseMatcher: Sendable {
  struct Match: Sendable {
    let end: Int
    let payload: Int
  }

  private var edges = HashIndex(capacity: 64)
  private var payloads: [[Int]] = [[]]
  private var atoms: [Atoms] = [[]]
  /// Per node, the word classes that lead on.
  private var classEdges: [[(set: WordClassSet, node: UInt32)]] = [[]]
  private let allowsPlural: Bool

  private struct Atoms: OptionSet, Sendable {
    let rawValue: UInt8
    static let number = Atoms(rawValue: 1)
    static let year = Atoms(rawValue: 2)
    static let any = Atoms(rawValue: 4)
    static let end = Atoms(rawValue: 8)
    static let start = Atoms(rawValue: 16)
    static let line = Atoms(rawValue: 32)
  }

  /// - Parameter allowsPlural: a word of the text may have an "s" more than the phrase.
  init(allowsPlural: Bool) {
    self.allowsPlural = allowsPlural
  }

  // MARK: - Building

  /// Adds a phrase.
  ///
  /// - Returns: false when it has no words or names an unknown atom.
  mutating func add(_ phrase: String, payload: Int, classes: WordClasses?) -> Bool {
    guard let steps = Self.steps(of: phrase, classes: classes), !steps.isEmpty else { return false }
    var node = 0
    for step in steps {
      switch step {
      case .hash(let hash): node = child(of: node, hash: hash)
      case .wordClass(let set):
        if let known = classEdges[node].first(where: { $0.set == set }) {
          node = Int(known.node)
        } else {
          let created = newNode()
          classEdges[node].append((set, UInt32(created)))
          node = created
        }
      }
    }
    if !payloads[node].contains(payload) { payloads[node].append(payload) }
    return true
  }

  private mutating func newNode() -> Int {
    payloads.append([])
    atoms.append([])
    classEdges.append([])
    return payloads.count - 1
  }

  private mutating func child(of node: Int, hash: UInt64) -> Int {
    let key = Self.key(node, hash)
    if let known = edges.find(key) { return Int(known) }
    let created = newNode()
    edges.insert(key, UInt32(created))
    switch hash {
    case Sign.anyNumber: atoms[node].insert(.number)
    case Sign.year: atoms[node].insert(.year)
    case Sign.anyWord: atoms[node].insert(.any)
    case Sign.end: atoms[node].insert(.end)
    case Sign.start: atoms[node].insert(.start)
    case Sign.line: atoms[node].insert(.line)
    default: break
    }
    return created
  }

  private enum Step {
    case hash(UInt64)
    case wordClass(WordClassSet)
  }

  private static func steps(of phrase: String, classes: WordClasses?) -> [Step]? {
    var result: [Step] = []
    for part in phrase.split(separator: " ") {
      if part.first == "<", part.last == ">", part.utf8.count > 2 {
        let name = String(part.dropFirst().dropLast())
        if let sign = Sign.named[name] {
          result.append(.hash(sign))
        } else if let set = classes?.set(named: name) {
          result.append(.wordClass(set))
        } else {
          return nil
        }
      } else {
        result.append(contentsOf: WordScanner.words(in: Array(part.utf8)).map { .hash($0.hash) })
      }
    }
    return result
  }

  @inline(__always) private static func key(_ node: Int, _ hash: UInt64) -> UInt64 {
    hash &+ UInt64(truncatingIfNeeded: node) &* 0x9E37_79B9_7F4A_7C15
  }

  // MARK: - Matching

  /// All phrases that begin at word `index`, shorter ones first.
  func matches(at index: Int, in text: ScannedText) -> [Match] {
    let words = text.words
    if edges.find(Self.key(0, words[index].hash)) == nil, !mayBeginOtherwise(words[index]) { return [] }
    var result: [Match] = []
    walk(node: 0, index: index, text: text, into: &result)
    return result
  }

  /// The longest phrases that begin at word `index`.
  func longestMatches(at index: Int, in text: ScannedText) -> [Match] {
    let all = matches(at: index, in: text)
    guard let longest = all.map(\.end).max() else { return [] }
    return all.filter { $0.end == longest }
  }

  private func mayBeginOtherwise(_ word: Word) -> Bool {
    if allowsPlural, word.singular != word.hash, edges.find(Self.key(0, word.singular)) != nil { return true }
    if word.kind == .number, !atoms[0].isDisjoint(with: [.number, .year]) { return true }
    if word.kind == .word, atoms[0].contains(.any) { return true }
    for edge in classEdges[0] where word.classes.isSuperset(of: edge.set) { return true }
    return !atoms[0].isDisjoint(with: [.start, .line])
  }

  private func walk(node: Int, index: Int, text: ScannedText, into result: inout [Match]) {
    let special = atoms[node]
    if special.contains(.end), text.isPhraseEnd(index), let next = edges.find(Self.key(node, Sign.end)) {
      for payload in payloads[Int(next)] { result.append(Match(end: index, payload: payload)) }
    }
    if special.contains(.start), text.isPhraseStart(index), let next = edges.find(Self.key(node, Sign.start)) {
      walk(node: Int(next), index: index, text: text, into: &result)
    }
    guard index < text.words.count else { return }
    let word = text.words[index]
    if special.contains(.line), word.flags.contains(.lineStart), let next = edges.find(Self.key(node, Sign.line)) {
      walk(node: Int(next), index: index, text: text, into: &result)
    }
    if word.kind == .lineBreak {
      // A phrase may run over a wrapped line, not over the end of a sentence.
      if node != 0, !text.isSentenceEnd(index) { walk(node: node, index: index + 1, text: text, into: &result) }
      return
    }
    if let next = edges.find(Self.key(node, word.hash)) { step(to: next, index, text, &result) }
    if allowsPlural, word.singular != word.hash, let next = edges.find(Self.key(node, word.singular)) {
      step(to: next, index, text, &result)
    }
    for edge in classEdges[node] where word.classes.isSuperset(of: edge.set) {
      step(to: edge.node, index, text, &result)
    }
    if word.kind == .number {
      if special.contains(.number), let next = edges.find(Self.key(node, Sign.anyNumber)) {
        step(to: next, index, text, &result)
      }
      if special.contains(.year), word.flags.contains(.year), let next = edges.find(Self.key(node, Sign.year)) {
        step(to: next, index, text, &result)
      }
    }
    if special.contains(.any), word.kind == .word, let next = edges.find(Self.key(node, Sign.anyWord)) {
      step(to: next, index, text, &result)
    }
  }

  @inline(__always)
  private func step(to node: UInt32, _ index: Int, _ text: ScannedText, _ result: inout [Match]) {
    for payload in payloads[Int(node)] { result.append(Match(end: index + 1, payload: payload)) }
    walk(node: Int(node), index: index + 1, text: text, into: &result)
  }
}
