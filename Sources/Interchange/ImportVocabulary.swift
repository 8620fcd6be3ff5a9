public import Clinical

/// What other programs call the import format's columns and words, from `Models/import/`.
public struct ImportVocabulary: Sendable {
  /// A heading's meaning, and how exactly it says so: 0 for the format's own name, then by position in the table.
  struct Meaning: Equatable, Sendable {
    let field: String
    let rank: Int
  }

  private var headings: [ImportKind: [String: Meaning]] = [:]
  private var words: [String: [String: String]] = [:]
  /// What other programs write where they have nothing, letter for letter: `NULL` is none, `Null` is a surname.
  private var nothings: [String: String] = [:]
  /// The list of ``nothings``.
  private static let nothing = "nothing"

  /// Builds the vocabulary.
  ///
  /// - Parameters:
  ///   - headers: `header-aliases.tsv`: per kind and field the headings that mean it, the surest first.
  ///   - values: `value-aliases.tsv`: per list of words the synonyms of each.
  /// - Throws: ``DataTableError`` for an unknown kind or field, and for a heading or word with two meanings.
  public init(headers: DataTable, values: DataTable) throws(DataTableError) {
    for kind in ImportKind.allCases {
      for field in kind.fields + kind.extraFields {
        headings[kind, default: [:]][Self.normalize(field)] = Meaning(field: field, rank: 0)
      }
    }
    for row in headers.rows {
      guard let kind = ImportKind(rawValue: row["kind"]) else { throw row.error("kind", "is no kind of row") }
      guard (kind.fields + kind.extraFields).contains(row["field"]) else {
        throw row.error("field", "is no field of \(kind.rawValue)")
      }
      for (position, alias) in row.list("aliases").enumerated() {
        let meaning = Meaning(field: row["field"], rank: position + 1)
        let known = headings[kind]?.updateValue(meaning, forKey: Self.normalize(alias))
        if known != nil { throw row.error("aliases", "gives '\(alias)' a second meaning") }
      }
    }
    for row in values.rows {
      for alias in [row["value"]] + row.list("aliases") {
        if row["list"] == Self.nothing {
          nothings[alias] = row["value"]
          continue
        }
        let known = words[row["list"], default: [:]].updateValue(row["value"], forKey: Self.normalize(alias))
        if known != nil { throw row.error("aliases", "gives '\(alias)' a second meaning") }
      }
    }
  }

  /// The field that a heading names, nil when it is none of the kind's.
  func meaning(ofHeading heading: String, in kind: ImportKind) -> Meaning? {
    headings[kind]?[Self.normalize(heading)]
  }

  /// The field that a heading names, nil when it is none of the kind's.
  public func field(ofHeading heading: String, in kind: ImportKind) -> String? {
    meaning(ofHeading: heading, in: kind)?.field
  }

  /// The format's word for `text` in one of its lists, such as `note_kind`.
  func word(for text: String, in list: String) -> String? {
    list == Self.nothing ? nothings[text] : words[list]?[Self.normalize(text)]
  }

  /// Whether a value is another program's word for none; signs such as a dash are one in a cell, which has no null of its own.
  func isNothing(_ text: String, isCell: Bool) -> Bool {
    let text = text.trimmingSpaces()
    return nothings[text] != nil && (isCell || text.contains { $0.isLetter || $0.isNumber })
  }

  /// The word of a list that `text` may be meant for: the one that all words beginning with it mean, else the nearest
  /// spelling; nil where several are as likely.
  func suggestion(for text: String, in list: String) -> String? {
    let word = Self.normalize(text)
    guard let known = words[list], word.utf8.count >= 2 else { return nil }
    let begun = Set(known.filter { $0.key.hasPrefix(word) }.values)
    if begun.count == 1 { return begun.first }
    guard begun.isEmpty else { return nil }
    return nearest(to: word, among: known.keys.sorted()).flatMap { known[$0] }
  }

  /// Lower case, letters and digits only: "Patient ID" and `patient_id` are one heading.
  static func normalize(_ heading: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(heading.utf8.count)
    for byte in heading.utf8 {
      switch byte {
      case 0x41...0x5A: result.append(byte + 0x20)
      case 0x30...0x39, 0x61...0x7A: result.append(byte)
      case 0x80...: result.append(byte)
      default: break
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
