import Clinical
import Foundation

extension ImportDiscovery {
  /// The files that a mapping names, in dependency order: each table of the mapping with each of its files.
  ///
  /// A file of a folder that no table names, and a table without a file, are told.
  ///
  /// - Throws: ``InterchangeError`` for a path that isn't there or can't be read.
  public static func find(_ paths: [String], mapping: ImportMapping) throws(InterchangeError) -> ImportDiscovery {
    var sources: [ImportSource] = []
    var problems: [ImportFileProblem] = []
    let files = try tableFiles(paths)
    for table in mapping.tables {
      let named = files.filter { table.names($0.name) }
      if named.isEmpty {
        problems.append(
          ImportFileProblem(
            .leftOut, file: table.file, message: "the mapping's table of \(table.kind.rawValue) has no file here"))
      }
      for file in named {
        var source = ImportSource(path: file.path, name: file.path, kind: table.kind.importKind, format: .csv)
        source.mapping = table
        sources.append(source)
      }
    }
    for file in files where !mapping.tables.contains(where: { $0.names(file.name) }) {
      problems.append(ImportFileProblem(.leftOut, file: file.path, message: "the mapping has no table for the file"))
    }
    guard !sources.isEmpty else {
      throw InterchangeError(
        .nothingToImport, path: paths.first ?? "", hint: "none of the mapping's files is there")
    }
    // A kind comes in the mapping's order, and what is part of a member of staff after the members themselves.
    let sorted = sources.enumerated().sorted { first, second in
      let (one, other) = (first.element, second.element)
      if one.kind != other.kind { return one.kind < other.kind }
      let isPart = (one.mapping?.kind.isPartOfStaff ?? false, other.mapping?.kind.isPartOfStaff ?? false)
      if isPart.0 != isPart.1 { return isPart.1 }
      return first.offset < second.offset
    }
    return ImportDiscovery(sources: sorted.map(\.element), problems: problems)
  }

  struct TableFile {
    let path: String
    let name: String
  }

  private static let endings = ["csv", "tsv", "txt", "tab", "asc", "dat"]

  /// The tables among files, and directly in folders.
  static func tableFiles(_ paths: [String]) throws(InterchangeError) -> [TableFile] {
    var files: [TableFile] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw InterchangeError(.notFound, path: path)
      }
      guard isFolder.boolValue else {
        files.append(TableFile(path: path, name: String(path.split(separator: "/").last ?? "")))
        continue
      }
      let entries: [String]
      do {
        entries = try FileManager.default.contentsOfDirectory(atPath: path)
      } catch {
        throw InterchangeError(.notReadable, path: path)
      }
      let top: String = path.hasSuffix("/") ? String(path.dropLast()) : path
      for entry in entries.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        let ending = entry.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard !entry.hasPrefix("."), endings.contains(ending) else { continue }
        files.append(TableFile(path: "\(top)/\(entry)", name: entry))
      }
    }
    return files
  }
}
