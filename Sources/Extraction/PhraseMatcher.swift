import Clinical

/// Finds many phrases at once: a trie over word hashes, walked from every word.
///
/// A phrase is written as text ("no sign of"), with these atoms: `<num>` a number, `<year>` a year, `<any>` one word,
/// `<start>` and `<end>` the border of a phrase, `<line>` the beginning of a line, `<plus> <minus> <query> <question>
/// <dash>` the signs of ``Sign``, `<name>` any word of that word class, `<name?>` such a word or none.
///
/// - Complexity: O(words × longest phrase); a word that begins no phrase costs one probe.
struct PhraseMatcher: Sendable {
  struct Match: Sendable {
    let end: Int
    let payload: Int
  }

  private var edges = HashIndex(capacity: 64)
  private var firstWords = FirstWords()
  /// Per node: the heads of its lists of payloads and of word classes that lead on, and the atoms it has.
  private var nodes: [Node] = [Node()]
  private var payloads: [Payload] = []
  private var classEdges: [ClassEdge] = []
  private var slots = Slots()
  /// The same edges of the root by what leads along them: every word of a text may begin a phrase, and there are a hundred of them.
  private var rootEdges = RootEdges()
  private let leniency: Leniency

  /// What of a text needn't be as a phrase is written.
  private struct Leniency: Sendable {
    /// A word of the text may have an "s" more than the phrase.
    let allowsPlural: Bool
    /// Words that may stand within a phrase without being written in it: "blood in (his) urine".
    let passedOver: WordClassSet
  }

  /// The closed classes that phrases name, each once.
  private struct Slots: Sendable {
    private(set) var words: [HashIndex]
    private var placeOfName: [String: Int32] = [:]

    /// - Parameter words: of classes that no further phrase will name.
    init(_ words: [HashIndex] = []) { self.words = words }

    mutating func place(of name: String, _ words: HashIndex) -> Int32 {
      if let known = placeOfName[name] { return known }
      let created = Int32(self.words.count)
      self.words.append(words)
      placeOfName[name] = created
      return created
    }
  }

  // Lists are chained through arrays of plain values: a walk copies no array.
  private struct Node: Sendable {
    var payload: Int32 = -1
    var classEdge: Int32 = -1
    var atoms: Atoms = []
  }

  private struct Payload: Sendable {
    let value: Int32
    var next: Int32 = -1
  }

  private struct ClassEdge: Sendable {
    /// Empty where the edge is a slot's.
    let set: WordClassSet
    /// The place in ``slots``, or -1.
    let slot: Int32
    let node: UInt32
    var next: Int32 = -1
  }

  private struct Atoms: OptionSet, Sendable {
    let rawValue: UInt32
    static let number = Atoms(rawValue: 1)
    static let year = Atoms(rawValue: 2)
    static let any = Atoms(rawValue: 4)
    static let end = Atoms(rawValue: 8)
    static let start = Atoms(rawValue: 16)
    static let line = Atoms(rawValue: 32)
  }

  /// - Parameters:
  ///   - allowsPlural: a word of the text may have an "s" more than the phrase.
  ///   - passedOver: words of these classes may stand within a phrase without being written in it.
  init(allowsPlural: Bool, passingOver passedOver: WordClassSet = []) {
    leniency = Leniency(allowsPlural: allowsPlural, passedOver: passedOver)
  }

  // MARK: - Building

  /// Adds a phrase.
  ///
  /// - Returns: false when it has no words or names an unknown atom.
  mutating func add(_ phrase: String, payload: Int, classes: WordClasses?) -> Bool {
    var phrase = phrase
    return phrase.withUTF8 { add(utf8: $0, payload: payload, classes: classes) }
  }

