import Clinical
import Foundation
import PracticeTestSupport
import VetNet
import VetNetTestSupport
import Web

/// A practice with a server in this process, which ends with the value that owns it.
final class ServedPractice: LoopbackServer, @unchecked Sendable {
  let folder: TemporaryFolder
  let path: String
  private(set) var server: WorkspaceServer
  let port: Int
  /// The sample practice's Thursday morning.
  static let now = Timestamp(seconds: 1_795_684_200)
  static let day = "2026-11-26"

  /// What a test moves on.
  final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var passed: Int64 = 0
    var now: Timestamp { lock.withLock { Timestamp(seconds: ServedPractice.now.seconds + passed) } }
    func pass(seconds: Int64) { lock.withLock { passed += seconds } }
  }
  let clock = Clock()

  /// The sample practice, imported once for all tests: each gets a copy.
  private static let sample = Result {
    let folder = try TemporaryFolder()
    // Messages of nobody on file would wait in every test's inbox.
    let corpus = folder.file("Corpus")
    try FileManager.default.copyItem(atPath: projectDirectory + "/Corpus", toPath: corpus)
    let intakes = try String(contentsOfFile: corpus + "/intakes.jsonl", encoding: .utf8)
    let known = intakes.split(separator: "\n").filter { $0.contains(#""patient_id": "P"#) }.joined(separator: "\n")
    try Data((known + "\n").utf8).write(to: URL(filePath: corpus + "/intakes.jsonl"))
    try make(at: folder.file("p.vetnet"), importing: [corpus])
    return folder
  }

  private static func make(at path: String, importing paths: [String]) throws {
    let zone = try required(PracticeTimeZone(identifier: "Europe/London"))
    try Practice.create(at: path, name: "Fernleigh", timeZone: zone, now: now)
    guard !paths.isEmpty else { return }
    let practice = try Practice.open(at: path, models: shippedModels(), access: .write)
    try practice.perform(ImportRecords(paths: paths, options: ImportOptions()), by: .local, at: now)
  }

  /// A copy of the sample practice.
  static func copySample(to path: String) throws {
    let folder = try sample.get().path
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("p.vetnet") {
      try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: path + name.dropFirst("p.vetnet".count))
    }
  }

  /// Serves a copy of the sample practice, or one of `corpus`; `prepare` is given the practice before it is served. A request has so
  /// many seconds to arrive.
  init(
    corpus: [String]? = nil, arrivalSeconds: Double = 15, hosts: [String] = [],
    prepare: (Practice) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    path = folder.file("p.vetnet")
    if let corpus {
      try Self.make(at: path, importing: corpus.map { "\(projectDirectory)/\($0)" })
    } else {
      try Self.copySample(to: path)
    }
    let practice = try Practice.open(at: path, models: shippedModels(), access: .write)
    try prepare(practice)
    var listening = try Listening(ListenAddress("127.0.0.1:0"), hosts: hosts)
    listening.arrivalSeconds = arrivalSeconds
    server = try Self.serve(path, at: listening, clock)
    port = try Self.required(URL(string: server.url)?.port)
  }

  private static func serve(_ path: String, at listening: Listening, _ clock: Clock) throws -> WorkspaceServer {
    try WorkspaceServer(
      practice: path, at: listening, models: { try shippedModels() }, name: "Fernleigh",
      clock: { clock.now })
  }

  deinit { server.stop() }

  /// Serves the same file at the same address again, after ``stop()``.
  func restart() throws {
    server = try Self.serve(path, at: Listening(ListenAddress("127.0.0.1:\(port)")), clock)
  }

  static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw CocoaError(.featureUnsupported) }
    return value
  }

  func stop() { server.stop() }

  /// The token that a page of this server has.
  func token() throws -> String {
    try Self.required(ask("GET", "/api/v1/session").json()["token"] as? String)
  }
}
