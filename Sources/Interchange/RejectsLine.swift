import Clinical

/// A line of a rejects file: a row that an import refused or did not understand in full, with all that it takes to read
/// it again.
struct RejectsLine {
  /// The key that tells these lines from rows of every other kind.
  private static let marker = "row_format"
  /// The key of the mapping that a row of another program's table is read by.
  private static let map = "map"

  let origin: RowOrigin
  let id: String?
  /// The id that another record has, for which the row was rejected.
  let takenID: String?
  /// Of a record that is on file, the fields that it lacks; nil for a row that was rejected.
  let lost: Set<String>?
  var row: FieldValue?

  /// Why a line can't be read again.
  struct Failure: Error {
    let reason: String
    let hint: String
  }

  init(_ bytes: [UInt8]) throws(Failure) {
    let values: [String: FieldValue]
    do throws(JSONLineError) {
      values = try parseJSONObject(bytes).values
    } catch {
      throw Failure(reason: error.reason, hint: error.hint)
    }
    func text(_ key: String) -> String? {
      if case .text(let text) = values[key] { text } else { nil }
    }
    guard let kind = text("kind").flatMap(ImportKind.init(rawValue:)),
      let format = text(Self.marker).flatMap(ImportFormat.init(rawValue:)), format != .rejects
    else {
      throw Failure(
        reason: "does not say what its row is ('kind' and '\(Self.marker)')",
        hint: "correct the row in its own file and import that")
    }
    var origin = RowOrigin(kind: kind, format: format)
    origin.source = text("source")
    origin.dateOrder = text("date_order").flatMap(DateOrder.init(rawValue:))
    origin.delimiter = text("delimiter").flatMap { $0.utf8.count == 1 ? $0.utf8.first : nil }
    if case .list(let columns) = values["columns"] {
      origin.columns = columns.map { if case .text(let name) = $0 { name } else { "" } }
    }
    if let map = text(Self.map) {
      do throws(MappingError) {
        origin.table = try ImportMapping(map).tables.first
      } catch {
        throw Failure(
          reason: "has a '\(Self.map)' that can't be read: \(error.problem)", hint: "leave it as it was written")
      }
    }
    self.origin = origin
    id = text("id")
    takenID = text("taken_id")
    row = values["row"]
    guard values["kept"] == .truth(true) else {
      lost = nil
      return
    }
    var lost = Set([text("field")].compactMap { $0 })
    if case .list(let others)? = values["also"] {
      for case .object(let other) in others {
        if case .text(let field)? = other["field"] { lost.insert(field) }
      }
    }
    self.lost = Set(lost.flatMap(Self.columns))
  }

  /// The columns that hold a field, or a part of it such as `working_hours[1].start`: a day stands beside its time, a name of
  /// an animal for its id.
  private static func columns(of field: String) -> [String] {
    let field = String(field.prefix { $0 != "[" && $0 != "." && $0 != ":" })
    if field == "patient_id" { return [field, "patient"] }
    guard field.hasSuffix("_time") else {
      let stem = field.hasSuffix("_at") ? field.dropLast("_at".count) : field[...]
      return [field, "\(stem)_time"]
    }
    let stem = field.dropLast("_time".count)
    return [field, "\(stem)_at", "\(stem)"]
  }

  /// Whether a line is one of a rejects file's.
  static func isOne(_ bytes: [UInt8]) -> Bool {
    guard let keys = try? parseJSONObject(bytes).values.keys else { return false }
    return ["file", "line", "reason", marker].allSatisfy(keys.contains)
  }

  static func kind(of bytes: [UInt8]) -> ImportKind? { (try? RejectsLine(bytes))?.origin.kind }

