public import Foundation
import Glibc

/// The built `vetnet`, run as a user runs it: a real process with real files.
public struct VetNetProcess: Sendable {
  public struct Outcome: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String

    /// The JSON objects that were printed, one a line.
    public func jsonLines() throws -> [[String: Any]] {
      try output.split(separator: "\n").map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let object = value as? [String: Any] else { throw NotAnObject(line: String(line.prefix(80))) }
        return object
      }
    }

    /// The one JSON object that was printed; long work prints a line a second before it, which say how far it is.
    public func json() throws -> [String: Any] {
      let lines = try jsonLines().filter { $0["message_type"] as? String != "progress" }
      guard lines.count == 1 else { throw NotAnObject(line: "\(lines.count) lines") }
      return lines[0]
    }
  }

  public struct NotAnObject: Error {
    public let line: String
  }

  public var executable: String
  public var environment: [String: String]

  /// The program, on one practice file.
  public init(practice: String) throws {
    // The test bundle and the program are built side by side.
    executable = try Self.buildFolder() + "/vetnet"
    environment = [
      "VETNET_PRACTICE": practice, "VETNET_MODELS": modelsDirectory, "PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
    ]
  }

  /// Starts the program and returns at once; through another program, such as one that takes rights away, where `launcher` names it
  /// with its arguments.
  public func start(_ arguments: [String], input: String? = nil, launcher: [String] = []) throws -> Running {
    let process = Process()
    let words = launcher + [executable] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = environment
    // Output goes to files: a pipe that nobody empties would stop a talkative program.
    let folder = FileManager.default.temporaryDirectory.appending(path: "vetnet-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let output = folder.appending(path: "out")
    let errors = folder.appending(path: "err")
    let inputFile = folder.appending(path: "in")
    try Data((input ?? "").utf8).write(to: inputFile)
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    try process.run()
    return Running(process: process, folder: folder)
  }

  /// Runs the program to its end.
  @discardableResult
  public func run(_ arguments: String..., input: String? = nil) throws -> Outcome {
    try start(arguments, input: input).wait()
  }

  private static func buildFolder() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(filePath: own).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.isExecutableFile(atPath: folder.appending(path: "vetnet").path) { return folder.path }
      folder.deleteLastPathComponent()
    }
    let built = URL(filePath: projectDirectory).appending(path: ".build/debug/vetnet").path
    guard FileManager.default.isExecutableFile(atPath: built) else { throw CocoaError(.fileNoSuchFile) }
    return URL(filePath: built).deletingLastPathComponent().path
  }

  /// A process that is under way.
  public final class Running {
    public let process: Process
    private let folder: URL

    init(process: Process, folder: URL) {
      self.process = process
      self.folder = folder
    }

    public func wait() throws -> Outcome {
      process.waitUntilExit()
      defer { try? FileManager.default.removeItem(at: folder) }
      func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
      }
      return Outcome(status: process.terminationStatus, output: try text("out"), errors: try text("err"))
    }

    /// What it has printed until now.
    public func output() -> String {
      (try? Data(contentsOf: folder.appending(path: "out"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// SIGKILL, where no other signal is named: no handler, no clean-up.
    public func kill(_ signal: Int32 = SIGKILL) {
      Glibc.kill(process.processIdentifier, signal)
    }
  }
}
