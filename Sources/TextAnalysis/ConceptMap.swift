public import Clinical

/// What the things of a practice are called, and how they are related: a kidney is measured by creatinine, epilepsy treated
/// with anticonvulsants, a lipoma is a kind of lump.
///
///     let tokens = analyzer.tokens(in: "kidney numbers?", keepingStopWords: true)
///     map.links(in: tokens, thesaurus: thesaurus).map(\.phrase)  // creatinine, urea, …
///
/// Two words of a question ask together what neither asks alone: a concept (`kidney`) and a word for one of its relations
/// (`numbers` asks what it is measured by, `tablets` what it is treated with), the word behind it or before it (`tablets for her
/// kidneys`). A concept by itself is linked to everything that it is related to, which then counts less.
///
/// Data: `Models/concepts/`. `concepts.tsv`: `id`, `kind`, `names` (mean the concept wherever they stand), `asked` (mean it in a
/// question, and are not looked for in notes), `species` (of whom only it is said), `unless` (words beside which it is not
/// meant). `relations.tsv`: `id`, `subject`, `relation`, `objects` (ids of concepts, or `=` and a name that the formulary knows
/// as a drug or a class). `relation-words.tsv`: `relation`, `words`, `asked` and `alone` (0...1, how closely an object means the
/// subject with such a word and without; of the row `same`, a name another name, and a word that only asks).
public struct ConceptMap: Sendable {
  /// One more thing to look for.
  public struct Link: Hashable, Sendable {
    /// Analysed terms, as the index holds them; several for a phrase.
    public let terms: [String]
    /// The phrase as a table has it.
    public let phrase: String
    /// How closely it means the words of the question, 0...1.
    public let weight: Double
    /// The id of the concept or of the relation that says so.
    public let row: String
    /// The words of the question that gave rise to it, in UTF-8 bytes.
    public let range: Range<Int>
    /// The question asks for it; otherwise it only is related to what the question names.
    public let isAsked: Bool
    /// It is another name of what the question names.
    public let isName: Bool
    /// It is the contrary of what the question names: benign, of malignant.
    public let isContrary: Bool
  }

  /// How the objects of a relation count.
  struct Relation: Sendable {
    let name: String
    let asked: Double
    let alone: Double

    /// A kind of an object is one too, wherever the relation is asked for; the contrary of one is not.
    var isInherited: Bool { asked == alone && !isContrary }
    var isContrary: Bool { name == "contrary" }
  }

  /// What a kind of a kind, and a name that the formulary adds, keep of the weight.
  private static let inheritance = 0.95
  /// The share of a weight that a word before its concept asks for: "tablets for her heart".
  private static let before = 0.95
  /// How many words may stand between them.
  private static let beforeReach = 4
  /// Kinds of kinds are followed so far.
  private static let depth = 3

  private let concepts: DataTable
  private let relations: DataTable
  private let kinds: [Relation]
  /// Of names of one concept.
  private let sameness: Relation
  /// By concept, the rows of its relations and the relation of each.
  private let related: [[(row: Int, relation: Int)]]
  private let places: [UInt64: Int]
  private let names: FormFinder
  private let facets: FormFinder
  private let analyzer: Analyzer

  /// - Parameters:
  ///   - concepts: `concepts.tsv`.
  ///   - relations: `relations.tsv`.
  ///   - words: `relation-words.tsv`.
  ///   - analyzer: the one that analyses the index.
  /// - Throws: ``DataTableError`` for a repeated or unknown concept, an unknown relation or species, a concept without names, and
  ///   a weight outside 0...1.
  public init(
    concepts: DataTable, relations: DataTable, words: DataTable, analyzer: Analyzer
  ) throws(DataTableError) {
    var kinds: [Relation] = []
    var facets = ThesaurusForms(analyzer: analyzer)
    for (place, row) in words.rows.enumerated() {
      let (asked, alone) = (try row.number("asked"), try row.number("alone"))
      guard (0...1).contains(asked) else { throw row.error("asked", "is not from 0 to 1") }
      guard (0...asked).contains(alone) else { throw row.error("alone", "is not from 0 to the weight asked for") }
      kinds.append(Relation(name: row["relation"], asked: asked, alone: alone))
      row.forEachPart("words") { facets.addParted($0, group: place) }
    }
    guard let sameness = kinds.first(where: { $0.name == "same" }) else {
      throw DataTableError(table: words.name, line: 1, column: "relation", problem: "there is no row for 'same'")
    }
    // The group of a name is twice the place of its concept; that of a word that only asks, one more.
    var names = ThesaurusForms(analyzer: analyzer)
    var places: [UInt64: Int] = [:]
    for (place, row) in concepts.rows.enumerated() {
      let id = row.withBytes("id", FNV1a.hash)
      guard places.updateValue(place, forKey: id) == nil else { throw row.error("id", "is another concept's") }
      var count = 0
      row.forEachPart("names") {
        names.addParted($0, group: 2 * place)
        count += 1
      }
      guard count > 0 else { throw row.error("names", "is empty") }
      row.forEachPart("asked") { names.addParted($0, group: 2 * place + 1) }
      for species in row.list("species") where Species(rawValue: species) == nil {
        throw row.error("species", "names no species")
      }
    }
    var related = [[(row: Int, relation: Int)]](repeating: [], count: concepts.rows.count)
    for (number, row) in relations.rows.enumerated() {
      guard let subject = places[row.withBytes("subject", FNV1a.hash)] else {
        throw row.error("subject", "is no concept")
      }
      let name = row["relation"]
      guard let relation = kinds.firstIndex(where: { $0.name == name && name != sameness.name }) else {
        throw row.error("relation", "is no relation")
      }
      try row.forEachPart("objects") { object throws(DataTableError) in
        guard object[0] == Self.drugMark || places[FNV1a.hash(object)] != nil else {
          throw row.error("objects", "names a concept that does not exist")
        }
      }
      related[subject].append((number, relation))
    }
    let fillers = FormFinder.fillers(of: analyzer)
    self.concepts = concepts
    self.relations = relations
    self.kinds = kinds
    self.sameness = sameness
    self.related = related
    self.places = places
    self.names = FormFinder(forms: names, fillers: fillers)
    self.facets = FormFinder(forms: facets, fillers: fillers)
    self.analyzer = analyzer
  }

