import Clinical

/// How the concepts of a ``ConceptMap`` are related, and how a question asks for a relation.
struct ConceptRelations: Sendable {
  /// How the objects of a relation count.
  struct Kind: Sendable {
    let name: String
    let asked: Double
    let alone: Double

    /// A kind of an object is one too, wherever the relation is asked for; the contrary of one is not.
    var isInherited: Bool { asked == alone && !isContrary }
    var isContrary: Bool { name == "contrary" }
  }

  /// A row of the relations, and its kind.
  struct Place: Sendable {
    fileprivate let row: Int
    fileprivate let kind: Int
  }

  /// What a question makes of a relation of a concept that it names.
  struct Asked {
    let weight: Double
    /// The words that ask, in UTF-8 bytes.
    let range: Range<Int>
    /// It asks for the objects; otherwise they only are related to what it names.
    let isMeant: Bool
  }

  /// Where a question has a word that asks for a relation of a concept.
  private enum Asking {
    /// Behind it, with which it is one thing to look for: "kidney numbers".
    case behind(FormFinder.Match)
    /// Before it: "tablets for her kidneys".
    case before
    /// Elsewhere.
    case apart
    case not
  }

  /// Begins an object that the formulary knows.
  static let drugMark = UInt8(ascii: "=")
  /// The share of a weight that a word before its concept asks for: "tablets for her heart".
  private static let before = 0.95
  /// How many words may stand between them.
  private static let beforeReach = 4

  private let table: DataTable
  private let kinds: [Kind]
  /// Of names of one concept.
  private let sameness: Kind
  /// By concept.
  private let places: [[Place]]
  /// Words that ask for a kind of relation, which is their group.
  private let words: FormFinder

  /// - Parameters:
  ///   - table: `relations.tsv`.
  ///   - words: `relation-words.tsv`.
  ///   - concepts: the place of each, by the hash of its id.
  ///   - analyzer: the one that analyses the index.
  /// - Throws: ``DataTableError`` for an unknown concept or relation, and a weight outside 0...1.
  init(
    table: DataTable, words: DataTable, concepts: [UInt64: Int], analyzer: Analyzer
  ) throws(DataTableError) {
    var kinds: [Kind] = []
    var forms = ThesaurusForms(analyzer: analyzer)
    for (place, row) in words.rows.enumerated() {
      let (asked, alone) = (try row.number("asked"), try row.number("alone"))
      guard (0...1).contains(asked) else { throw row.error("asked", "is not from 0 to 1") }
      guard (0...asked).contains(alone) else { throw row.error("alone", "is not from 0 to the weight asked for") }
      kinds.append(Kind(name: row["relation"], asked: asked, alone: alone))
      row.forEachPart("words") { forms.addParted($0, group: place) }
    }
    guard let sameness = kinds.first(where: { $0.name == "same" }) else {
      throw DataTableError(table: words.name, line: 1, column: "relation", problem: "there is no row for 'same'")
    }
    var places = [[Place]](repeating: [], count: concepts.count)
    for (number, row) in table.rows.enumerated() {
      guard let subject = concepts[row.withBytes("subject", FNV1a.hash)] else {
        throw row.error("subject", "is no concept")
      }
      let name = row["relation"]
      guard let kind = kinds.firstIndex(where: { $0.name == name && name != sameness.name }) else {
        throw row.error("relation", "is no relation")
      }
      try row.forEachPart("objects") { object throws(DataTableError) in
        guard object[0] == Self.drugMark || concepts[FNV1a.hash(object)] != nil else {
          throw row.error("objects", "names a concept that does not exist")
        }
      }
      places[subject].append(Place(row: number, kind: kind))
    }
    self.table = table
    self.kinds = kinds
    self.sameness = sameness
    self.places = places
    self.words = FormFinder(forms: forms, fillers: FormFinder.fillers(of: analyzer))
  }

  /// Of the concept at a place of the table.
  subscript(concept: Int) -> [Place] { places[concept] }

  func row(_ place: Place) -> DataTable.Row { table.rows[place.row] }

  func kind(_ place: Place) -> Kind { kinds[place.kind] }

  /// How closely a name means the concept that a question names by another name, or by a word that only asks for it.
  func weightOfName(isNamed: Bool) -> Double { isNamed ? sameness.asked : sameness.alone }

  /// The words that ask for a relation, those of longer names left out: "test" within "blood test" asks for nothing more.
  func asking(in tokens: [Token], besides names: [FormFinder.Match]) -> [FormFinder.Match] {
    words.matches(in: tokens).filter { word in
      !names.contains { $0.places.overlaps(word.places) && $0.places.count > word.places.count }
    }
  }

  /// What a question that names a concept makes of one of its relations.
  ///
  /// - Parameters:
  ///   - relation: of the concept.
  ///   - name: where the question names it.
  ///   - asking: from ``asking(in:besides:)``.
  /// - Returns: less than the words ask for where they stand before the name or apart from it.
  func asked(_ relation: Place, of name: FormFinder.Match, by asking: [FormFinder.Match]) -> Asked {
    let kind = kind(relation)
    switch place(of: asking.filter { $0.groups.contains(relation.kind) }, near: name) {
    case .behind(let word):
      return Asked(weight: kind.asked, range: name.range.lowerBound..<word.range.upperBound, isMeant: true)
    case .before: return Asked(weight: kind.asked * Self.before, range: name.range, isMeant: true)
    case .apart: return Asked(weight: (kind.asked + kind.alone) / 2, range: name.range, isMeant: false)
    case .not: return Asked(weight: kind.alone, range: name.range, isMeant: kind.asked == kind.alone)
    }
  }

  private func place(of words: [FormFinder.Match], near name: FormFinder.Match) -> Asking {
    let fitting = words.filter { !$0.places.overlaps(name.places) }
    if let behind = fitting.first(where: { $0.places.lowerBound == name.places.upperBound }) { return .behind(behind) }
    let isBefore = fitting.contains {
      (0..<Self.beforeReach).contains(name.places.lowerBound - $0.places.upperBound)
    }
    return isBefore ? .before : fitting.isEmpty ? .not : .apart
  }
}

extension ConceptRelations {
  func pack(into packer: inout Packer) {
    table.pack(into: &packer)
    packer.add(list: kinds) { $1.pack(into: &$0) }
    sameness.pack(into: &packer)
    packer.add(list: places) { packer, places in
      packer.add(all: places.flatMap { [UInt32($0.row), UInt32($0.kind)] })
    }
    words.pack(into: &packer)
  }

  /// With the analyzer that the words were added with.
  init(from unpacker: inout Unpacker, analyzer: Analyzer) throws(PackingError) {
    table = try DataTable(from: &unpacker)
    kinds = try unpacker.list { unpacker throws(PackingError) in try Kind(from: &unpacker) }
    sameness = try Kind(from: &unpacker)
    places = try unpacker.list { unpacker throws(PackingError) in
      let numbers = try unpacker.all(UInt32.self)
      return stride(from: 0, to: numbers.count - 1, by: 2).map {
        Place(row: Int(numbers[$0]), kind: Int(numbers[$0 + 1]))
      }
    }
    words = try FormFinder(from: &unpacker, analyzer: analyzer)
  }
}

extension ConceptRelations.Kind: Packable {
  func pack(into packer: inout Packer) {
    packer.add(name)
    packer.add(asked)
    packer.add(alone)
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    name = try unpacker.text()
    asked = try unpacker.value()
    alone = try unpacker.value()
  }
}
