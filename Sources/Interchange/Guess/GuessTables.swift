public import Clinical

/// What a guess at another program's export knows, from `Models/import/`.
public struct GuessTables: Sendable {
  /// A field that a column may fill, and what tells it.
  struct Field: Sendable {
    let name: String
    /// Each some meanings of ``HeadingWords``.
    let headings: [[String]]
    let values: ValueSort
  }

  let words: HeadingWords
  let codes: CodeBook
  let fields: [MappedKind: [Field]]
  /// What files of a kind are called.
  let fileNames: [MappedKind: [[String]]]
  let vocabulary: ImportVocabulary

  /// - Parameters:
  ///   - words: `heading-words.tsv`.
  ///   - fields: `guess-fields.tsv`.
  ///   - values: `guess-values.tsv`.
  ///   - vocabulary: what the import itself understands.
  /// - Throws: ``DataTableError`` for an unknown kind, meaning or sort of values.
  public init(
    words: DataTable, fields: DataTable, values: DataTable, vocabulary: ImportVocabulary
  ) throws(DataTableError) {
    let headingWords = try HeadingWords(words)
    var all: [MappedKind: [Field]] = [:]
    var names: [MappedKind: [[String]]] = [:]
    for row in fields.rows {
      guard let kind = MappedKind(rawValue: row["kind"]) else { throw row.error("kind", "is no kind of table") }
      let headings = row.list("headings").map { $0.split(separator: " ").map(String.init) }
      for meaning in headings.joined() where !headingWords.knows(meaning) && meaning != "field" {
        throw row.error("headings", "has '\(meaning)', which heading-words.tsv doesn't know")
      }
      if row["field"] == "file" {
        names[kind] = headings
        continue
      }
      guard let sort = ValueSort(row["values"]) else { throw row.error("values", "is no sort of values") }
      all[kind, default: []].append(Field(name: row["field"], headings: headings, values: sort))
    }
    self.words = headingWords
    self.fields = all
    fileNames = names
    self.vocabulary = vocabulary
    codes = try CodeBook(values, vocabulary: vocabulary)
  }
}

/// What a field's cells look like.
enum ValueSort: Equatable, Sendable {
  case id, name, given, phone, email, address, words, prose, date, time, weight, unit, chip, dead, neutered, sex
  case minutes, count, hours
  /// One of a list of ``CodeBook``.
  case code(String)
  /// An id of another table.
  case reference(MappedKind)
  /// A name of another table.
  case nameOf(MappedKind)

  init?(_ word: String) {
    let plain: [String: Self] = [
      "id": .id, "name": .name, "given": .given, "phone": .phone, "email": .email, "address": .address,
      "words": .words, "prose": .prose, "date": .date, "time": .time, "weight": .weight, "unit": .unit, "chip": .chip,
      "dead": .dead, "neutered": .neutered, "sex": .sex, "minutes": .minutes, "count": .count, "hours": .hours,
    ]
    let lists = [
      "species": "species", "note_kind": "note_kind", "visit_type": "visit_type", "status": "appointment_status",
      "role": "staff_role", "weekday": "weekday", "channel": "channel",
    ]
    let parts = word.split(separator: " ")
    if let sort = plain[word] {
      self = sort
    } else if let list = lists[word] {
      self = .code(list)
    } else if parts.count == 2, let kind = MappedKind(rawValue: String(parts[1])), parts[0].hasPrefix("ref") {
      self = parts[0] == "ref" ? .reference(kind) : .nameOf(kind)
    } else {
      return nil
    }
  }
}
