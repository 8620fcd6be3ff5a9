public import Clinical

/// Finds the signs, problems, procedures, tests and exposures of `findings.tsv` in a text, each with its assertion.
///
///     extractor.findings(in: "C/S/V/D: nil. Lame LH since Sunday")   // cough, sneezing, … absent; lameness present
///
/// Where forms overlap the longest wins, so "urinary tract infection" is one finding. Findings come in text order.
public struct FindingExtractor: Sendable {
  private struct Concept: Sendable {
    let id: String
    let name: String
    /// nil for words that only look like a finding.
    let kind: FindingKind?
    let system: String
    let isChronic: Bool
  }

  /// A way to write a concept.
  private struct Form: Sendable {
    let concept: Int
    /// The spelling that must be matched byte for byte; nil when case does not matter.
    let exact: [UInt8]?
    /// A single letter that is a sign only in a notation: V+, V/D, no V.
    let isLetter: Bool
  }

  public let classifier: AssertionClassifier
  /// The version of the table, from its head.
  public let version: String
  private let concepts: [Concept]
  private let forms: [Form]
  private let matcher: PhraseMatcher
  private let letters: Set<UInt64>
  private let ambiguous: AmbiguousForms?
  private let indexOfConcept: [String: Int]

  /// - Parameters:
  ///   - table: `findings.tsv`.
  ///   - classifier: judges what the text says about each finding.
  ///   - ambiguous: `ambiguous.tsv`; without it shorthand is always taken for the finding.
  /// - Throws: ``DataTableError`` for an unknown kind or a form without words.
  public init(
    table: DataTable, classifier: AssertionClassifier, ambiguous: DataTable? = nil
  ) throws(DataTableError) {
    var concepts: [Concept] = []
    var forms: [Form] = []
    let classes = classifier.wordClasses
    var matcher = PhraseMatcher(allowsPlural: true, passingOver: .article)
    var letters: Set<UInt64> = []
    for row in table.rows {
      let kind = FindingKind(rawValue: row["kind"])
      guard kind != nil || row["kind"] == "none" else { throw row.error("kind", "is no kind of finding") }
      for written in row.list("forms") {
        let isExact = written.hasPrefix("=")
        let isLetter = written.hasPrefix("^")
        let plain = isExact || isLetter ? String(written.dropFirst()) : written
        for spelling in Self.inflections(of: plain) {
          let form = Form(concept: concepts.count, exact: isExact ? Array(spelling.utf8) : nil, isLetter: isLetter)
          guard matcher.add(spelling, payload: forms.count, classes: classes) else {
            throw row.error("forms", "has '\(written)', which has no words")
          }
          if isLetter { letters.insert(Spelling.hash(spelling)) }
          forms.append(form)
        }
      }
      concepts.append(
        Concept(
          id: row["id"], name: row["name"], kind: kind, system: row["system"], isChronic: row["course"] == "chronic"))
    }
    self.concepts = concepts
    self.forms = forms
    self.matcher = matcher
    self.letters = letters
    indexOfConcept = Self.places(concepts)
    if let ambiguous { self.ambiguous = try AmbiguousForms(table: ambiguous) } else { self.ambiguous = nil }
    self.classifier = classifier
    version = table.metadata["version"] ?? ""
  }

  /// The findings of a text.
  ///
  /// - Complexity: O(bytes): one pass for the words, one for the findings, and for each finding the cues of its
  ///   sentence.
  public func findings(in text: String) -> [Finding] {
    findings(in: classifier.context(of: text))
  }

  /// The findings of a text that was read before, for instance by the classifier.
  public func findings(in context: AssertionContext) -> [Finding] {
    let text = context.text
    var result: [Finding] = []
    var index = 0
    while index < text.words.count {
      let found = matcher.matches(at: index, in: text).filter { accepts(forms[$0.payload], index..<$0.end, text) }
      guard let end = found.map(\.end).max(), let best = found.first(where: { $0.end == end }) else {
        index += 1
        continue
      }
      if let (concept, candidates) = meaning(of: forms[best.payload].concept, index..<end, text),
        let kind = concept.kind
      {
        result.append(
          Finding(
            concept: concept.id, name: concept.name, kind: kind, system: concept.system,
            isChronic: concept.isChronic, range: text.byteRange(of: index..<end),
            assertion: classifier.assertion(ofWords: index..<end, in: context), candidates: candidates))
      }
      index = end
    }
    return result
  }

  /// The concept that words mean here; nil when they mean no finding.
  private func meaning(
    of index: Int, _ words: Range<Int>, _ text: ScannedText
  ) -> (concept: Concept, candidates: [String])? {
    let concept = concepts[index]
    guard words.count == 1, let ambiguous else { return (concept, []) }
    switch ambiguous.verdict(at: words.lowerBound, in: text, readAs: concept.id) {
    case .asRead: return (concept, [])
    case .noFinding: return nil
    case .open(let candidates): return (concept, candidates)
    case .concept(let id): return (indexOfConcept[id].map { concepts[$0] } ?? concept, [])
    }
  }