  /// Adds a phrase where it lies in a table. On bytes: thousands of phrases are read at every start of the program.
  mutating func add(utf8 phrase: UnsafeBufferPointer<UInt8>, payload: Int, classes: WordClasses?) -> Bool {
    // Several where something may be left out.
    var nodes = [0]
    var start = 0
    while start < phrase.count {
      var end = start
      var isPlain = true
      while end < phrase.count, phrase[end] != 0x20 {
        isPlain = isPlain && (0x61...0x7A).contains(phrase[end])
        end += 1
      }
      if end > start {
        let part = UnsafeBufferPointer(rebasing: phrase[start..<end])
        if isPlain {
          // What the scanner would make of it, without the scanner.
          let hash = Spelling.hashes(of: part).hash
          if let form = Spelling.form(ofHash: hash) {
            advance(&nodes, form.hash)
            if form.tail > 0 { advance(&nodes, Spelling.not) }
          } else {
            advance(&nodes, hash)
          }
        } else if part[0] == UInt8(ascii: "<"), part[part.count - 1] == UInt8(ascii: ">"), part.count > 2 {
          let isOptional = part[part.count - 2] == UInt8(ascii: "?")
          let name = String(decoding: part[1..<part.count - (isOptional ? 2 : 1)], as: UTF8.self)
          let skipping = isOptional ? nodes : []
          if let sign = Sign.named[name] {
            advance(&nodes, sign)
          } else if let set = classes?.set(named: name) {
            for place in nodes.indices { nodes[place] = child(of: nodes[place], set: set, slot: -1) }
          } else if let words = classes?.slot(named: name) {
            let slot = slots.place(of: name, words)
            for place in nodes.indices { nodes[place] = child(of: nodes[place], set: [], slot: slot) }
          } else {
            return false
          }
          nodes += skipping
        } else {
          for word in WordScanner.words(in: Array(part)) { advance(&nodes, word.hash) }
        }
      }
      start = end + 1
    }
    // The root stands for no words at all.
    guard !nodes.contains(0) else { return false }
    for node in nodes { addPayload(Int32(payload), to: node) }
    return true
  }

  private mutating func advance(_ nodes: inout [Int], _ hash: UInt64) {
    for place in nodes.indices { nodes[place] = child(of: nodes[place], hash: hash) }
  }

  private mutating func addPayload(_ payload: Int32, to node: Int) {
    var last: Int32 = -1
    var index = nodes[node].payload
    while index >= 0 {
      if payloads[Int(index)].value == payload { return }
      last = index
      index = payloads[Int(index)].next
    }
    let created = Int32(payloads.count)
    payloads.append(Payload(value: payload))
    if last < 0 { nodes[node].payload = created } else { payloads[Int(last)].next = created }
  }

  private mutating func newNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func child(of node: Int, set: WordClassSet, slot: Int32) -> Int {
    var last: Int32 = -1
    var index = nodes[node].classEdge
    while index >= 0 {
      let edge = classEdges[Int(index)]
      if edge.set == set, edge.slot == slot { return Int(edge.node) }
      last = index
      index = edge.next
    }
    let created = newNode()
    let edge = Int32(classEdges.count)
    classEdges.append(ClassEdge(set: set, slot: slot, node: UInt32(created)))
    if node == 0 {
      firstWords.add(set)
      if slot >= 0 { for hash in slots.words[Int(slot)].all { firstWords.add(hash) } }
      noteRootEdge(edge)
    }
    if last < 0 { nodes[node].classEdge = edge } else { classEdges[Int(last)].next = edge }
    return created
  }

  private mutating func noteRootEdge(_ number: Int32) {
    let edge = classEdges[Int(number)]
    if edge.slot >= 0 {
      rootEdges.add(number, words: slots.words[Int(edge.slot)].all)
    } else {
      rootEdges.add(number, class: edge.set.rawValue.trailingZeroBitCount)
    }
  }

  private mutating func child(of node: Int, hash: UInt64) -> Int {
    let key = Self.key(node, hash)
    if let known = edges.find(key) { return Int(known) }
    let created = newNode()
    edges.insert(key, UInt32(created))
    if node == 0 { firstWords.add(hash) }
    switch hash {
    case Sign.anyNumber: nodes[node].atoms.insert(.number)
    case Sign.year: nodes[node].atoms.insert(.year)
    case Sign.anyWord: nodes[node].atoms.insert(.any)
    case Sign.end: nodes[node].atoms.insert(.end)
    case Sign.start: nodes[node].atoms.insert(.start)
    case Sign.line: nodes[node].atoms.insert(.line)
    default: break
    }
    return created
  }

  @inline(__always) private static func key(_ node: Int, _ hash: UInt64) -> UInt64 {
    hash &+ UInt64(truncatingIfNeeded: node) &* 0x9E37_79B9_7F4A_7C15
  }

  // MARK: - Matching

  /// All phrases that begin at word `index`, shorter ones first.
  func matches(at index: Int, in text: ScannedText) -> [Match] {
    if !firstWords.mayContain(text.words[index].hash), !mayBegin(at: index, text) { return [] }
    var result: [Match] = []
    walk(node: 0, index: index, text: text, into: &result)
    return result
  }

