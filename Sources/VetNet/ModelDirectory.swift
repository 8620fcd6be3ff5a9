import Clinical
import FoundationEssentials
import Glibc

/// The folder `Models/`: everything learned or judged, as data. Each part is read when it is first needed, so that a
/// question does not pay for the triage protocols.
///
/// One process uses it from one thread; the stages it builds are `Sendable` values.
public final class ModelDirectory {
  public let path: String
  /// Stages already built, by the name of the function that builds them.
  private var built: [String: any Sendable] = [:]
  /// Stages that another core is building.
  private var underWay: [String: Background<Result<any Sendable, any Error>>] = [:]

  /// - Throws: ``PracticeError`` when there is no such folder.
  public init(path: String) throws {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
      throw PracticeError(
        .models, "there is no model folder at '\(path)'", hint: "Maybe set --models or $VETNET_MODELS.")
    }
    self.path = path
  }

  /// Finds the folder: the option, `$VETNET_MODELS`, beside an installed program, then upward from the program.
  ///
  /// - Parameters:
  ///   - option: the value of `--models`, which wins.
  ///   - environment: the process's environment.
  ///   - executable: the path of the running program, links resolved.
  /// - Returns: the first folder found.
  /// - Throws: ``PracticeError`` naming what was tried.
  public static func locate(option: String?, environment: [String: String], executable: String) throws -> ModelDirectory
  {
    if let option { return try ModelDirectory(path: option) }
    if let variable = environment["VETNET_MODELS"], !variable.isEmpty { return try ModelDirectory(path: variable) }
    var folder = parent(of: executable)
    let installed = parent(of: folder) + "/share/vetnet/Models"
    if isModelFolder(installed) { return try ModelDirectory(path: installed) }
    while folder != "/", !folder.isEmpty, folder != "." {
      if isModelFolder(folder + "/Models") { return try ModelDirectory(path: folder + "/Models") }
      folder = parent(of: folder)
    }
    throw PracticeError(
      .models, "no model folder beside '\(executable)' or above it", hint: "Maybe set --models or $VETNET_MODELS.")
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
    return try usable { () throws(DataTableError) in
      try DataTable(name: file, utf8: bytes, required: required, uniqueKey: uniqueKey)
    }
  }

  /// Whether the folder has that file.
  func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(file)") }

  /// The stage `name`, built by `make` the first time.
  func stage<Stage: Sendable>(_ name: String, _ make: () throws -> Stage) throws -> Stage {
    if let stage = built[name] as? Stage { return stage }
    let work = underWay.removeValue(forKey: name)
    let stage = try usable { try (work?.value().get() as? Stage) ?? make() }
    built[name] = stage
    return stage
  }

  /// Has another core begin with the stage `name`, which will be needed soon; ``stage(_:_:)`` then waits for it.
  func begin(_ name: String, _ make: @escaping @Sendable () throws -> any Sendable) {
    guard built[name] == nil, underWay[name] == nil else { return }
    underWay[name] = Background { Result(catching: make) }
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

  private static func isModelFolder(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/lexicon/stop-words.tsv")
  }

  private static func parent(of path: String) -> String {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return parent.isEmpty ? "/" : parent
  }
}
