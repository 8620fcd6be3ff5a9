import Clinical

/// A drug of `formulary/drugs.tsv`.
struct DrugEntry: Sendable {
  let id: String
  let generic: String
  let classes: [String]
}

/// A drug's name in a text.
struct DrugMention: Sendable {
  let drug: DrugEntry
  /// As the table writes the name, when it is a brand.
  let brand: String?
  let words: Range<Int>
}

/// Finds drugs by generic name, spelling, short form, brand and owner's word.
struct DrugLexicon: Sendable {
  private struct Name: Sendable {
    let drug: Int
    let brand: String?
    /// Must be matched byte for byte: short forms with capitals ("SAMe", "PEG").
    let exact: [UInt8]?
    /// A brand that is an ordinary word: only with a capital within a sentence, or before a dose.
    let isEveryday: Bool
  }

  private var drugs: [DrugEntry] = []
  private var names: [Name] = []
  private var matcher = PhraseMatcher(allowsPlural: false)

  init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      let index = drugs.count
      let everyday = Set(row.list("everyday_words").map { $0.lowercased() })
      drugs.append(DrugEntry(id: row["id"], generic: row["generic"], classes: row.list("classes") + row.list("class")))
      let brands = row.list("brands") + row.list("brands_uk") + row.list("brands_us")
      let plain = [row["generic"]] + row.list("spellings") + row.list("short") + row.list("lay") + row.list("lay_names")
      for (form, isBrand) in plain.map({ ($0, false) }) + brands.map({ ($0, true) }) {
        let isShort = row.list("short").contains(form) && form != form.lowercased()
        let name = Name(
          drug: index, brand: isBrand ? form : nil, exact: isShort ? Array(form.utf8) : nil,
          isEveryday: everyday.contains(form.lowercased()))
        guard matcher.add(form, payload: names.count, classes: nil) else {
          throw row.error("generic", "has a name '\(form)' without words")
        }
        names.append(name)
      }
    }
  }

  /// The drugs named in a text, in order.
  func mentions(in text: ScannedText) -> [DrugMention] {
    var result: [DrugMention] = []
    var index = 0
    while index < text.words.count {
      let found = matcher.matches(at: index, in: text).filter { accepts(names[$0.payload], index..<$0.end, text) }
      guard let end = found.map(\.end).max(), let best = found.first(where: { $0.end == end }) else {
        index += 1
        continue
      }
      let name = names[best.payload]
      result.append(DrugMention(drug: drugs[name.drug], brand: name.brand, words: index..<end))
      index = end
    }
    return result
  }

  private func accepts(_ name: Name, _ words: Range<Int>, _ text: ScannedText) -> Bool {
    if let exact = name.exact { return text.bytes[text.byteRange(of: words)].elementsEqual(exact) }
    guard name.isEveryday else { return true }
    let first = text.words[words.lowerBound]
    let startsSentence = text.sentence(ofWord: words.lowerBound).lowerBound == words.lowerBound
    let beforeNumber = words.upperBound < text.words.count && text.words[words.upperBound].kind == .number
    return first.flags.contains(.capitalised) && (!startsSentence || beforeNumber)
  }
}

/// Reads what stands around a drug's name: dose, route, frequency, what was done.
struct DrugReader: Sendable {
  let lexicon: DrugLexicon
  let phrases: ContextPhrases
  let parser: QuantityParser

  func facts(of mentions: [DrugMention], in context: FactContext) -> [Fact] {
    mentions.indices.map { index in
      let before = index > 0 ? mentions[index - 1].words.upperBound : 0
      let after = index + 1 < mentions.count ? mentions[index + 1].words.lowerBound : context.text.words.count
      return fact(mentions[index], between: before..<after, in: context)
    }
  }

