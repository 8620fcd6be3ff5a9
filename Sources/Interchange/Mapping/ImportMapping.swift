import Clinical

/// How one table of an export is read.
public struct MappedTable: Hashable, Sendable {
  /// How the file is spelt; what is nil is found out from the file.
  public struct Form: Hashable, Sendable {
    public var encoding: TextEncoding?
    /// The byte between cells.
    public var delimiter: UInt8?
    public var dateOrder: DateOrder?

    public init(encoding: TextEncoding? = nil, delimiter: UInt8? = nil, dateOrder: DateOrder? = nil) {
      self.encoding = encoding
      self.delimiter = delimiter
      self.dateOrder = dateOrder
    }
  }

  /// The file's name; `*` stands for anything. Upper and lower case are one.
  public var file: String
  public var kind: MappedKind
  public var form = Form()
  /// Field to the headings that make it up, in order.
  public var columns: [String: [String]] = [:]
  /// Field to what the file writes and what is meant; an empty meaning is none.
  public var values: [String: [String: String]] = [:]
  /// Field to the unit of numbers without one: kg, g, lb, oz or st; min or h.
  public var units: [String: String] = [:]
  /// Field to what it is in every row.
  public var always: [String: String] = [:]

  public init(file: String, kind: MappedKind) {
    self.file = file
    self.kind = kind
  }

  /// Whether a file's name is meant.
  func names(_ fileName: String) -> Bool {
    Self.matches(Array(fileName.lowercased().utf8)[...], Array(file.lowercased().utf8)[...])
  }

  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    let star = UInt8(ascii: "*")
    var (name, pattern) = (name, pattern)
    while let next = pattern.first, next != star {
      guard name.first == next else { return false }
      name = name.dropFirst()
      pattern = pattern.dropFirst()
    }
    guard pattern.first == star else { return name.isEmpty }
    let rest = pattern.drop { $0 == star }
    if rest.isEmpty { return true }
    return name.indices.contains { matches(name[$0...], rest) }
  }
}

/// How an export of another program is read, table by table.
public struct ImportMapping: Hashable, Sendable {
  /// What the first line of a mapping says.
  public static let format = "vetnet-map-1"

  public var tables: [MappedTable]

  public init(tables: [MappedTable]) {
    self.tables = tables
  }

  /// Reads a mapping.
  ///
  /// - Throws: ``MappingError`` with line and column for what is no TOML, an unknown key, kind, field, unit, encoding or order,
  ///   and for a table that lacks what each row of its kind needs.
  public init(_ text: String) throws(MappingError) {
    tables = try MappingReader(try MappingText(text)).tables()
  }
}

/// Checks a mapping's sections and makes tables of them.
private struct MappingReader {
  private let text: MappingText

  init(_ text: MappingText) {
    self.text = text
  }

  func tables() throws(MappingError) -> [MappedTable] {
    let root = text.sections[0]
    for entry in root.entries where entry.key != "format" { throw Self.unknown(entry, among: ["format"]) }
    guard let format = root.entries.first(where: { $0.key == "format" }) else {
      throw MappingError(
        root.place, "the mapping doesn't say its format", hint: "begin with format = \"\(ImportMapping.format)\"")
    }
    guard format.values == [ImportMapping.format] else {
      throw MappingError(format.valuePlace, "the format is unknown", hint: "this program reads \(ImportMapping.format)")
    }
    var tables: [(table: MappedTable, place: MappingText.Place)] = []
    for section in text.sections.dropFirst() {
      guard section.path.first == "table" else {
        throw MappingError(
          section.place, "'\(section.path[0].shortened)' is no part of a mapping", hint: "write [[table]]")
      }
      if section.isItem, section.path.count == 1 {
        if let last = tables.last { try check(last.table, last.place) }
        tables.append((try table(section), section.place))
      } else {
        guard !section.isItem, !tables.isEmpty else {
          throw MappingError(
            section.place, "the section stands before its table", hint: "begin each table with [[table]]")
        }
        try add(section, to: &tables[tables.count - 1].table)
      }
    }
    guard let last = tables.last else { throw MappingError(root.place, "the mapping has no [[table]]") }
    try check(last.table, last.place)
    return tables.map(\.table)
  }

