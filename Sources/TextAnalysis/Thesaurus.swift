public import Clinical

/// A term that a question should also look for, and why.
public struct Expansion: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// An owner's word and a clinician's.
    case lay
    /// Two words of clinicians.
    case synonym
    /// A class of drugs and its members.
    case drug
    /// A drug and its brands.
    case brand
    case abbreviation
  }

  /// Analysed terms, as the index holds them; several for a phrase.
  public let terms: [String]
  /// The phrase as the table has it.
  public let phrase: String
  /// How much the phrase counts beside the question's own words, 0...1.
  public let weight: Double
  public let kind: Kind
  /// The id of the table row that says so.
  public let row: String
  /// The words of the question that gave rise to it, in UTF-8 bytes.
  public let range: Range<Int>
}

/// Words that mean the same to an owner, a vet and a label: `fits` and `seizures`, `water tablet` and `furosemide`.
///
/// The rows of `Models/lexicon/thesaurus.tsv`: `id`, `kind` (empty: an owner's word), `direction` (`both`: a form asks for every
/// other form and for the targets; `forward`: for the targets only; empty: forward where there are targets), `weight`, `forms`,
/// `targets` (separated by `|`), `source`, `example`, `negative_example`. Irregular words, whose forms stems keep apart, may come
/// from a table of their own, `Models/lexicon/irregular-forms.tsv`. Drugs come from `Models/formulary/drugs.tsv` and `drug-classes.tsv`: a drug, its other spellings
/// and brands stand for each other, a class and an owner's word for it ask for every member.
public struct Thesaurus: Sendable {
  struct Group: Sendable {
    let row: String
    let kind: Expansion.Kind
    let weight: Double
    let targets: [String]
  }

  /// A group before its words are wanted: where they stand in the tables.
  struct GroupPlace: Sendable {
    enum Source: Sendable {
      /// A row of the thesaurus; whether its forms are targets too.
      case row(Int, addsForms: Bool)
      /// All names of a drug.
      case drugNames(Int)
      /// The name of a drug's first class.
      case drugClass(Int)
    }

    let source: Source
    let kind: Expansion.Kind
    let weight: Double
  }

  private let rows: [DataTable.Row]
  private let drugs: DrugNames?
  private let tables: (rows: [DataTable], drugs: [DataTable])
  private let groups: [GroupPlace]
  private let forms: ThesaurusForms
  private let fillers: Set<String>
  private let analyzer: Analyzer

  /// - Parameters:
  ///   - table: the thesaurus.
  ///   - irregular: the forms of irregular words, rows like the thesaurus's.
  ///   - drugs: the formulary; see ``DrugNames``.
  ///   - classes: the names of the classes that the formulary's rows belong to.
  ///   - analyzer: the one that analyses the index.
  /// - Throws: ``DataTableError`` for a row that can't be used.
  public init(
    table: DataTable, irregular: DataTable? = nil, drugs: DataTable? = nil, classes: DataTable? = nil,
    analyzer: Analyzer
  ) throws(DataTableError) {
    var builder = ThesaurusBuilder(analyzer: analyzer)
    let rows = table.rows + (irregular?.rows ?? [])
    for (place, row) in rows.enumerated() { try builder.add(row, at: place) }
    self.drugs = try drugs.map { table throws(DataTableError) in try DrugNames(drugs: table, classes: classes) }
    if let drugs = self.drugs { builder.add(drugs: drugs) }
    self.rows = rows
    tables = ([table, irregular].compactMap(\.self), [drugs, classes].compactMap(\.self))
    groups = builder.groups
    forms = builder.forms
    fillers = FormFinder.fillers(of: analyzer)
    self.analyzer = analyzer
  }

  /// Sixteen hexadecimal digits that change with any cell of the tables. Worked out anew each time.
  public var checksum: String {
    var checksum = Checksum()
    for table in tables.rows + tables.drugs { checksum.add(table) }
    // Weights of drugs stand in the head of their table.
    for group in groups { checksum.add("\(group.weight) ".utf8) }
    return checksum.hexadecimal
  }

  private func group(_ index: Int) -> Group {
    let place = groups[index]
    switch place.source {
    case .row(let number, let addsForms):
      let row = rows[number]
      return Group(
        row: row["id"], kind: place.kind, weight: place.weight,
        targets: addsForms ? row.list("forms") + row.list("targets") : row.list("targets"))
    case .drugNames(let number), .drugClass(let number):
      guard let drug = drugs?.drug(number) else { preconditionFailure("a group of a drug without drugs") }
      let isOfNames = if case .drugNames = place.source { true } else { false }
      return Group(
        row: drug.id, kind: place.kind, weight: place.weight,
        targets: isOfNames ? drug.names : Array(drug.classNames.prefix(1)))
    }
  }

  /// What a question should also look for.
  ///
  ///     thesaurus.expansions(of: "when did the fits start?").map(\.phrase)  // seizure, convulsion, …
  public func expansions(of question: String) -> [Expansion] {
    expansions(of: analyzer.tokens(in: question, keepingStopWords: true))
  }

  /// What a question should also look for, from its analysed tokens.
  ///
  /// At each place the longest form wins; articles, possessives, persons and words of degree may stand inside it (`off
  /// his food`, `put him to sleep`).
  /// Phrases of which the question has every word already are left out; of two equal phrases the heavier stays.
  ///
  /// - Parameter tokens: from ``Analyzer/tokens(in:range:keepingStopWords:)`` with stop words kept. Without them, forms
  ///   that hold a stop word (`not eating`) are not found.
  /// - Returns: in the order of the question, then the table's.
  public func expansions(of tokens: [Token]) -> [Expansion] {
    Self.distinct(matches(of: tokens), known: Set(tokens.map(\.text)))
  }