  private func fact(_ mention: DrugMention, between limits: Range<Int>, in context: FactContext) -> Fact {
    let text = context.text
    let sentence = text.sentence(ofWord: mention.words.lowerBound)
    let ahead = mention.words.upperBound..<min(limits.upperBound, sentence.upperBound, mention.words.upperBound + 30)
    let behind = max(limits.lowerBound, sentence.lowerBound, mention.words.lowerBound - 8)..<mention.words.lowerBound
    var fact = Fact(
      kind: kind(of: mention.drug), name: mention.drug.generic, range: text.byteRange(of: mention.words),
      assertion: context.assertion(of: mention.words), attributes: ["drug": mention.drug.id])
    fact.attributes["brand"] = mention.brand

    let hits = phrases.hits(in: ahead, of: text, axes: ["frequency", "route"])
    let frequency = hits.first { $0.axis == "frequency" }
    fact.attributes["frequency"] = frequency?.value
    fact.attributes["route"] = hits.first { $0.axis == "route" }?.value
    readQuantities(ahead, behind, frequency: frequency, into: &fact, context)
    fact.attributes["action"] = action(mention, ahead, behind, fact.assertion, context)
    return fact
  }

  private func kind(of drug: DrugEntry) -> FactKind {
    if drug.classes.contains(where: { $0.hasPrefix("vaccine") }) { return .vaccination }
    return drug.classes.contains { Self.parasiteClasses.contains($0) } ? .parasiteControl : .drug
  }

  private static let parasiteClasses: Set<String> = [
    "antiparasitic", "flea", "wormer", "heartwormprev", "isoxazoline", "lungworm",
  ]

  // MARK: - Doses

  private func readQuantities(
    _ ahead: Range<Int>, _ behind: Range<Int>, frequency: ContextPhrases.Hit?, into fact: inout Fact,
    _ context: FactContext
  ) {
    var doses: [(quantity: Quantity, words: Range<Int>)] = []
    for found in quantities(in: ahead, context) {
      let text = context.string(bytes: found.quantity.range)
      switch found.quantity.dimension {
      case "strength": fact.attributes["strength"] = fact.attributes["strength"] ?? text
      case "dose rate", "units rate", "volume rate", "infusion rate":
        if fact.attributes["dose_rate"] == nil {
          fact.attributes["dose_rate"] = text
          if doses.isEmpty { doses.append(found) }
        }
      case "drug mass" where isStrength(found.words.upperBound, context):
        fact.attributes["strength"] = fact.attributes["strength"] ?? text
      case "drug mass", "volume", "units", "count": doses.append(found)
      case "mass" where found.quantity.unit == "g": doses.append(found)
      case "time" where fact.attributes["duration"] == nil && isDuration(found.words, context):
        fact.attributes["duration"] = text
      default: break
      }
    }
    fact.attributes["quantity"] = count(in: ahead, context)
    // What stands last before the frequency is taken each time: "7.4 mg today then 3.7 mg SID".
    let beforeFrequency = frequency.flatMap { hit in doses.last { $0.words.upperBound <= hit.words.lowerBound } }
    let adjacent = quantities(in: behind, context).last { found in
      let gap = behind.upperBound - found.words.upperBound
      let isDose = ["drug mass", "volume", "units", "count", "dose rate"].contains(found.quantity.dimension)
      return isDose && (gap == 0 || (gap <= 2 && context.byte(found.words.upperBound) | 0x20 == 0x6F))
    }
    let isNear = doses.first.map { $0.words.lowerBound - ahead.lowerBound <= 3 } ?? false
    guard let dose = isNear ? beforeFrequency ?? doses.first : adjacent ?? beforeFrequency ?? doses.first else {
      return
    }
    fact.original = dose.quantity
    fact.valueRange = dose.quantity.range
    fact.attributes["dose"] = context.string(bytes: dose.quantity.range)
    if let converted = parser.units.converted(dose.quantity.value, from: dose.quantity.unit) {
      fact.value = converted.value
      fact.unit = converted.unit
    }
  }

