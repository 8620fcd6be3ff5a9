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

  /// What a kind of a kind, and a name that the formulary adds, keep of the weight.
  private static let inheritance = 0.95
  /// Kinds of kinds are followed so far.
  private static let depth = 3

  private let concepts: DataTable
  private let places: [UInt64: Int]
  private let names: FormFinder
  private let relations: ConceptRelations
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
    self.concepts = concepts
    self.places = places
    self.names = FormFinder(forms: names, fillers: FormFinder.fillers(of: analyzer))
    self.relations = try ConceptRelations(table: relations, words: words, concepts: places, analyzer: analyzer)
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
    let asking = relations.asking(in: plain, besides: found)
    let terms = Set(plain.map(\.text))
    var links: [Link] = []
    for match in found {
      for group in match.groups where isMeant(group / 2, among: terms, species: species) {
        append(of: group / 2, isNamed: group.isMultiple(of: 2), match, asking: asking, thesaurus, to: &links)
      }
    }
    return Self.distinct(links, known: terms)
  }

  private func append(
    of concept: Int, isNamed: Bool, _ match: FormFinder.Match, asking: [FormFinder.Match],
    _ thesaurus: Thesaurus, to links: inout [Link]
  ) {
    let id = concepts.rows[concept]["id"]
    for name in concepts.rows[concept].list("names") {
      append(
        name, weight: relations.weightOfName(isNamed: isNamed), row: id, range: match.range, isAsked: true,
        isName: true, isContrary: false, to: &links)
    }
    for relation in relations[concept] {
      let asked = relations.asked(relation, of: match, by: asking)
      let relationID = relations.row(relation)["id"]
      relations.row(relation).forEachPart("objects") { object in
        resolve(object, weight: asked.weight, depth: Self.depth, thesaurus) { phrase, weight in
          append(
            phrase, weight: weight, row: relationID, range: asked.range, isAsked: asked.isMeant, isName: false,
            isContrary: relations.kind(relation).isContrary, to: &links)
        }
      }
    }
  }

  /// Every name of an object, those of its kinds included.
  private func resolve(
    _ object: UnsafeBufferPointer<UInt8>, weight: Double, depth: Int, _ thesaurus: Thesaurus,
    _ body: (String, Double) -> Void
  ) {
    if object[0] == ConceptRelations.drugMark {
      let name = String(decoding: object.dropFirst(), as: UTF8.self)
      body(name, weight)
      for phrase in formularyNames(of: name, thesaurus) { body(phrase, weight * Self.inheritance) }
      return
    }
    guard let concept = places[FNV1a.hash(object)] else { return }
    for name in concepts.rows[concept].list("names") { body(name, weight) }
    guard depth > 1 else { return }
    for relation in relations[concept] where relations.kind(relation).isInherited {
      relations.row(relation).forEachPart("objects") {
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
}

extension ConceptMap {
  package func pack(into packer: inout Packer) {
    concepts.pack(into: &packer)
    let ids = places.sorted { $0.value < $1.value }
    packer.add(all: ids.map(\.key))
    packer.add(all: ids.map { UInt32($0.value) })
    names.pack(into: &packer)
    relations.pack(into: &packer)
  }

  /// With the analyzer that the names were added with.
  package init(from unpacker: inout Unpacker, analyzer: Analyzer) throws(PackingError) {
    concepts = try DataTable(from: &unpacker)
    let (keys, numbers) = (try unpacker.all(UInt64.self), try unpacker.all(UInt32.self))
    places = Dictionary(zip(keys, numbers.lazy.map(Int.init)), uniquingKeysWith: { first, _ in first })
    names = try FormFinder(from: &unpacker, analyzer: analyzer)
    relations = try ConceptRelations(from: &unpacker, analyzer: analyzer)
    self.analyzer = analyzer
  }
}