  /// "cough~" is cough, coughed and coughing; "collapse~" collapse, collapsed and collapsing.
  static func inflections(of form: String) -> [String] {
    guard form.hasSuffix("~") else { return [form] }
    let stem = String(form.dropLast())
    if stem.hasSuffix("e") { return [stem, stem + "d", stem.dropLast() + "ing"] }
    let doubled = stem.hasSuffix("g") || stem.hasSuffix("p") ? [stem + String(stem.suffix(1)) + "ing"] : []
    return [stem, stem + "ed", stem + "ing"] + doubled
  }

  private func accepts(_ form: Form, _ words: Range<Int>, _ text: ScannedText) -> Bool {
    if let exact = form.exact {
      let range = text.byteRange(of: words)
      let slice = text.bytes[range]
      return slice.elementsEqual(exact) || (slice.last == 0x73 && slice.dropLast().elementsEqual(exact))
    }
    return !form.isLetter || isNotation(words.lowerBound, text)
  }

  /// Whether the single letter at `index` is written as a sign: with its own plus or minus, in a row of such letters,
  /// or after "no".
  private func isNotation(_ index: Int, _ text: ScannedText) -> Bool {
    func word(_ at: Int) -> Word? { text.words.indices.contains(at) ? text.words[at] : nil }
    func isLetter(_ at: Int) -> Bool { word(at).map { letters.contains($0.hash) } ?? false }
    func isSign(_ at: Int, _ signs: [UInt8]) -> Bool {
      word(at).map { $0.kind == .symbol && signs.contains(text.bytes[Int($0.start)]) } ?? false
    }
    let isUpper = text.words[index].flags.contains(.upperCase)
    if let next = word(index + 1), next.hash == Sign.plus || (next.hash == Sign.minus && isUpper) { return true }
    if isSign(index + 1, [0x2F]) && isLetter(index + 2) { return true }
    if isSign(index - 1, [0x2F]) && isLetter(index - 2) { return true }
    // "no v, d or cough": after a negation, and on through the enumeration.
    let negations = Self.negations
    if let before = word(index - 1), negations.contains(before.hash) {
      return isUpper || isSign(index + 1, [0x2C, 0x2F])
    }
    if isSign(index - 1, [0x2C]) && isLetter(index - 2) { return true }
    if let before = word(index - 1), before.hash == Self.or || before.hash == Self.and { return isLetter(index - 2) }
    return isUpper && (word(index + 1).map { Self.counts.contains($0.hash) } ?? false)
  }

  private static let or = Spelling.hash("or")
  private static let and = Spelling.hash("and")
  private static let negations = Set(["no", "nil", "any", "denies"].map { Spelling.hash($0) })
  private static let counts = Set(["x2", "x3", "x4", "x5", "x6", "x1"].map { Spelling.hash($0) })
}

extension FindingExtractor {
  func pack(into packer: inout Packer) {
    packer.add(version)
    packer.add(list: concepts) { packer, concept in
      for text in [concept.id, concept.name, concept.kind?.rawValue ?? "", concept.system] { packer.add(text) }
      packer.add(concept.isChronic)
    }
    packer.add(list: forms) { packer, form in
      packer.add(UInt32(form.concept))
      packer.add(all: form.exact ?? [])
      packer.add(form.isLetter)
    }
    matcher.pack(into: &packer)
    packer.add(all: letters.sorted())
  }

  /// With the classifier whose word classes the forms were added with.
  init(
    from unpacker: inout Unpacker, classifier: AssertionClassifier, ambiguous: AmbiguousForms?
  ) throws(PackingError) {
    version = try unpacker.text()
    concepts = try unpacker.list { unpacker throws(PackingError) in
      let (id, name) = (try unpacker.text(), try unpacker.text())
      let kind = FindingKind(rawValue: try unpacker.text())
      return Concept(id: id, name: name, kind: kind, system: try unpacker.text(), isChronic: try unpacker.flag())
    }
    forms = try unpacker.list { unpacker throws(PackingError) in
      let concept = Int(try unpacker.value(UInt32.self))
      let exact = try unpacker.all(UInt8.self)
      return Form(concept: concept, exact: exact.isEmpty ? nil : exact, isLetter: try unpacker.flag())
    }
    matcher = try PhraseMatcher(from: &unpacker)
    letters = Set(try unpacker.all(UInt64.self))
    indexOfConcept = Self.places(concepts)
    self.ambiguous = ambiguous
    self.classifier = classifier
  }

  private static func places(_ concepts: [Concept]) -> [String: Int] {
    var places: [String: Int] = [:]
    for (index, concept) in concepts.enumerated() { places[concept.id] = index }
    return places
  }
}