  private func quantities(in range: Range<Int>, _ context: FactContext) -> [(quantity: Quantity, words: Range<Int>)] {
    var result: [(quantity: Quantity, words: Range<Int>)] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if let (quantity, end) = parser.quantity(at: index, in: context.text) ?? spelledCount(at: index, context),
        !quantity.unit.isEmpty, end <= range.upperBound
      {
        result.append((quantity, index..<end))
        index = end
      } else {
        index += 1
      }
    }
    return result
  }

  /// "one tablet", "half a tab".
  private func spelledCount(at index: Int, _ context: FactContext) -> (quantity: Quantity, end: Int)? {
    let text = context.text
    guard text.words[index].kind == .word, let value = Self.numbers[text.words[index].hash] else { return nil }
    var unitIndex = index + 1
    if unitIndex < text.words.count, Self.articles.contains(text.words[unitIndex].hash) { unitIndex += 1 }
    guard let (unit, end) = parser.units.unit(at: unitIndex, in: text), unit.dimension == "count" else { return nil }
    return (
      Quantity(value: value, unit: unit.name, dimension: unit.dimension, range: text.byteRange(of: index..<end)), end
    )
  }

  /// "5 mg tablets": what one tablet holds, not what is given.
  private func isStrength(_ index: Int, _ context: FactContext) -> Bool {
    guard let (unit, _) = parser.units.unit(at: index, in: context.text) else { return false }
    return unit.dimension == "count"
  }

  private func isDuration(_ words: Range<Int>, _ context: FactContext) -> Bool {
    let text = context.text
    if words.upperBound < text.words.count, Self.noDuration.contains(text.words[words.upperBound].hash) { return false }
    guard words.lowerBound > 0 else { return false }
    let before = text.words[words.lowerBound - 1]
    return before.kind == .word || before.kind == .symbol || before.kind == .number
  }

  /// How many were handed out: "x20", "x 28", "112 tablets" are told by the sign or the count.
  private func count(in range: Range<Int>, _ context: FactContext) -> String? {
    let text = context.text
    for index in range where text.words[index].hash == Self.times {
      guard let (value, end) = parser.number(at: index + 1, in: text), end <= range.upperBound else { continue }
      if let (unit, _) = parser.units.unit(at: end, in: text), unit.dimension != "count" { continue }
      if value == value.rounded() { return String(Int(min(value, 1e9))) }
    }
    return nil
  }

  // MARK: - Actions

  private func action(
    _ mention: DrugMention, _ ahead: Range<Int>, _ behind: Range<Int>, _ assertion: Assertion, _ context: FactContext
  ) -> String? {
    if assertion.polarity == .absent {
      return assertion.cues.contains { $0.rule.hasPrefix("declined") } ? "declined" : "not given"
    }
    let before = phrases.nearest(to: mention.words, in: behind, of: context.text, axis: "action")
    let after = phrases.nearest(to: mention.words, in: ahead, of: context.text, axis: "action")
    if assertion.temporality == .historical,
      let stopped = [before, after].compactMap({ $0 }).first(where: { $0.value == "stopped" })
    {
      return stopped.value
    }
    if let before, mention.words.lowerBound - before.words.upperBound <= 3 { return before.value }
    if let after { return after.value }
    if let before { return before.value }
    switch context.kind {
    case .prescription: return "dispensed"
    case .surgery: return "given"
    default: return nil
    }
  }

  private static let numbers: [UInt64: Double] = Dictionary(
    uniqueKeysWithValues: [
      ("half", 0.5), ("quarter", 0.25), ("one", 1.0), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6),
    ].map { (Spelling.hash($0.0), $0.1) })
  private static let articles = Set(["a", "of"].map { Spelling.hash($0) })
  private static let noDuration = Set(["ago", "old", "of", "before", "after"].map { Spelling.hash($0) })
  private static let times = Spelling.hash("x")
}