  /// The line for a reject.
  ///
  /// A row that could be taken apart is an object, key by key, for somebody to correct; any other is its text.
  ///
  /// - Parameters:
  ///   - reject: with its row.
  ///   - isKept: whether the row is on file, without what could not be read.
  ///   - source: that its ids belong to, where the row doesn't say.
  /// - Returns: one object, without a line's end.
  static func bytes(for reject: ImportReject, isKept: Bool, source: String?) -> [UInt8] {
    let raw = reject.raw
    var json = JSONText()
    json.object { json in
      json.pair("file", reject.location.file)
      json.pair("line", Double(reject.location.line))
      json.key("field")
      if let field = reject.field { json.text(field) } else { json.null() }
      json.pair("reason", reject.reason)
      json.pair("hint", reject.hint)
      if isKept {
        json.key("kept")
        json.truth(true)
      }
      let others = raw.losses.filter { !($0.field == reject.field && $0.reason == reject.reason) }
      if !others.isEmpty {
        json.key("also")
        json.list(others) { json, loss in
          json.object { json in
            json.pair("field", loss.field)
            json.pair("reason", loss.reason)
          }
        }
      }
      guard let origin = raw.origin else {
        json.key("row")
        if raw.bytes.isEmpty { json.null() } else { json.text(String(decoding: raw.bytes, as: UTF8.self)) }
        return
      }
      json.pair("kind", origin.kind.rawValue)
      json.pair("source", origin.source ?? source)
      json.pair("date_order", origin.dateOrder?.rawValue)
      // The id that was made for a row means what is on file under it. A text's is its name.
      json.pair("id", isKept || origin.kind == .appointments || origin.format == .text ? raw.id : nil)
      json.pair("taken_id", raw.takenID)
      json.pair(marker, origin.format.rawValue)
      row(raw, origin, into: &json)
    }
    return json.bytes
  }

  private static func row(_ raw: RawRow, _ origin: RowOrigin, into json: inout JSONText) {
    let object = raw.bytes.isEmpty ? nil : taken(apart: raw.bytes, origin)
    if origin.format == .csv {
      json.pair(map, origin.table.map { ImportMapping(tables: [$0]).text })
      json.pair("delimiter", origin.delimiter.map { String(decoding: [$0], as: UTF8.self) })
      if object == nil {
        json.key("columns")
        json.list(origin.columns) { $0.text($1) }
      }
    }
    json.key("row")
    if let object {
      json.raw(object)
    } else if raw.bytes.isEmpty {
      json.null()
    } else {
      json.text(String(decoding: raw.bytes, as: UTF8.self))
    }
  }

  /// A row as one object of JSON, nil where it is none.
  private static func taken(apart bytes: [UInt8], _ origin: RowOrigin) -> [UInt8]? {
    switch origin.format {
    case .jsonLines, .text, .rejects, .fhir:
      guard firstInvalidUTF8Offset(in: bytes) == nil, (try? parseJSONObject(bytes)) != nil else { return nil }
      return bytes
    case .calendar: return nil
    case .csv where origin.columns.isEmpty:
      // From a rejects file: an object already.
      return (try? parseJSONObject(bytes)) == nil ? nil : bytes
    case .csv:
      let names = origin.columns
      guard let delimiter = origin.delimiter, Set(names).count == names.count,
        let cells = CSVRecordParser.cells(of: bytes, delimiter: delimiter), cells.count >= names.count,
        cells.dropFirst(names.count).allSatisfy(\.isEmpty)
      else { return nil }
      var json = JSONText()
      json.object { json in
        for (name, cell) in zip(names, cells) { json.pair(name, String(decoding: cell, as: UTF8.self)) }
      }
      return json.bytes
    }
  }
}

extension CSVRecordParser {
  /// The cells of one whole record, lines inside its quotes included; nil when it is none.
  static func cells(of record: [UInt8], delimiter: UInt8) -> [[UInt8]]? {
    var parser = CSVRecordParser(delimiter: delimiter)
    let lines = record.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      switch parser.feed(Array(line), ending: index == lines.count - 1 ? .none : .lf) {
      case .record(let cells): return index == lines.count - 1 ? cells : nil
      case .needsMore: continue
      case .malformed: return nil
      }
    }
    return nil
  }
}
