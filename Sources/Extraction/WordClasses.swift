public import Clinical
import TextAnalysis

/// The classes a word is in, as bits.
struct WordClassSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt128

  init(rawValue: UInt128) {
    self.rawValue = rawValue
  }

  init(bit: Int) {
    rawValue = 1 << UInt128(bit)
  }
}

/// Small closed classes of words that decide where a cue's reach ends: conjunctions, predicates, patient's names …
///
/// From `Models/extraction/word-classes.tsv`: a row names a class and its words, "|" between them; a word written "*ic"
/// stands for every word with that ending.
public struct WordClasses: Sendable {
  private var bitOfName: [String: Int] = [:]
  private var classesOfWord: HashIndex
  private var classSets: [(open: WordClassSet, closed: ClosedClassSet)] = []
  private var endings: [(letters: [UInt8], set: WordClassSet)] = []
  /// Classes that only phrases name: their words, by hash. They take no bit, and change nothing of what a word is.
  private var slots: [String: HashIndex] = [:]

  /// The class of a species' names, where it has one of its own.
  private static let kinds: [Species: String] = [
    .dog: "canine", .cat: "feline", .rabbit: "lagomorph", .horse: "equine", .cattle: "bovine", .bird: "avian",
  ]
  /// - Parameters:
  ///   - table: `word-classes.tsv`.
  ///   - drugs: `formulary/drugs.tsv`; its names of one word join the class `drug`.
  ///   - breeds: `clinical/breeds.tsv`; its names of one word that mean nothing else, and their plurals, join `animal` and their species' class.
  /// - Throws: ``DataTableError`` when a column or a class of ``WordClass`` is missing.
  public init(table: DataTable, drugs: DataTable? = nil, breeds: DataTable? = nil) throws(DataTableError) {
    for known in WordClass.allCases { bitOfName[known.name] = known.rawValue }
    classesOfWord = HashIndex(capacity: table.rows.count)
    var sets: [UInt64: WordClassSet] = [:]
    var closed: [UInt64: ClosedClassSet] = [:]
    let closedNames = Dictionary(uniqueKeysWithValues: ClosedClass.allCases.map { ($0.name, $0) })
    for row in table.rows {
      try add(row, to: &sets)
      if let known = closedNames[row["class"]] { add(row, known, to: &closed) }
    }
    let named = Set(table.rows.map { $0["class"] })
    let known = WordClass.allCases.map(\.name) + ClosedClass.allCases.map(\.name)
    if let missing = known.first(where: { !named.contains($0) }) {
      throw DataTableError(
        table: table.name, line: 0, column: "class",
        problem:
          "class '\(missing)' is missing; add a row '\(missing)' with its words, or put back the shipped table"
      )
    }
    if let drugs { for name in DrugLexicon.names(of: drugs) { join(name, ["drug"], &sets) } }
    for row in breeds?.rows ?? [] where row["also"].isEmpty {
      guard let species = Species(rawValue: row["species"]) else { throw row.error("species", "is unknown") }
      let joined = ["animal"] + [Self.kinds[species]].compactMap { $0 }
      for name in row.list("forms") {
        join(name, joined, &sets)
        join(name + "s", joined, &sets)
        if name.hasSuffix("y") { join(name.dropLast() + "ies", joined, &sets) }
      }
    }
    let hashes = Set(sets.keys).union(closed.keys).sorted()
    classesOfWord = HashIndex(capacity: hashes.count)
    for hash in hashes {
      classesOfWord.insert(hash, UInt32(classSets.count))
      classSets.append((sets[hash] ?? [], closed[hash] ?? ClosedClassSet()))
    }
  }

  /// Gives the words of a row its class.
  private mutating func add(_ row: DataTable.Row, to sets: inout [UInt64: WordClassSet]) throws(DataTableError) {
    let name = row["class"]
    if row["use"] == "slot" { return try addSlot(name, row) }
    let bit = bitOfName[name] ?? bitOfName.count
    guard bit < UInt128.bitWidth else { throw row.error("class", "is one class too many") }
    bitOfName[name] = bit
    for word in row.list("words") {
      if word.hasPrefix("*") {
        endings.append((Array(word.utf8.dropFirst()), WordClassSet(bit: bit)))
        continue
      }
      let scanned = WordScanner.words(in: Array(word.utf8))
      guard let only = scanned.first, scanned.count == 1 else {
        throw row.error("words", "has '\(word)', which is not one word")
      }
      sets[only.hash, default: []].formUnion(WordClassSet(bit: bit))
    }
  }