  /// Everything that the rows add, also what the question has or another row adds too.
  public func matches(of tokens: [Token]) -> [Expansion] {
    var found: [Expansion] = []
    for match in FormFinder(forms: forms, fillers: fillers).matches(in: tokens) {
      for index in match.groups { append(group(index), range: match.range, to: &found) }
    }
    return found
  }

  /// The drugs whose names are a slip of the hand away from words of the question that are no names themselves.
  ///
  ///     thesaurus.misspeltDrugs(in: analyzer.tokens(in: "on metcam since May")).map(\.phrase)  // meloxicam, Metacam, …
  ///
  /// Whether such a word is meant as it stands is for the caller to know: `Marten` is a name near a drug's.
  ///
  /// - Returns: in the order of the question, then the table's; of several names only the nearest, of two as near the first
  ///   in the alphabet. The first two letters are trusted.
  public func misspeltDrugs(in tokens: [Token]) -> [Expansion] {
    let unknown = tokens.filter { EditDistance.isCorrectable($0.text) && !forms.begin(with: $0.text) }
    return unknown.flatMap { token in
      let limit = EditDistance.limit(for: token.text)
      let near = forms.firstTerms(near: token.text).compactMap { name in
        EditDistance.between(token.text, name, limit: limit).map { (distance: $0, name: name) }
      }
      for candidate in near.sorted(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) {
        let drugs = forms.patterns(beginningWith: candidate.name).filter { $0.terms.count == 1 }.flatMap(\.groups)
          .filter { groups[$0].kind == .brand }.map(group)
        if drugs.isEmpty { continue }
        var found: [Expansion] = []
        for drug in drugs { append(drug, range: token.range, to: &found) }
        return found
      }
      return []
    }
  }

  private func append(_ group: Group, range: Range<Int>, to found: inout [Expansion]) {
    for target in group.targets {
      let terms = Self.wholes(analyzer.tokens(in: target))
      guard !terms.isEmpty else { continue }
      found.append(
        Expansion(
          terms: terms, phrase: target, weight: group.weight, kind: group.kind, row: group.row, range: range))
    }
  }

  /// The terms of compounds as wholes, without their parts and without what shorthand adds to them.
  static func wholes(_ tokens: [Token]) -> [String] {
    var terms: [String] = []
    var covered = 0
    for token in tokens where token.range.lowerBound >= covered {
      terms.append(token.text)
      covered = token.range.upperBound
    }
    return terms
  }

  static func distinct(_ expansions: [Expansion], known: Set<String>) -> [Expansion] {
    var places: [[String]: Int] = [:]
    var result: [Expansion] = []
    for expansion in expansions where !expansion.terms.allSatisfy(known.contains) {
      if let place = places[expansion.terms] {
        if result[place].weight < expansion.weight { result[place] = expansion }
      } else {
        places[expansion.terms] = result.count
        result.append(expansion)
      }
    }
    return result
  }
}

extension Thesaurus {
  package func pack(into packer: inout Packer) {
    packer.add(list: tables.rows) { $1.pack(into: &$0) }
    packer.add(list: tables.drugs) { $1.pack(into: &$0) }
    drugs?.pack(into: &packer)
    packer.add(list: groups) { $1.pack(into: &$0) }
    forms.pack(into: &packer)
    packer.add(set: fillers)
  }

  /// With the analyzer that the forms were added with.
  package init(from unpacker: inout Unpacker, analyzer: Analyzer) throws(PackingError) {
    tables = (
      try unpacker.list { unpacker throws(PackingError) in try DataTable(from: &unpacker) },
      try unpacker.list { unpacker throws(PackingError) in try DataTable(from: &unpacker) }
    )
    rows = tables.rows.flatMap(\.rows)
    if let names = tables.drugs.first {
      drugs = try DrugNames(unpacked: names, classes: tables.drugs.dropFirst().first, from: &unpacker)
    } else {
      drugs = nil
    }
    groups = try unpacker.list { unpacker throws(PackingError) in try GroupPlace(from: &unpacker) }
    forms = try ThesaurusForms(from: &unpacker, analyzer: analyzer)
    fillers = try unpacker.set()
    self.analyzer = analyzer
  }
}

extension Thesaurus.GroupPlace: Packable {
  func pack(into packer: inout Packer) {
    let (tag, number): (UInt8, Int) =
      switch source {
      case .row(let row, let addsForms): (addsForms ? 1 : 0, row)
      case .drugNames(let drug): (2, drug)
      case .drugClass(let drug): (3, drug)
      }
    packer.add(tag)
    packer.add(UInt32(number))
    packer.add(UInt8(Expansion.Kind.allCases.firstIndex(of: kind) ?? 0))
    packer.add(weight)
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    let tag = try unpacker.value(UInt8.self)
    let number = Int(try unpacker.value(UInt32.self))
    switch tag {
    case 0, 1: source = .row(number, addsForms: tag == 1)
    case 2: source = .drugNames(number)
    case 3: source = .drugClass(number)
    default: throw PackingError()
    }
    let kind = Int(try unpacker.value(UInt8.self))
    guard Expansion.Kind.allCases.indices.contains(kind) else { throw PackingError() }
    self.kind = Expansion.Kind.allCases[kind]
    weight = try unpacker.value()
  }
}
