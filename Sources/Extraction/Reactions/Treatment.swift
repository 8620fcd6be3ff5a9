public import Clinical

/// Finds the treatments that a question names, as notes' are found.
public struct TreatmentNames: Sendable {
  private let lexicon: TreatmentLexicon
  private let drugs: DrugLexicon
  private let classes: WordClasses

  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  public init(
    treatments: DataTable, drugClasses: DataTable, drugs: DataTable, classifier: AssertionClassifier
  ) throws(DataTableError) {
    lexicon = try TreatmentLexicon(treatments: treatments, classes: drugClasses)
    self.drugs = try DrugLexicon(table: drugs)
    classes = classifier.wordClasses
  }

  /// In the order of the text.
  ///
  /// - Complexity: O(words).
  public func treatments(in question: String) -> [Treatment] {
    let text = ScannedText(question, classes: classes)
    return lexicon.treatments(in: text, drugs: drugs.mentions(in: text))
  }
}

/// What was given, as far as a note names it: a drug, a class of drugs, a vaccine, an anaesthetic, or a form that stands for one.
public struct Treatment: Sendable {
  public enum Kind: UInt8, Sendable, CaseIterable {
    case drug, drugClass, vaccine, anaesthesia, product

    /// As facts are stored.
    public var code: String {
      switch self {
      case .drug: "drug"
      case .drugClass: "drugClass"
      case .vaccine: "vaccine"
      case .anaesthesia: "anaesthesia"
      case .product: "product"
      }
    }

    public init?(code: String) {
      guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
      self = kind
    }
  }

  public let kind: Kind
  /// The generic drug, the class's clinical name, `vaccine`, `anaesthesia`, or the form.
  public let name: String
  package let words: Range<Int>
  /// Of a drug: its classes in the formulary.
  var classes: [String] = []

  package init(kind: Kind, name: String, words: Range<Int>, classes: [String] = []) {
    self.kind = kind
    self.name = name
    self.words = words
    self.classes = classes
  }
}

/// Finds treatments. Data: `extraction/treatments.tsv`, and the classes and drugs of the formulary.
package struct TreatmentLexicon: Sendable {
  private var names: [(kind: Treatment.Kind, name: String)] = []
  private var matcher = PhraseMatcher(allowsPlural: true)

  /// What every vaccine is called where one was not borne.
  private static let vaccine = "vaccine"

  private static func isVaccine(_ drugClass: String) -> Bool { drugClass.hasPrefix(vaccine) }

  private static let kinds: [String: Treatment.Kind] = [
    vaccine: .vaccine, "anaesthesia": .anaesthesia, "product": .product,
  ]

  /// - Throws: ``DataTableError`` for an unknown kind and for forms without words.
  init(treatments: DataTable, classes: DataTable) throws(DataTableError) {
    var known: Set<String> = []
    for row in treatments.rows {
      guard let kind = Self.kinds[row["kind"]] else {
        throw row.error("kind", "is none of \(Self.kinds.keys.sorted().joined(separator: ", "))")
      }
      let forms = row.list("forms")
      try add(kind, row["name"], forms, row)
      known.formUnion(forms)
    }
    for row in classes.rows {
      let names = row.list("names")
      guard let clinical = names.first else { throw row.error("names", "is empty") }
      // What a word means by itself goes before the class that owners call so: "injections" are no vaccines, "jabs" are, of whatever
      // animal.
      let forms = names.filter {
        !known.contains($0) && !known.contains($0.hasSuffix("s") ? String($0.dropLast()) : $0)
      }
      let isVaccine = Self.isVaccine(row["id"])
      try add(isVaccine ? .vaccine : .drugClass, isVaccine ? Self.vaccine : clinical, forms, row)
    }
  }

  private mutating func add(
    _ kind: Treatment.Kind, _ name: String, _ forms: [String], _ row: DataTable.Row
  ) throws(DataTableError) {
    for form in forms where !matcher.add(form, payload: names.count, classes: nil) {
      throw row.error("forms", "has '\(form)', which has no words")
    }
    names.append((kind, name))
  }

  /// The treatments named in a text, in order, without overlaps: a drug goes before its class, the longest before others.
  package func treatments(in text: ScannedText, drugs: [DrugMention]) -> [Treatment] {
    var result = drugs.map { mention in
      let isVaccine = mention.drug.classes.contains(where: Self.isVaccine)
      return Treatment(
        kind: isVaccine ? .vaccine : .drug, name: isVaccine ? Self.vaccine : mention.drug.generic, words: mention.words,
        classes: mention.drug.classes)
    }
    var taken = Set(drugs.flatMap { Array($0.words) })
    var index = 0
    while index < text.words.count {
      let found = taken.contains(index) ? [] : matcher.matches(at: index, in: text)
      guard let end = found.map(\.end).max(), let best = found.first(where: { $0.end == end }) else {
        index += 1
        continue
      }
      let words = index..<end
      if words.allSatisfy({ !taken.contains($0) }) {
        let (kind, name) = names[best.payload]
        result.append(Treatment(kind: kind, name: name, words: words))
        taken.formUnion(words)
      }
      index = end
    }
    return result.sorted { $0.words.lowerBound < $1.words.lowerBound }
  }
}

extension TreatmentLexicon: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: names) { packer, name in
      packer.add(name.kind.rawValue)
      packer.add(name.name)
    }
    matcher.pack(into: &packer)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    names = try unpacker.list { unpacker throws(PackingError) in
      guard let kind = Treatment.Kind(rawValue: try unpacker.value()) else { throw PackingError() }
      return (kind, try unpacker.text())
    }
    matcher = try PhraseMatcher(from: &unpacker)
  }
}

extension TreatmentNames {
  package func pack(into packer: inout Packer) {
    lexicon.pack(into: &packer)
    drugs.pack(into: &packer)
  }

  /// With the classifier whose word classes the names were made with.
  package init(from unpacker: inout Unpacker, classifier: AssertionClassifier) throws(PackingError) {
    lexicon = try TreatmentLexicon(from: &unpacker)
    drugs = try DrugLexicon(from: &unpacker)
    classes = classifier.wordClasses
  }
}
