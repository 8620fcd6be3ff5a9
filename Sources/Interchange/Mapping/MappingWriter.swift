import Clinical

extension ImportGuess {
  /// The mapping file: what the mapping says, with what is unsure or left out as comments.
  public var text: String {
    var lines = [
      "# How vetnet import --map reads an export; proposed by vetnet import --guess. Read it and correct it, then try it",
      "# with --dry-run. [table.columns]: field = the file's heading, or several. [table.values.FIELD]: what the file",
      "# writes = what it means. [table.units], [table.always]: the unit of bare numbers, and what holds for every row.",
      "format = \(quoted(ImportMapping.format))",
    ]
    for doubt in doubts where !mapping.tables.contains(where: { $0.file == doubt.file }) {
      lines.append("# \(quoted(doubt.file)): \(doubt.text.asComment)")
    }
    var commented: Set<String> = []
    for table in mapping.tables {
      lines.append("")
      // A file of two tables has its doubts said at the latter, which is its own.
      let isLast = mapping.tables.last { $0.file == table.file }?.kind == table.kind
      if isLast, commented.insert(table.file).inserted {
        lines += doubts.filter { $0.file == table.file }.map { doubt in
          "# unsure: \(doubt.text.asComment)\(doubt.taken.map { ": taken for \($0.asComment)" } ?? "")"
        }
        if let left = unread[table.file], !left.isEmpty {
          lines.append("# not read: \(left.map(\.asComment).joined(separator: ", "))")
        }
      }
      lines += table.lines
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ImportMapping {
  /// The mapping file, without comments.
  var text: String {
    (["format = \(quoted(Self.format))"] + tables.flatMap(\.lines)).joined(separator: "\n") + "\n"
  }
}

extension MappedTable {
  /// The table as a mapping file writes it.
  fileprivate var lines: [String] {
    var lines = ["[[table]]", "file = \(quoted(file))", "kind = \(quoted(kind.rawValue))"]
    if let encoding = form.encoding {
      lines.append("encoding = \(quoted(encoding.rawValue.replacing(" ", with: "-").lowercased()))")
    }
    if let delimiter = form.delimiter {
      lines.append("delimiter = \(quoted(String(decoding: [delimiter], as: UTF8.self)))")
    }
    if let order = form.dateOrder { lines.append("date_order = \(quoted(order.rawValue))") }
    lines.append("[table.columns]")
    for field in kind.fields {
      guard let headings = columns[field] else { continue }
      let list = headings.map(quoted).joined(separator: ", ")
      lines.append("\(field) = \(headings.count == 1 ? list : "[\(list)]")")
    }
    for field in kind.fields {
      guard let values = values[field] else { continue }
      lines.append("[table.values.\(field)]")
      for (word, meaning) in values.sorted(by: { $0.key < $1.key }) {
        lines.append("\(quoted(word)) = \(quoted(meaning))")
      }
    }
    for (name, entries) in [("units", units), ("always", always)] where !entries.isEmpty {
      lines.append("[table.\(name)]")
      for (field, value) in entries.sorted(by: { $0.key < $1.key }) { lines.append("\(field) = \(quoted(value))") }
    }
    return lines
  }
}

/// A basic string of TOML.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where scalar.value < 0x20 || scalar.value == 0x7F:
      let hex = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

extension String {
  /// On one line, for a comment.
  fileprivate var asComment: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}
