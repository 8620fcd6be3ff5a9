import Clinical

/// Makes of a table's cells what the import format calls them.
struct RowMapping {
  let table: MappedTable
  private let head: TableHead
  private let columns: [String: [Int]]
  /// What the file writes, in lower case, and what is meant.
  private let values: [String: [String: String]]
  private let vocabulary: ImportVocabulary
  var dates: DateReader

  init(_ table: MappedTable, head: TableHead, vocabulary: ImportVocabulary, dates: DateReader) {
    self.table = table
    self.head = head
    self.vocabulary = vocabulary
    self.dates = dates
    columns = table.columns.mapValues { $0.compactMap(head.column) }
    values = table.values.mapValues { values in
      Dictionary(values.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The fields that the table speaks of.
  var stated: Set<String> {
    var stated = Set(table.columns.keys).union(table.always.keys)
    if stated.remove("end") != nil { stated.insert("duration_minutes") }
    return stated
  }

  var dateColumns: [Int] { table.kind.dateFields.flatMap { columns[$0] ?? [] } }

  /// The row's fields under the names of the import format; what is empty has none.
  func fields(of cells: [String]) -> [String: FieldValue] {
    var fields: [String: FieldValue] = [:]
    for (field, value) in table.always where !value.isEmpty { fields[field] = .cell(value) }
    for (field, columns) in columns {
      let parts = columns.map { $0 < cells.count ? cells[$0] : "" }
      guard parts.contains(where: { !$0.trimmingSpaces().isEmpty }) else { continue }
      if field == "phone" {
        fields[field] = phones(parts, columns)
      } else if field == "deceased_at" {
        // Of a day and a mere "dead" the first that says anything holds.
        let texts = parts.lazy.map { read(field, $0) }
        fields[field] = texts.first { !$0.isEmpty && !vocabulary.isNothing($0, isCell: true) }.map(FieldValue.cell)
      } else {
        let text = read(field, joined(field, parts))
        if !text.isEmpty { fields[field] = .cell(text) }
      }
    }
    settleEnd(&fields)
    return fields
  }

  private func joined(_ field: String, _ parts: [String]) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    var parts = parts.map { $0.trimmingSpaces() }
    if table.kind.dateFields.contains(field), case .success(let day) = dates.read(parts[0]), day.hasTime,
      day.local.minuteOfDay == 0, parts.dropFirst().contains(where: { !$0.isEmpty })
    {
      // A spreadsheet's date column often carries an empty time of its own, and its time column an empty day.
      parts[0] = "\(day.local.date)"
    }
    let separator =
      switch field {
      case "address": ", "
      case "text": "\n\n"
      case "resource_ids": ";"
      default: " "
      }
    return parts.filter { !$0.isEmpty }.joined(separator: separator)
  }

  /// One field as the import format writes it; what can't be read stays as it is, for the row's own error.
  private func read(_ field: String, _ text: String) -> String {
    if let meant = values[field]?[text.trimmingSpaces().lowercased()] { return meant }
    if field == "text" { return text }
    let text = text.trimmingSpaces()
    if field == "weight_kg" {
      guard let weight = WeightText.kilograms(text, unit: table.units[field]) else { return text }
      return String(weight)
    }
    if field.hasSuffix("minutes"), let minutes = Self.minutes(text, unit: table.units[field]) { return minutes }
    if table.kind.clockFields.contains(field) { return Self.clockTime(text) ?? text }
    if table.kind.dateFields.contains(field) { return isoText(text) }
    return text
  }

  private func isoText(_ text: String) -> String {
    guard case .success(let reading) = dates.read(text) else { return text }
    guard reading.hasTime else { return "\(reading.local.date)" }
    var iso = "\(reading.local.date)T\(clock(reading.local.minuteOfDay)):\(twoDigits(reading.local.second))"
    if let offset = reading.offsetMinutes {
      iso += offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(clock(abs(offset)))"
    }
    return iso
  }

  private func phones(_ parts: [String], _ columns: [Int]) -> FieldValue? {
    .list(
      zip(parts, columns).filter { !$0.0.trimmingSpaces().isEmpty }.map { number, column in
        .object(["label": .text(head.names[column]), "number": .cell(number.trimmingSpaces())])
      })
  }

  /// A visit's end makes its length where the table has no length.
  private func settleEnd(_ fields: inout [String: FieldValue]) {
    guard let end = fields.removeValue(forKey: "end")?.cellText, table.kind == .appointments,
      fields["duration_minutes"] == nil, let start = fields["start"]?.cellText,
      case .success(let first) = dates.read(start)
    else { return }
    var last = dates.read(end)
    if case .failure = last, let time = Self.clockTime(end) { last = dates.read("\(first.local.date) \(time)") }
    guard case .success(let until) = last, until.hasTime else { return }
    let minutes = (dates.timestamp(of: until).seconds - dates.timestamp(of: first).seconds) / 60
    fields["duration_minutes"] = .cell(String(minutes))
  }

  /// `09:05` of `9:05`, `0905`, `9.05`, `9:05:00`, `9:05 am`.
  static func clockTime(_ text: String) -> String? {
    var text = text.trimmingSpaces().lowercased()
    if text == "24:00" { return text }
    var tail = ""
    for suffix in ["am", "pm", "a.m.", "p.m."] where text.hasSuffix(suffix) {
      tail = suffix
      text = text.dropLast(suffix.count).trimmingSpaces()
      break
    }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      switch text.utf8.count {
      case 1...2: text += ":00"
      case 3...4: text = "\(text.dropLast(2)):\(text.suffix(2))"
      default: return nil
      }
    }
    if text.utf8.count <= 5 { text = text.replacing(".", with: ":") }
    return DateReader.parseTime("\(text)\(tail)").map { clock($0.minuteOfDay) }
  }

  /// `90`, `1:30`, `1.5` hours, in minutes.
  private static func minutes(_ text: String, unit: String?) -> String? {
    let halves = text.split(separator: ":")
    if halves.count >= 2, let hours = Int(halves[0]), let minutes = Int(halves[1]), minutes < 60, hours < 24 {
      return String(hours * 60 + minutes)
    }
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    let word = text.dropFirst(digits.count).trimmingSpaces().lowercased()
    guard let number = Double(digits) else { return nil }
    let isHours = word.isEmpty ? unit == "h" : ["h", "hr", "hrs", "hour", "hours"].contains(word)
    guard isHours || word.isEmpty || ["m", "min", "mins", "minute", "minutes"].contains(word) else { return nil }
    let minutes = isHours ? number * 60 : number
    return Int(exactly: minutes).map(String.init) ?? String(minutes)
  }
}

// MARK: Parts of a member of staff

extension RowMapping {
  /// The entry that a row adds to a list of its member of staff; several for a row with a column for each day.
  func entries(of cells: [String]) -> [[String: FieldValue]] {
    let fields = fields(of: cells)
    guard table.kind == .hours, fields["weekday"] == nil else { return [entry(fields)] }
    var entries: [[String: FieldValue]] = []
    for (index, day) in MappedKind.weekdays.enumerated() {
      guard let text = fields[day]?.cellText, !vocabulary.isNothing(text, isCell: true) else { continue }
      for range in Self.ranges(text) {
        var entry: [String: FieldValue] = ["weekday": .number(Double(index + 1), String(index + 1))]
        entry["start"] = .text(range.start)
        entry["end"] = .text(range.end)
        entries.append(entry)
      }
    }
    return entries
  }

  private func entry(_ fields: [String: FieldValue]) -> [String: FieldValue] {
    var entry = fields
    entry["id"] = nil
    if let word = fields["weekday"]?.cellText {
      let number = vocabulary.word(for: word, in: "weekday") ?? word
      entry["weekday"] = .cell(number)
    }
    return entry
  }

  /// `08:00-12:00, 14-18` in its parts; a text that says no times is one part that can't be read, unless it is a word such as
  /// "off".
  static func ranges(_ text: String) -> [(start: String, end: String)] {
    guard text.contains(where: \.isNumber) else { return [] }
    return text.split { $0 == "," || $0 == ";" || $0 == "/" || $0 == "&" || $0 == "\n" }.map { part in
      let halves = part.replacing("–", with: "-").replacing(" to ", with: "-").replacing(" bis ", with: "-")
        .split(separator: "-", maxSplits: 1).map { $0.trimmingSpaces() }
      guard halves.count == 2 else { return (part.trimmingSpaces(), "") }
      return (clockTime(halves[0]) ?? halves[0], clockTime(halves[1]) ?? halves[1])
    }
  }
}
