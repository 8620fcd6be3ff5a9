/// What a folder holds beyond what can be imported: counted, with one example each.
struct LeftOut {
  var otherTypes: [String] = []
  var tablesBelow: [String] = []
  var plainTexts: [String] = []
  var unrecognised: [String] = []
  var linksElsewhere: [String] = []

  func problems(folder: String) -> [ImportFileProblem] {
    let groups: [(files: [String], message: String, hint: String)] = [
      (unrecognised, "rows of no known kind", "name the file after its kind, such as notes.jsonl"),
      (tablesBelow, "tables in a folder below", "name that folder to import it"),
      (plainTexts, "texts without front matter", "begin a note with front matter that says whose it is"),
      (linksElsewhere, "links that lead out of the folder or nowhere", "name what they lead to"),
      (otherTypes, "files of other types", ""),
    ]
    return groups.filter { !$0.files.isEmpty }.map { group in
      let example = group.files.count == 1 ? group.files[0] : "\(group.files.count), such as \(group.files[0])"
      return ImportFileProblem(
        .leftOut, file: folder, count: group.files.count, message: "left out, \(group.message): \(example)",
        hint: group.hint)
    }
  }
}

/// What a file's name says.
struct FileName {
  let whole: String
  let format: ImportFormat?
  /// Nil unless the name is one of the format's own, such as `notes.jsonl`.
  let kind: ImportKind?

  /// Whether the name is one that describes a folder by convention.
  var isDocumentation: Bool {
    let stem = whole.lowercased().split(separator: ".").first.map(String.init) ?? ""
    return ["readme", "licence", "license", "changelog"].contains(stem)
  }

  init(_ path: String) {
    whole = path.split(separator: "/").last.map(String.init) ?? path
    let parts = whole.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts[parts.count - 1] : "" {
    case "jsonl", "ndjson": format = .jsonLines
    case "csv", "tsv": format = .csv
    case "txt", "md", "markdown": format = .text
    case "ics", "ical", "icalendar": format = .calendar
    case "json": format = .fhir
    default: format = nil
    }
    kind = ImportKind(rawValue: parts.dropLast().joined(separator: "."))
  }
}
