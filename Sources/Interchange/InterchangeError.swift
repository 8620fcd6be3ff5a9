/// A file or folder that can't be read at all. What is wrong with a single row is an ``ImportReject``, not an error.
public struct InterchangeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kept the file from being read or written.
  public enum Code: Equatable, Sendable {
    /// No file or folder has that path.
    case notFound
    /// It is there, but may not be opened.
    case notReadable
    /// The system failed while reading.
    case readFailed
    /// The system failed while writing.
    case writeFailed
    /// Its bytes don't say which characters they are.
    case undecidable
    /// Neither its name nor its first rows say what it holds.
    case notRecognised
    /// Standard input, or a pipe, came without saying what it holds.
    case kindNeeded
    /// A folder without anything that can be imported.
    case nothingToImport
    /// Something that must not be replaced stands where something is to be written.
    case alreadyThere
    /// The library that reads or writes such files isn't installed.
    case libraryMissing
  }

  public let code: Code
  /// As the caller wrote it; `-` is standard input.
  public let path: String
  /// The system's error number, 0 where the system raised none.
  public let systemError: Int32
  /// What to do about it.
  public let hint: String

  public init(_ code: Code, path: String, systemError: Int32 = 0, hint: String = "") {
    self.code = code
    self.path = path
    self.systemError = systemError
    self.hint = hint
  }

  /// One line for people, the path first.
  public var description: String {
    let what =
      switch code {
      case .notFound: "no such file or folder"
      case .notReadable: "may not be read"
      case .readFailed: systemError == 0 ? "reading failed" : "reading failed (system error \(systemError))"
      case .writeFailed: "writing failed (system error \(systemError))"
      case .undecidable: "can't be decoded"
      case .notRecognised: "is no file that can be imported"
      case .kindNeeded: "does not say what it holds"
      case .nothingToImport: "holds nothing that can be imported"
      case .alreadyThere: "is there already and was left alone"
      case .libraryMissing: "the library that reads and writes it isn't installed"
      }
    return "\(path): \(what)\(hint.isEmpty ? "" : "; \(hint)")"
  }
}