  /// Gives a name of one word further classes; names of several are left to the tables that list them.
  private func join(_ name: String, _ classes: [String], _ sets: inout [UInt64: WordClassSet]) {
    let scanned = WordScanner.words(in: Array(name.utf8))
    guard let only = scanned.first, scanned.count == 1 else { return }
    for bit in classes.compactMap({ bitOfName[$0] }) {
      sets[only.hash, default: []].formUnion(WordClassSet(bit: bit))
    }
  }

  private mutating func addSlot(_ name: String, _ row: DataTable.Row) throws(DataTableError) {
    for word in row.list("words") {
      let scanned = WordScanner.words(in: Array(word.utf8))
      // "Hasnt" is two words in a note and one in a message.
      guard let only = scanned.first, scanned.count == 1 || !word.contains(" ") else {
        throw row.error("words", "has '\(word)', which is not one word")
      }
      if scanned.count > 1 { continue }
      slots[name, default: HashIndex(capacity: 16)].insert(only.hash, 0)
    }
  }

  private func add(_ row: DataTable.Row, _ known: ClosedClass, to closed: inout [UInt64: ClosedClassSet]) {
    for word in row.list("words") {
      let scanned = WordScanner.words(in: Array(word.utf8))
      if scanned.count == 1 { closed[scanned[0].hash, default: ClosedClassSet()].insert(known) }
      closed[Spelling.hashes(of: Array(word.utf8)).hash, default: ClosedClassSet()].insert(known)
    }
  }

  /// The closed classes of a word in lower case, without apostrophes.
  package func closed(of word: String) -> ClosedClassSet {
    classesOfWord.find(Spelling.hashes(of: Array(word.utf8)).hash).map { classSets[Int($0)].closed } ?? ClosedClassSet()
  }

  /// Whether a word in lower case is for an animal that lives with another or is its kin, and never for a person: a cagemate, no
  /// sister.
  package func isCompanion(_ word: String) -> Bool {
    let hash = Spelling.hashes(of: Array(word.utf8)).hash
    guard let place = classesOfWord.find(hash), classSets[Int(place)].open.isSuperset(of: .relative) else {
      return false
    }
    return slots["kin"]?.find(hash) == nil
  }

  /// The words of a class that phrases name and nothing else asks for; nil where there is none.
  func slot(named name: String) -> HashIndex? { slots[name] }

  func set(named name: String) -> WordClassSet? { bitOfName[name].map { WordClassSet(bit: $0) } }

  /// Marks every word with its classes.
  func classify(_ words: inout [Word], in bytes: [UInt8]) {
    for index in words.indices where words[index].kind == .word || words[index].kind == .symbol {
      var set: WordClassSet = []
      if let found = classesOfWord.find(words[index].hash) { (set, words[index].closed) = classSets[Int(found)] }
      // "Nan's" is said of nan, "last year's" of a year.
      if words[index].singular != words[index].hash, Self.isPossessive(words[index], in: bytes),
        let found = classesOfWord.find(words[index].singular)
      {
        set.formUnion(classSets[Int(found)].open)
      }
      // "Geckos" are animals as a gecko is.
      if set.isEmpty, words[index].singular != words[index].hash, let found = classesOfWord.find(words[index].singular)
      {
        set = classSets[Int(found)].open.intersection(.plurals)
      }
      if set.isEmpty, words[index].byteCount >= 5 {
        for ending in endings where Self.ends(words[index], with: ending.letters, in: bytes) {
          set.formUnion(ending.set)
        }
      }
      words[index].classes = set
    }
    tellPlaces(&words, in: bytes)
    if words.contains(where: { $0.classes.isSuperset(of: .caprine) }) {
      // "Kid bloated" among goats is no child.
      for index in words.indices where words[index].classes.isSuperset(of: .young) {
        words[index].classes.subtract(.children)
      }
    }
  }

  /// "Collapsed in my friend's kitchen", "in next door's pond": whose the place is says nothing of whom the note is about.
  private func tellPlaces(_ words: inout [Word], in bytes: [UInt8]) {
    for index in words.indices.dropLast() where words[index].singular != words[index].hash {
      let isNextDoor = words[index].singular == Self.door && index > 0 && words[index - 1].hash == Self.next
      guard isNextDoor || !words[index].classes.isDisjoint(with: .others) else { continue }
      var place = index + 1
      // The apostrophe of several: "the neighbours' field".
      if words[place].kind == .symbol, !words[place].isSpaced, place + 1 < words.count { place += 1 }
      // One word may stand between that is nobody: "my mum's back garden".
      if words[place].classes.isDisjoint(with: .whereabouts), words[place].kind == .word,
        words[place].classes.isDisjoint(with: .others.union(.animal).union(.predicate)), place + 1 < words.count
      {
        place += 1
      }
      // "In his sister's litter" is of animals.
      guard words[place].classes.isSuperset(of: .whereabouts), words[place].classes.isDisjoint(with: .breeding) else {
        continue
      }
      words[index].classes.subtract(.others)
      words[place].classes.subtract(.group)
    }
  }

