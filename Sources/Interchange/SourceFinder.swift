import Foundation
import Glibc

/// Collects the sources under a list of paths.
struct SourceFinder {
  private struct Found {
    let source: ImportSource
    let position: Int
  }

  private struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let vocabulary: ImportVocabulary
  private var found: [Found] = []
  private var problems: [ImportFileProblem] = []
  private var seen: Set<FileIdentity> = []
  /// How many files could be imported, met twice or not.
  private var met = 0

  init(vocabulary: ImportVocabulary) {
    self.vocabulary = vocabulary
  }

  func result() -> ImportDiscovery {
    let sorted = found.sorted { first, second in
      if first.source.kind != second.source.kind { return first.source.kind < second.source.kind }
      if first.position != second.position { return first.position < second.position }
      return first.source.path.utf8.lexicographicallyPrecedes(second.source.path.utf8)
    }
    return ImportDiscovery(sources: sorted.map(\.source), problems: problems)
  }

  mutating func add(
    _ path: String, position: Int, kind: ImportKind?, format: ImportFormat?
  ) throws(InterchangeError) {
    if path == "-" {
      guard let kind else {
        throw InterchangeError(.kindNeeded, path: path, hint: "say which kind of rows standard input holds")
      }
      try checkText(path, kind: kind, format: format)
      found.append(Found(source: .standardInput(kind, format: format ?? .jsonLines), position: position))
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .opening(path, errno) }
    guard access(path, R_OK) == 0 else { throw .opening(path, errno) }
    if status.st_mode & S_IFMT == S_IFDIR {
      try addFolder(path, position: position)
    } else {
      let isRegular = status.st_mode & S_IFMT == S_IFREG
      try addFile(path, position: position, kind: kind, format: format, isRegular: isRegular)
    }
  }

  private mutating func addFile(
    _ path: String, position: Int, kind: ImportKind?, format: ImportFormat?, isRegular: Bool
  ) throws(InterchangeError) {
    let name = FileName(path)
    // What an import rejected says so itself, under whatever name somebody keeps it.
    if format == nil, isRegular, try KindRecognizer(vocabulary: vocabulary).isRejectsFile(path) {
      append(ImportSource(path: path, kind: kind ?? .clients, format: .rejects), position: position)
      return
    }
    if isRegular, format == nil || format == .fhir, name.format == .fhir || name.format == .jsonLines {
      if try FHIRRecognition.isFHIR(path) { return appendFHIR(path, position: position) }
    }
    guard let format = format ?? name.format ?? (kind == nil ? nil : .jsonLines), format != .fhir else {
      throw InterchangeError(
        .notRecognised, path: path, hint: "name it .jsonl, .csv, .txt or .md, or say what it holds and how")
    }
    try checkText(path, kind: kind, format: format)
    var recognised = kind ?? (format == .text ? .notes : format == .calendar ? .appointments : name.kind)
    if recognised == nil {
      guard isRegular else {
        throw InterchangeError(.kindNeeded, path: path, hint: "say which kind of rows it holds")
      }
      recognised = try KindRecognizer(vocabulary: vocabulary).kind(ofFile: path, format: format).kind
    }
    guard let recognised else {
      throw InterchangeError(
        .notRecognised, path: path,
        hint: "its first rows don't say what they are; name it after its kind, such as notes.\(format.rawValue)")
    }
    append(
      ImportSource(path: path, kind: recognised, format: format, defaultID: format == .text ? name.whole : nil),
      position: position)
  }

  private func checkText(_ path: String, kind: ImportKind?, format: ImportFormat?) throws(InterchangeError) {
    if format == .calendar, let kind, kind != .appointments {
      throw InterchangeError(
        .notRecognised, path: path, hint: "a calendar holds appointments; write \(kind.rawValue) as JSON Lines or CSV")
    }
    guard format == .text, let kind, kind != .notes else { return }
    throw InterchangeError(
      .notRecognised, path: path, hint: "a text is a note; write \(kind.rawValue) as JSON Lines or CSV")
  }

