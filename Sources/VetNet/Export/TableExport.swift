import Clinical
import Glibc
import Interchange

/// Records as tables: a folder with one for each kind, or one file.
struct TableExport {
  let source: ExportSource
  let timeZone: PracticeTimeZone

  /// Whether a path means a folder: it ends in a slash, or one is there.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
  }

  /// - Returns: how many records of each kind were written.
  func write(to path: String) throws -> [String: Int] {
    let isFolder = Self.isFolder(path)
    let destination = isFolder && path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let staged = try StagedOutput(for: destination, isFolder: isFolder)
    var counts: [String: Int] = [:]
    if isFolder {
      for kind in ImportKind.allCases {
        let count = try table([kind], CSVWriter(kind: kind, timeZone: timeZone), "\(staged.path)/\(kind.rawValue).csv")
        counts.merge(count) { $1 }
      }
    } else {
      // A file named after a kind is a table of that kind.
      let name = path.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
      let kind = ImportKind(rawValue: name.lowercased())
      counts = try table(
        kind.map { [$0] } ?? ImportKind.allCases, CSVWriter(kind: kind, timeZone: timeZone), staged.path)
    }
    try staged.putInPlace()
    return counts
  }

  private func table(_ kinds: [ImportKind], _ writer: CSVWriter, _ path: String) throws -> [String: Int] {
    let file = try OutputFile(path: path)
    try file.write(line: writer.head)
    var counts: [String: Int] = [:]
    for kind in kinds {
      try source.forEach(kind) { exported in
        try file.write(
          line: writer.line(for: exported.record, source: exported.source, additions: exported.additions))
        counts[kind.rawValue, default: 0] += 1
      }
    }
    try file.flush()
    return counts
  }
}