  private static let next = Spelling.hash("next")
  private static let door = Spelling.hash("door")

  private static func isPossessive(_ word: Word, in bytes: [UInt8]) -> Bool {
    WordForm.endsInPossessive(bytes[word.range])
  }

  private static func ends(_ word: Word, with letters: [UInt8], in bytes: [UInt8]) -> Bool {
    var index = Int(word.end) - letters.count
    guard index > Int(word.start) else { return false }
    for letter in letters {
      if bytes[index] | 0x20 != letter { return false }
      index += 1
    }
    return true
  }
}

/// Hash → number, open addressing; the keys are well mixed already.
struct HashIndex: Sendable {
  private var keys: [UInt64]
  private var values: [UInt32]
  private var mask: Int
  private(set) var count = 0

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    keys = Array(repeating: 0, count: size)
    values = Array(repeating: 0, count: size)
    mask = size - 1
  }

  /// The keys, in no order.
  var all: [UInt64] { keys.filter { $0 != 0 } }

  @inline(__always) func find(_ key: UInt64) -> UInt32? {
    let key = key == 0 ? 1 : key
    var slot = Int(truncatingIfNeeded: key ^ (key >> 32)) & mask
    while true {
      let stored = keys[slot]
      if stored == key { return values[slot] }
      if stored == 0 { return nil }
      slot = (slot + 1) & mask
    }
  }

  /// Stores `value` unless the key is there already.
  mutating func insert(_ key: UInt64, _ value: UInt32) {
    if count * 2 >= keys.count { grow() }
    let key = key == 0 ? 1 : key
    var slot = Int(truncatingIfNeeded: key ^ (key >> 32)) & mask
    while keys[slot] != 0 {
      if keys[slot] == key { return }
      slot = (slot + 1) & mask
    }
    keys[slot] = key
    values[slot] = value
    count += 1
  }

  private mutating func grow() {
    var larger = HashIndex(capacity: keys.count)
    for (key, value) in zip(keys, values) where key != 0 { larger.insert(key, value) }
    self = larger
  }
}

extension HashIndex: Packable {
  func pack(into packer: inout Packer) {
    packer.add(all: keys)
    packer.add(all: values)
    packer.add(UInt32(count))
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    keys = try unpacker.all()
    values = try unpacker.all()
    count = Int(try unpacker.value(UInt32.self))
    mask = keys.count - 1
    // A power of two with room to spare: a search ends at an empty place.
    guard keys.count == values.count, keys.count > count, keys.count & mask == 0 else { throw PackingError() }
  }
}

extension WordClasses: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(texts: bitOfName.sorted { $0.value < $1.value }.map(\.key))
    classesOfWord.pack(into: &packer)
    packer.add(list: classSets) { packer, sets in
      sets.open.pack(into: &packer)
      sets.closed.pack(into: &packer)
    }
    packer.add(list: endings) { packer, ending in
      packer.add(all: ending.letters)
      ending.set.pack(into: &packer)
    }
    packer.add(list: slots.sorted { $0.key < $1.key }) { packer, slot in
      packer.add(slot.key)
      slot.value.pack(into: &packer)
    }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    for (bit, name) in try unpacker.texts().enumerated() { bitOfName[name] = bit }
    classesOfWord = try HashIndex(from: &unpacker)
    classSets = try unpacker.list { unpacker throws(PackingError) in
      (try WordClassSet(from: &unpacker), try ClosedClassSet(from: &unpacker))
    }
    endings = try unpacker.list { unpacker throws(PackingError) in
      (try unpacker.all(UInt8.self), try WordClassSet(from: &unpacker))
    }
    for (name, words) in try unpacker.list({ unpacker throws(PackingError) in
      (try unpacker.text(), try HashIndex(from: &unpacker))
    }) {
      slots[name] = words
    }
  }
}

extension WordClassSet: Packable {
  func pack(into packer: inout Packer) { packer.add(rawValue) }

  init(from unpacker: inout Unpacker) throws(PackingError) { rawValue = try unpacker.value() }
}