  private mutating func addFolder(_ folder: String, position: Int) throws(InterchangeError) {
    let before = met + problems.count(where: \.isFailure)
    var leftOut = LeftOut()
    let top: String = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    var queue = [""]
    while let within = queue.popLast() {
      let path = within.isEmpty ? folder : "\(top)/\(within)"
      let entries: [String]
      do {
        entries = try FileManager.default.contentsOfDirectory(atPath: path)
      } catch {
        if within.isEmpty { throw InterchangeError(.notReadable, path: folder) }
        problems.append(ImportFileProblem(.unreadable, file: path, message: "the folder may not be read"))
        continue
      }
      for entry in entries.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where !entry.hasPrefix(".") {
        let relative = within.isEmpty ? entry : "\(within)/\(entry)"
        var status = stat()
        // A link to a folder is not followed: it may lead back up.
        guard lstat("\(top)/\(relative)", &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          queue.append(relative)
        } else if status.st_mode & S_IFMT == S_IFLNK, !Self.stays("\(top)/\(relative)", within: top) {
          // A folder may come from anybody: what it names elsewhere on this machine is not theirs to import.
          leftOut.linksElsewhere.append(relative)
        } else {
          addEntry("\(top)/\(relative)", relative: relative, position: position, leftOut: &leftOut)
        }
      }
    }
    problems += leftOut.problems(folder: folder)
    guard met + problems.count(where: \.isFailure) > before else {
      throw InterchangeError(
        .nothingToImport, path: folder,
        hint: "expected files such as patients.jsonl, notes.csv or texts with front matter")
    }
  }

  /// Whether a link leads to something below the folder, however many steps it takes.
  private static func stays(_ link: String, within folder: String) -> Bool {
    guard let target = realpath(link, nil), let root = realpath(folder, nil) else { return false }
    defer {
      free(target)
      free(root)
    }
    let base = String(cString: root)
    return String(cString: target).hasPrefix(base == "/" ? base : base + "/")
  }

  private mutating func addEntry(_ path: String, relative: String, position: Int, leftOut: inout LeftOut) {
    let name = FileName(path)
    guard !name.whole.lowercased().hasSuffix(".rejects.jsonl") else { return }
    guard let format = name.format else { return leftOut.otherTypes.append(relative) }
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      problems.append(ImportFileProblem(.unreadable, file: path, message: "the file may not be read"))
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return leftOut.otherTypes.append(relative) }
    if format != .text, relative.contains("/") { return leftOut.tablesBelow.append(relative) }
    do throws(InterchangeError) {
      if format == .fhir || format == .jsonLines, try FHIRRecognition.isFHIR(path) {
        return appendFHIR(path, position: position)
      }
      if format == .fhir { return leftOut.otherTypes.append(relative) }
      let recognizer = KindRecognizer(vocabulary: vocabulary)
      let kind: ImportKind?
      if format == .text {
        let start = try InputFile(path).start(count: 64)
        // An empty text is as much of a surprise as an empty table.
        kind = start.isEmpty || FrontMatter.begins(start) || FrontMatter.begins(start.filter { $0 != 0 }) ? .notes : nil
        if kind == nil {
          // A folder's own description is no note that somebody forgot to head.
          if !name.isDocumentation { leftOut.plainTexts.append(relative) }
          return
        }
      } else if format == .calendar {
        kind = .appointments
      } else if let named = name.kind {
        kind = named
      } else {
        let answer = try recognizer.kind(ofFile: path, format: format)
        if answer.isEmpty {
          problems.append(ImportFileProblem(.empty, file: path, message: "the file is empty"))
          return
        }
        kind = answer.kind
      }
      guard let kind else { return leftOut.unrecognised.append(relative) }
      append(
        ImportSource(path: path, kind: kind, format: format, defaultID: format == .text ? relative : nil),
        position: position)
    } catch {
      problems.append(ImportFileProblem(.unreadable, file: path, message: "reading failed"))
    }
  }

  /// A file of FHIR holds records of all kinds: it is read once for each, in the order of import.
  private mutating func appendFHIR(_ path: String, position: Int) {
    let before = found.count
    append(ImportSource(path: path, kind: ImportKind.allCases[0], format: .fhir), position: position)
    guard found.count > before else { return }
    for kind in ImportKind.allCases.dropFirst() {
      found.append(Found(source: ImportSource(path: path, kind: kind, format: .fhir), position: position))
    }
  }

  /// Adds a source unless the same file is there already, under whatever name.
  private mutating func append(_ source: ImportSource, position: Int) {
    met += 1
    var status = stat()
    if stat(source.path, &status) == 0 {
      let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
      guard seen.insert(identity).inserted else { return }
    }
    found.append(Found(source: source, position: position))
  }
}
