import Clinical
import Glibc

/// The files of `Models/`, for whichever core builds a stage of them.
struct ModelFiles: Sendable {
  let path: String
  /// What was worked out of them beforehand.
  let compiled: CompiledModels?

  /// - Parameters:
  ///   - path: of the folder.
  ///   - isCompiled: whether stages may come from the file that was compiled of the tables; tests compare both ways.
  init(path: String, isCompiled: Bool = true) {
    self.path = path
    compiled = isCompiled ? CompiledModels(in: path, build: CompiledModels.build) : nil
  }

  /// A text file of the folder.
  func text(_ file: String) throws -> String {
    let bytes = try data(file)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PracticeError(.models, "\(path)/\(file) is not UTF-8")
    }
    return text
  }

  /// The bytes of a file. By system calls: a dozen small files are read at every start.
  func data(_ file: String) throws -> [UInt8] {
    let descriptor = open("\(path)/\(file)", O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw unreadable(file)
    }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let step = read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { return }
        count += step
      }
    }
    guard bytes.count == size else { throw unreadable(file) }
    return bytes
  }

  private func unreadable(_ file: String) -> PracticeError {
    PracticeError(.models, "can't read \(path)/\(file)", hint: "Maybe the installation is incomplete.")
  }

  /// A table of the folder.
  func table(_ file: String, required: [String] = [], uniqueKey: String? = nil) throws -> DataTable {
    let bytes = try data(file)
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw PracticeError(.models, "\(path)/\(file) is not UTF-8")
    }
    let resolved = try resolved(bytes, of: file)
    return try usable { () throws(DataTableError) in
      try DataTable(name: file, utf8: resolved, required: required, uniqueKey: uniqueKey)
    }
  }

  /// A table's bytes with its phrases written out: those that stand for several (``PhraseNotation``), and those of rows that it names
  /// in another table (``NameLexicon``).
  private func resolved(_ bytes: [UInt8], of file: String) throws -> [UInt8] {
    var bytes = bytes
    if PhraseNotation.isUsed(by: bytes) {
      let notation = try notation()
      bytes = try usable { () throws(DataTableError) in try notation.resolved(bytes, name: file) }
    }
    guard let source = NameLexicon.file(namedBy: bytes) else { return bytes }
    guard source != file else { throw PracticeError(.models, "\(path)/\(file) names rows of its own") }
    let names = try table(source, required: ["id", "names"])
    return try usable { () throws(DataTableError) in try NameLexicon(names).resolved(bytes, name: file) }
  }

  /// How tables write phrases that stand for several.
  func notation() throws -> PhraseNotation {
    let verbs = try table(PhraseNotation.verbFile, required: ["verb", "past"])
    return try usable { () throws(DataTableError) in PhraseNotation(verbs: try VerbForms(table: verbs)) }
  }

  /// Turns what is wrong with a table into the practice's error, which names file, line and column.
  func usable<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws -> Value {
    do {
      return try make()
    } catch let error as PracticeError {
      throw error
    } catch {
      throw PracticeError(
        .models, "Models/\(error)", hint: "Maybe the file was edited; restore it or correct the line.")
    }
  }
}