  /// What a question should look for besides its own words.
  ///
  /// - Parameters:
  ///   - tokens: from ``Analyzer/tokens(in:range:keepingStopWords:)`` with stop words kept.
  ///   - species: of the patient; of any where it is empty.
  ///   - thesaurus: knows the drugs and classes that relations name.
  /// - Returns: in the order of the question, then the tables'; of two equal phrases for the same words the closer one.
  public func links(in tokens: [Token], species: Set<Species> = [], thesaurus: Thesaurus) -> [Link] {
    let plain = Thesaurus.withoutReadings(tokens)
    let found = names.matches(in: plain)
    // "Test" within "blood test" asks for nothing more.
    let asking = facets.matches(in: plain).filter { facet in
      !found.contains { $0.places.overlaps(facet.places) && $0.places.count > facet.places.count }
    }
    let terms = Set(plain.map(\.text))
    var links: [Link] = []
    for match in found {
      for group in match.groups where isMeant(group / 2, among: terms, species: species) {
        append(of: group / 2, isNamed: group.isMultiple(of: 2), match, asking: asking, thesaurus, to: &links)
      }
    }
    return Self.distinct(links, known: terms)
  }

  /// How a question asks for a relation of a concept.
  private enum Asking {
    /// By a word behind it, with which it is one thing to look for: "kidney numbers".
    case behind(FormFinder.Match)
    /// By a word before it: "tablets for her kidneys".
    case before
    /// By a word elsewhere.
    case apart
    case not
  }

  private func asking(_ relation: Int, of match: FormFinder.Match, _ facets: [FormFinder.Match]) -> Asking {
    let fitting = facets.filter { $0.groups.contains(relation) && !$0.places.overlaps(match.places) }
    if let behind = fitting.first(where: { $0.places.lowerBound == match.places.upperBound }) { return .behind(behind) }
    let isBefore = fitting.contains {
      (0..<Self.beforeReach).contains(match.places.lowerBound - $0.places.upperBound)
    }
    return isBefore ? .before : fitting.isEmpty ? .not : .apart
  }

  private func append(
    of concept: Int, isNamed: Bool, _ match: FormFinder.Match, asking facets: [FormFinder.Match],
    _ thesaurus: Thesaurus, to links: inout [Link]
  ) {
    let id = concepts.rows[concept]["id"]
    for name in concepts.rows[concept].list("names") {
      append(
        name, weight: isNamed ? sameness.asked : sameness.alone, row: id, range: match.range, isAsked: true,
        isName: true, isContrary: false, to: &links)
    }
    for (row, relation) in related[concept] {
      let kind = kinds[relation]
      var range = match.range
      let weight: Double
      var isAsked = true
      switch asking(relation, of: match, facets) {
      case .behind(let facet):
        range = range.lowerBound..<facet.range.upperBound
        weight = kind.asked
      case .before: weight = kind.asked * Self.before
      case .apart:
        weight = (kind.asked + kind.alone) / 2
        isAsked = false
      case .not:
        weight = kind.alone
        isAsked = kind.asked == kind.alone
      }
      let relationID = relations.rows[row]["id"]
      relations.rows[row].forEachPart("objects") { object in
        resolve(object, weight: weight, depth: Self.depth, thesaurus) { phrase, weight in
          append(
            phrase, weight: weight, row: relationID, range: range, isAsked: isAsked, isName: false,
            isContrary: kind.isContrary, to: &links)
        }
      }
    }
  }

