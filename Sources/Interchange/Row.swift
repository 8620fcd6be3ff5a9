import Clinical

/// One row's keys and values, read by name and type.
struct Row {
  let values: [String: FieldValue]
  let format: ImportFormat
  let dates: DateReader
  let vocabulary: ImportVocabulary
  let tally: FieldTally
  let report: RowReport
  /// The way here from the row, such as `working_hours[2].`.
  var path = ""
  /// What a new record would need and the row doesn't have.
  let lacks = RowLacks()

  /// Text exactly as it stands, nil when there is none.
  func text(_ field: String) throws(FieldError) -> String? {
    switch values[field] {
    case nil: return nil
    case .cell(let text), .text(let text): return text.isEmpty ? nil : text
    case let value?: throw wrongType(field, value, expected: "text")
    }
  }

  /// Text without white space around it; a number will do.
  func phrase(_ field: String) throws(FieldError) -> String? {
    if case .number(_, let text) = values[field] { return text }
    guard let text = try text(field)?.trimmingSpaces(), !text.isEmpty, !isNothing(text, in: field) else { return nil }
    return text
  }

  /// Whether a field's text is another program's word for none.
  func isNothing(_ text: String, in field: String) -> Bool {
    if case .cell = values[field] { return vocabulary.isNothing(text, isCell: true) }
    return vocabulary.isNothing(text, isCell: false)
  }

  /// An id: one line of text or a number.
  func identifier(_ field: String) throws(FieldError) -> String? {
    guard let text = try phrase(field) else { return nil }
    guard text.utf8.count <= 200, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw FieldError(path + field, "not an id", hint: "an id is one line of at most 200 bytes")
    }
    return text
  }

  func number(_ field: String) throws(FieldError) -> Double? {
    switch values[field] {
    case nil: return nil
    case .number(let value, _): return value
    case .cell(let written), .text(let written):
      let text = written.trimmingSpaces()
      if text.isEmpty || isNothing(text, in: field) { return nil }
      guard let value = Self.parseNumber(text) else {
        throw FieldError(
          path + field, value: Harmless.described(text, as: Harmless.number), "not a number", hint: "write it like 31.2"
        )
      }
      return value
    case let value?: throw wrongType(field, value, expected: "a number")
    }
  }

  func integer(_ field: String, in range: ClosedRange<Int>) throws(FieldError) -> Int? {
    guard let value = try number(field) else { return nil }
    guard let integer = Int(exactly: value), range.contains(integer) else {
      let bound =
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw FieldError(
        path + field, value: Harmless.number(value), "not a whole number in range", hint: "it may be \(bound)")
    }
    return integer
  }

  /// One of a fixed list of words, synonyms included; nil when the row is silent.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ field: String, of list: String, _: Word.Type
  ) throws(FieldError) -> Word? {
    guard let text = try phrase(field) else { return nil }
    if let word = Word(rawValue: text) ?? vocabulary.word(for: text, in: list).flatMap(Word.init(rawValue:)) {
      return word
    }
    let suggestion = vocabulary.suggestion(for: text, in: list).map { ": \($0)?" } ?? ""
    throw FieldError(
      path + field, value: Harmless.described(text, as: Harmless.word), "is unknown" + suggestion,
      hint: "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
  }

  /// The objects in a list, each as a row of its own whose errors name its place.
  func rows(_ field: String, fields: [String]) -> [Row] {
    switch values[field] {
    case nil: return []
    case .list(let items):
      var rows: [Row] = []
      for (index, item) in items.enumerated() {
        guard case .object(let values) = item else {
          report.lose(wrongType("\(field)[\(index)]", item, expected: "an object"))
          continue
        }
        var row = self.nested(values)
        row.path = "\(path)\(field)[\(index)]."
        for key in values.keys.sorted() where !fields.contains(key) {
          tally.addUnknownField("\(field)[].\(key)", known: fields.map { "\(field)[].\($0)" })
        }
        rows.append(row)
      }
      return rows
    case let value?:
      report.lose(wrongType(field, value, expected: "a list of objects"))
      return []
    }
  }

  /// Ids in a list; in a cell separated by semicolons or bars.
  func identifiers(_ field: String) throws(FieldError) -> [String] {
    switch values[field] {
    case nil: return []
    case .cell(let text):
      return text.split { $0 == ";" || $0 == "|" || $0 == "," }.map { $0.trimmingSpaces() }
        .filter { !$0.isEmpty && !isNothing($0, in: field) }
    case .list(let items):
      var result: [String] = []
      for (index, item) in items.enumerated() {
        let name = "\(field)[\(index)]"
        guard let id = try nested([name: item]).identifier(name) else {
          throw FieldError(path + name, "missing", hint: "a list of ids")
        }
        result.append(id)
      }
      return result
    case let value?: throw wrongType(field, value, expected: "a list of ids")
    }
  }

  /// Numbers by name, as in `skills`.
  func numbers(_ field: String, in range: ClosedRange<Double>) throws(FieldError) -> [String: Double] {
    switch values[field] {
    case nil: return [:]
    case .object(let entries):
      var result: [String: Double] = [:]
      for name in entries.keys.sorted() {
        let row = nested(entries)
        guard let value = try row.number(name) else { continue }
        guard range.contains(value) else {
          throw FieldError(
            path + field, value: Harmless.number(value), "out of range",
            hint: "numbers from \(range.lowerBound) to \(range.upperBound)")
        }
        result[name.trimmingSpaces()] = value
      }
      return result
    case let value?: throw wrongType(field, value, expected: "an object of numbers")
    }
  }

  private func nested(_ values: [String: FieldValue]) -> Row {
    Row(values: values, format: format, dates: dates, vocabulary: vocabulary, tally: tally, report: report, path: path)
  }

  func wrongType(_ field: String, _ value: FieldValue, expected: String) -> FieldError {
    var shown: String?
    if case .number(_, let text) = value { shown = Harmless.number(text) }
    if case .truth(let truth) = value { shown = "\(truth)" }
    return FieldError(
      path + field, value: shown, "expected \(expected), found \(value.description)", hint: "write \(expected)")
  }

  /// `31.2`, and `31,2` as half of Europe writes it; `1,234` is neither for sure.
  private static func parseNumber(_ text: String) -> Double? {
    if text.utf8.contains(where: { $0 == 0x78 || $0 == 0x58 || $0 == 0x70 || $0 == 0x50 }) { return nil }
    if let value = Double(text), value.isFinite { return value }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count != 3, let value = Double("\(parts[0]).\(parts[1])"), value.isFinite
    else { return nil }
    return value
  }
}
