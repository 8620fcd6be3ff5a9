import Clinical

/// A drug of `formulary/drugs.tsv`.
struct DrugEntry: Sendable {
  let id: String
  let generic: String
  let classes: [String]
}

/// A drug's name in a text.
package struct DrugMention: Sendable {
  let drug: DrugEntry
  /// As the table writes the name, when it is a brand.
  let brand: String?
  let words: Range<Int>
  /// What is done, where the words that stand for the drug say so themselves.
  var action: TreatmentAction?
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

  /// Every name of every drug in the table but for brands that are ordinary words.
  static func names(of table: DataTable) -> [String] {
    table.rows.flatMap { row in
      let everyday = Set(row.list("everyday_words").map { $0.lowercased() })
      let brands = row.list("brands") + row.list("brands_uk") + row.list("brands_us")
      let plain = [row["generic"]] + row.list("spellings") + row.list("short") + row.list("lay") + row.list("lay_names")
      return (plain + brands).filter { !everyday.contains($0.lowercased()) }
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

extension DrugLexicon: Packable {
  func pack(into packer: inout Packer) {
    packer.add(list: drugs) { packer, drug in
      packer.add(drug.id)
      packer.add(drug.generic)
      packer.add(texts: drug.classes)
    }
    packer.add(list: names) { packer, name in
      packer.add(UInt32(name.drug))
      packer.add(name.brand ?? "")
      packer.add(all: name.exact ?? [])
      packer.add(name.isEveryday)
    }
    matcher.pack(into: &packer)
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    drugs = try unpacker.list { unpacker throws(PackingError) in
      DrugEntry(id: try unpacker.text(), generic: try unpacker.text(), classes: try unpacker.texts())
    }
    names = try unpacker.list { unpacker throws(PackingError) in
      let drug = Int(try unpacker.value(UInt32.self))
      let brand = try unpacker.text()
      let exact = try unpacker.all(UInt8.self)
      return Name(
        drug: drug, brand: brand.isEmpty ? nil : brand, exact: exact.isEmpty ? nil : exact,
        isEveryday: try unpacker.flag())
    }
    matcher = try PhraseMatcher(from: &unpacker)
  }
}