  private func table(_ section: MappingText.Section) throws(MappingError) -> MappedTable {
    var file: String?
    var kind: MappedKind?
    var form = MappedTable.Form()
    for entry in section.entries {
      let value = try single(entry)
      switch entry.key {
      case "file":
        guard !value.isEmpty, !value.contains("/") else {
          throw MappingError(entry.valuePlace, "no file's name", hint: "a name without folders, such as animals*.csv")
        }
        file = value
      case "kind":
        kind = MappedKind(rawValue: value)
        if kind == nil { throw word(entry, value, MappedKind.allCases.map(\.rawValue)) }
      case "encoding":
        form.encoding = TextEncoding(named: value)
        if form.encoding == nil { throw word(entry, value, TextEncoding.allCases.map { $0.rawValue.lowercased() }) }
      case "delimiter":
        let bytes = Array(value.utf8)
        guard bytes.count == 1, CSVHeader.delimiters.contains(bytes[0]) else {
          throw word(entry, value, [",", ";", "\\t", "|"])
        }
        form.delimiter = bytes[0]
      case "date_order":
        form.dateOrder = DateOrder(rawValue: value)
        if form.dateOrder == nil { throw word(entry, value, DateOrder.allCases.map(\.rawValue)) }
      default: throw Self.unknown(entry, among: ["file", "kind", "encoding", "delimiter", "date_order"])
      }
    }
    guard let file else {
      throw MappingError(section.place, "the table names no file", hint: "add file = \"animals.csv\"")
    }
    guard let kind else { throw MappingError(section.place, "the table has no kind", hint: "add kind = \"patients\"") }
    var table = MappedTable(file: file, kind: kind)
    table.form = form
    return table
  }

  private func add(_ section: MappingText.Section, to table: inout MappedTable) throws(MappingError) {
    let parts = Array(section.path.dropFirst())
    let known = ["columns", "values", "units", "always"]
    guard let part = parts.first, known.contains(part), parts.count == (part == "values" ? 2 : 1) else {
      throw MappingError(
        section.place, "'\(section.path.joined(separator: ".").shortened)' is no part of a table",
        hint: "there are table.columns, table.values.FIELD, table.units and table.always")
    }
    if part == "values" {
      try checkField(parts[1], section.place, table.kind)
      for entry in section.entries { table.values[parts[1], default: [:]][entry.key] = try single(entry) }
      return
    }
    for entry in section.entries {
      try checkField(entry.key, entry.place, table.kind)
      switch part {
      case "columns":
        guard !entry.values.isEmpty, !entry.values.contains("") else {
          throw MappingError(entry.valuePlace, "no heading", hint: "name the column as the file's first line does")
        }
        table.columns[entry.key] = entry.values
      case "units":
        let unit = try single(entry)
        let units = entry.key.hasSuffix("minutes") ? ["min", "h"] : WeightText.units
        guard units.contains(unit) else { throw word(entry, unit, units) }
        table.units[entry.key] = unit
      default: table.always[entry.key] = try single(entry)
      }
    }
  }

  private func check(_ table: MappedTable, _ place: MappingText.Place) throws(MappingError) {
    for group in table.kind.needed
    where group.allSatisfy({ table.columns[$0] == nil && table.always[$0] == nil }) {
      throw MappingError(
        place, "the table of \(table.kind.rawValue) has no column for \(group.prefix(3).joined(separator: " or "))",
        hint: "name it under [table.columns]")
    }
  }

  private func checkField(
    _ field: String, _ place: MappingText.Place, _ kind: MappedKind
  ) throws(MappingError) {
    guard !kind.fields.contains(field) else { return }
    let near = nearest(to: field, among: kind.fields).map { "did you mean \($0)?" }
    throw MappingError(
      place, "'\(field.shortened)' is no field of \(kind.rawValue)",
      hint: near ?? "there are \(kind.fields.joined(separator: ", "))")
  }

  private func single(_ entry: MappingText.Entry) throws(MappingError) -> String {
    guard !entry.isList, let value = entry.values.first else {
      throw MappingError(entry.valuePlace, "a list where one text belongs", hint: "write one text in quotes")
    }
    return value
  }

  private func word(_ entry: MappingText.Entry, _ value: String, _ known: [String]) -> MappingError {
    MappingError(
      entry.valuePlace, "\(entry.key) '\(value.shortened)' is unknown", hint: "one of \(known.joined(separator: ", "))")
  }

  private static func unknown(_ entry: MappingText.Entry, among known: [String]) -> MappingError {
    let near = nearest(to: entry.key, among: known).map { "did you mean \($0)?" }
    return MappingError(
      entry.place, "'\(entry.key.shortened)' is no key that is known here",
      hint: near ?? "there are \(known.joined(separator: ", "))")
  }
}
