import Clinical

/// The head line of a table: its delimiter, and which column holds which field.
struct CSVHeader: Equatable {
  let delimiter: UInt8
  /// The columns as the file names them.
  let names: [String]
  /// Per column the field it fills; nil for a column that is ignored.
  let fields: [String?]
  /// Those that the table has a column for.
  let statedFields: Set<String>
  /// The columns with telephone numbers.
  private let phoneColumns: [Int]

  /// Comma first: of delimiters that fit equally well the commoner is meant.
  static let delimiters: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]

  /// Reads a head line for a kind of row.
  ///
  /// The delimiter is the one under which the most columns are known, then the one that gives the most columns.
  init(line: [UInt8], kind: ImportKind, vocabulary: ImportVocabulary, delimiter fixed: UInt8? = nil) {
    var best: (header: CSVHeader, known: Int)?
    for delimiter in fixed.map({ [$0] }) ?? Self.delimiters {
      var parser = CSVRecordParser(delimiter: delimiter)
      guard case .record(let cells) = parser.feed(line, ending: .none) else { continue }
      let names = cells.map { String(decoding: $0, as: UTF8.self).trimmingSpaces() }
      let header = CSVHeader(
        delimiter: delimiter, names: names, fields: Self.assign(names, kind: kind, vocabulary: vocabulary))
      let known = header.fields.count { $0 != nil }
      if let best, (best.known, best.header.names.count) >= (known, names.count) { continue }
      best = (header, known)
    }
    self = best?.header ?? CSVHeader(delimiter: Self.delimiters[0], names: [], fields: [])
  }

  /// The columns of a table that was read before.
  init(names: [String], delimiter: UInt8, kind: ImportKind, vocabulary: ImportVocabulary) {
    self.init(
      delimiter: delimiter, names: names, fields: Self.assign(names, kind: kind, vocabulary: vocabulary))
  }

  private init(delimiter: UInt8, names: [String], fields: [String?]) {
    self.delimiter = delimiter
    self.names = names
    self.fields = fields
    statedFields = Set(fields.compactMap { $0 })
    phoneColumns = fields.indices.filter { fields[$0] == "phone" }
  }

  /// Of two columns for one field the one that names it more exactly fills it, then the first. Telephone numbers are all
  /// kept: a client may have several.
  private static func assign(_ names: [String], kind: ImportKind, vocabulary: ImportVocabulary) -> [String?] {
    let meanings = names.map { vocabulary.meaning(ofHeading: $0, in: kind) }
    var columns: [String: Int] = [:]
    for (column, meaning) in meanings.enumerated() {
      guard let meaning else { continue }
      if let taken = columns[meaning.field], (meanings[taken]?.rank ?? .max) <= meaning.rank { continue }
      columns[meaning.field] = column
    }
    return meanings.enumerated().map { column, meaning in
      meaning.flatMap { columns[$0.field] == column || $0.field == "phone" ? $0.field : nil }
    }
  }

  /// The delimiter that a first line such as `sep=;` declares for the program that wrote it.
  static func declaredDelimiter(_ line: [UInt8]) -> UInt8? {
    guard line.count == 5, line.starts(with: Array("sep=".utf8)), delimiters.contains(line[4]) else { return nil }
    return line[4]
  }

  func column(of field: String) -> Int? { fields.firstIndex(of: field) }

  /// The cells of a row under the fields they fill; nil when there are more or fewer than columns.
  func values(of cells: [String]) -> [String: FieldValue]? {
    guard cells.count >= names.count, cells.dropFirst(names.count).allSatisfy(\.isEmpty) else { return nil }
    var values: [String: FieldValue] = [:]
    for (field, cell) in zip(fields, cells) {
      if let field, !cell.isEmpty {
        values[field] = Self.fieldsWithParts.contains(field) ? Self.parts(cell) ?? .cell(cell) : .cell(cell)
      }
    }
    values["phone"] = phones(in: cells)
    return values
  }

  /// The fields that have parts of their own, which a cell holds as JSON: so VetNet's tables have them.
  private static let fieldsWithParts: Set = [
    "skills", "working_hours", "breaks", "leave", "credentials", "load", "opening_hours", "closures",
  ]

  /// What a cell of JSON holds; nil for any other.
  private static func parts(_ cell: String) -> FieldValue? {
    guard let first = cell.utf8.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return nil }
    return (try? JSONParser.parse(Array(cell.utf8))).flatMap(FieldValue.init)
  }

  /// Whether rows of these columns can change records of `kind` that are on file.
  var amends: Bool { statedFields.contains("id") && statedFields.count > 1 }

  /// Whether a row of these columns can be a row of `kind`.
  func suits(_ kind: ImportKind) -> Bool {
    kind.telltales.allSatisfy { $0.contains { column(of: $0) != nil } }
  }
}

// MARK: Telephone numbers

extension CSVHeader {
  /// A row's numbers, each with its column's heading as the label; nil without any.
  func phones(in cells: [String]) -> FieldValue? {
    if phoneColumns.count == 1, case .list(let items)? = Self.parts(cells[phoneColumns[0]]) { return .list(items) }
    let filled = phoneColumns.filter { !cells[$0].trimmingSpaces().isEmpty }
    guard !filled.isEmpty else { return nil }
    return .list(
      filled.map { column in
        .object(["label": label(of: column).map { .text($0) }, "number": .cell(cells[column])].compactMapValues { $0 })
      })
  }

  /// The event with the telephone columns that are empty in its row.
  func namingEmptyPhones(of cells: [String], in event: ImportEvent) -> ImportEvent {
    guard !phoneColumns.isEmpty else { return event }
    let empty = phoneColumns.filter { cells[$0].trimmingSpaces().isEmpty }.map {
      StatedFields.phone(labelled: label(of: $0))
    }
    func naming(_ stated: StatedFields) -> StatedFields {
      var stated = stated
      stated.empty.subtract([StatedFields.phone(labelled: nil)])
      stated.empty.formUnion(empty)
      return stated
    }
    switch event {
    case .record(let record, let location, let raw, let stated):
      return .record(record, at: location, raw: raw, stated: naming(stated))
    case .amendment(let record, let raw, let stated, let reject):
      return .amendment(record, raw: raw, stated: naming(stated), otherwise: reject)
    case .reject, .problem: return event
    }
  }

  /// The cell that a row ends in, under the field that it is or is part of; nil where that is none, or can't be cut short and
  /// still be read.
  func lastCell(of cells: [String]) -> LastCell? {
    guard cells.count == names.count, let field = fields.last ?? nil, let text = cells.last?.trimmingSpaces(),
      !text.isEmpty, !field.hasSuffix("_time")
    else { return nil }
    switch field {
    case "phone": return LastCell(field: StatedFields.phone(labelled: label(of: cells.count - 1)), text: text)
    case "patient": return LastCell(field: "patient_id", text: text)
    case "given_name", "family_name": return LastCell(field: "name", text: text)
    default: return LastCell(field: field, text: text)
    }
  }

  /// The heading; nil for one that only names the field.
  private func label(of column: Int) -> String? {
    ImportVocabulary.normalize(names[column]) == "phone" ? nil : names[column]
  }
}