  private func mayBegin(at index: Int, _ text: ScannedText) -> Bool {
    let word = text.words[index]
    if leniency.allowsPlural, word.singular != word.hash, firstWords.mayContain(word.singular) { return true }
    let atoms = nodes[0].atoms
    if word.kind == .number, !atoms.isDisjoint(with: [.number, .year]) { return true }
    if word.kind == .word, atoms.contains(.any) { return true }
    if atoms.contains(.start), text.isPhraseStart(index) { return true }
    if atoms.contains(.line), word.flags.contains(.lineStart) { return true }
    return !word.classes.isDisjoint(with: firstWords.classes)
  }

  private func walk(node: Int, index: Int, text: ScannedText, into result: inout [Match]) {
    let special = nodes[node].atoms
    if special.contains(.end), text.isPhraseEnd(index), let next = edges.find(Self.key(node, Sign.end)) {
      append(payloadsOf: Int(next), end: index, &result)
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
    if leniency.allowsPlural, word.singular != word.hash, let next = edges.find(Self.key(node, word.singular)) {
      step(to: next, index, text, &result)
    }
    if node == 0 {
      stepFromRoot(index, text, &result)
    } else {
      var edgeIndex = nodes[node].classEdge
      while edgeIndex >= 0 {
        let edge = classEdges[Int(edgeIndex)]
        let holds =
          edge.slot >= 0 ? slots.words[Int(edge.slot)].find(word.hash) != nil : word.classes.isSuperset(of: edge.set)
        if holds { step(to: edge.node, index, text, &result) }
        edgeIndex = edge.next
      }
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
    // Last: where a phrase is written with the word, that one comes first.
    if node != 0, !word.classes.isDisjoint(with: leniency.passedOver) {
      walk(node: node, index: index + 1, text: text, into: &result)
    }
  }

  /// Along the class edges of the root, in their order.
  private func stepFromRoot(_ index: Int, _ text: ScannedText, _ result: inout [Match]) {
    let word = text.words[index]
    let classes = word.classes.intersection(firstWords.classes).rawValue
    let link = rootEdges.firstLink(of: word.hash)
    if classes == 0, link < 0 { return }
    var edge = rootEdges.next(after: -1, classes: classes, firstLink: link)
    while edge >= 0 {
      step(to: classEdges[Int(edge)].node, index, text, &result)
      edge = rootEdges.next(after: edge, classes: classes, firstLink: link)
    }
  }

  @inline(__always)
  private func step(to node: UInt32, _ index: Int, _ text: ScannedText, _ result: inout [Match]) {
    append(payloadsOf: Int(node), end: index + 1, &result)
    walk(node: Int(node), index: index + 1, text: text, into: &result)
  }

  @inline(__always)
  private func append(payloadsOf node: Int, end: Int, _ result: inout [Match]) {
    var index = nodes[node].payload
    while index >= 0 {
      let payload = payloads[Int(index)]
      result.append(Match(end: end, payload: Int(payload.value)))
      index = payload.next
    }
  }
}

extension PhraseMatcher: Packable {
  /// What phrases are added by is left out: what is read back is complete.
  func pack(into packer: inout Packer) {
    packer.add(leniency.allowsPlural)
    leniency.passedOver.pack(into: &packer)
    edges.pack(into: &packer)
    firstWords.pack(into: &packer)
    packer.add(all: nodes)
    packer.add(all: payloads)
    packer.add(list: classEdges) { packer, edge in
      edge.set.pack(into: &packer)
      packer.add(edge.slot)
      packer.add(edge.node)
      packer.add(edge.next)
    }
    packer.add(list: slots.words) { $1.pack(into: &$0) }
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    self.init(allowsPlural: try unpacker.flag(), passingOver: try WordClassSet(from: &unpacker))
    edges = try HashIndex(from: &unpacker)
    firstWords = try FirstWords(from: &unpacker)
    nodes = try unpacker.all()
    payloads = try unpacker.all()
    classEdges = try unpacker.list { unpacker throws(PackingError) in
      ClassEdge(
        set: try WordClassSet(from: &unpacker), slot: try unpacker.value(), node: try unpacker.value(),
        next: try unpacker.value())
    }
    slots = Slots(try unpacker.list { unpacker throws(PackingError) in try HashIndex(from: &unpacker) })
    guard !nodes.isEmpty else { throw PackingError() }
    var edge = nodes[0].classEdge
    while edge >= 0 {
      noteRootEdge(edge)
      edge = classEdges[Int(edge)].next
    }
  }
}