  /// Every name of an object, those of its kinds included.
  private func resolve(
    _ object: UnsafeBufferPointer<UInt8>, weight: Double, depth: Int, _ thesaurus: Thesaurus,
    _ body: (String, Double) -> Void
  ) {
    if object[0] == Self.drugMark {
      let name = String(decoding: object.dropFirst(), as: UTF8.self)
      body(name, weight)
      for phrase in formularyNames(of: name, thesaurus) { body(phrase, weight * Self.inheritance) }
      return
    }
    guard let concept = places[FNV1a.hash(object)] else { return }
    for name in concepts.rows[concept].list("names") { body(name, weight) }
    guard depth > 1 else { return }
    for (row, relation) in related[concept] where kinds[relation].isInherited {
      relations.rows[row].forEachPart("objects") {
        resolve($0, weight: weight * Self.inheritance, depth: depth - 1, thesaurus, body)
      }
    }
  }

  /// The names of a drug, or of the drugs of a class, under a name that the formulary has.
  private func formularyNames(of name: String, _ thesaurus: Thesaurus) -> [String] {
    let tokens = Thesaurus.withoutReadings(analyzer.tokens(in: name, keepingStopWords: true))
    let whole = (tokens.first?.range.lowerBound ?? 0)..<(tokens.map(\.range.upperBound).max() ?? 0)
    let found = thesaurus.matches(of: tokens).filter { $0.range == whole }
    // A drug asks for its class too; only the class itself asks for its members.
    let isDrug = found.contains { $0.kind == .brand }
    return found.filter { $0.kind == .brand || ($0.kind == .drug && !isDrug) }.map(\.phrase)
  }

  private func isMeant(_ concept: Int, among terms: Set<String>, species: Set<Species>) -> Bool {
    let row = concepts.rows[concept]
    let only = row.list("species").compactMap(Species.init(rawValue:))
    if !only.isEmpty, !species.isEmpty, species.isDisjoint(with: only) { return false }
    return row.list("unless").allSatisfy { word in
      !analyzer.tokens(in: word, keepingStopWords: true).allSatisfy { terms.contains($0.text) }
    }
  }

  private func append(
    _ phrase: String, weight: Double, row: String, range: Range<Int>, isAsked: Bool, isName: Bool,
    isContrary: Bool, to links: inout [Link]
  ) {
    let terms = Thesaurus.wholes(analyzer.tokens(in: phrase))
    // "Not eating" without its stop word is another thing.
    let isWhole =
      terms.count > 1 || !phrase.utf8.contains(0x20)
      || Thesaurus.wholes(analyzer.tokens(in: phrase, keepingStopWords: true)).count == 1
    guard !terms.isEmpty, isWhole else { return }
    links.append(
      Link(
        terms: terms, phrase: phrase, weight: weight, row: row, range: range, isAsked: isAsked, isName: isName,
        isContrary: isContrary))
  }

  private static func distinct(_ links: [Link], known: Set<String>) -> [Link] {
    struct Key: Hashable {
      let terms: [String]
      let range: Range<Int>
    }
    var places: [Key: Int] = [:]
    var result: [Link] = []
    for link in links where !link.terms.allSatisfy(known.contains) {
      let key = Key(terms: link.terms, range: link.range)
      if let place = places[key] {
        if result[place].weight < link.weight { result[place] = link }
      } else {
        places[key] = result.count
        result.append(link)
      }
    }
    return result
  }

  private static let drugMark = UInt8(ascii: "=")
}

extension ConceptMap {
  package func pack(into packer: inout Packer) {
    concepts.pack(into: &packer)
    relations.pack(into: &packer)
    packer.add(list: kinds) { $1.pack(into: &$0) }
    sameness.pack(into: &packer)
    packer.add(list: related) { packer, rows in
      packer.add(all: rows.flatMap { [UInt32($0.row), UInt32($0.relation)] })
    }
    let ids = places.sorted { $0.value < $1.value }
    packer.add(all: ids.map(\.key))
    packer.add(all: ids.map { UInt32($0.value) })
    names.pack(into: &packer)
    facets.pack(into: &packer)
  }

  /// With the analyzer that the names were added with.
  package init(from unpacker: inout Unpacker, analyzer: Analyzer) throws(PackingError) {
    concepts = try DataTable(from: &unpacker)
    relations = try DataTable(from: &unpacker)
    kinds = try unpacker.list { unpacker throws(PackingError) in try Relation(from: &unpacker) }
    sameness = try Relation(from: &unpacker)
    related = try unpacker.list { unpacker throws(PackingError) in
      let numbers = try unpacker.all(UInt32.self)
      return stride(from: 0, to: numbers.count - 1, by: 2).map { (Int(numbers[$0]), Int(numbers[$0 + 1])) }
    }
    let (keys, numbers) = (try unpacker.all(UInt64.self), try unpacker.all(UInt32.self))
    places = Dictionary(zip(keys, numbers.lazy.map(Int.init)), uniquingKeysWith: { first, _ in first })
    names = try FormFinder(from: &unpacker, analyzer: analyzer)
    facets = try FormFinder(from: &unpacker, analyzer: analyzer)
    self.analyzer = analyzer
  }
}

extension ConceptMap.Relation: Packable {
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
