import Clinical
import Foundation
import VetNet
import VetNetTestSupport
import Web

/// A practice with a server in this process, which ends with the value that owns it.
final class ServedPractice: @unchecked Sendable {
  let folder: TemporaryFolder
  let path: String
  let server: WorkspaceServer
  let port: Int
  /// The sample practice's Thursday morning.
  static let now = Timestamp(seconds: 1_795_684_200)
  static let day = "2026-11-26"

  /// Imports `corpus`; `prepare` is given the practice before it is served.
  init(corpus: [String] = ["Corpus"], prepare: (Practice) throws -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    path = folder.file("p.vetnet")
    let zone = try Self.required(PracticeTimeZone(identifier: "Europe/London"))
    try Practice.create(at: path, name: "Fernleigh", timeZone: zone, now: Self.now)
    let practice = try Practice.open(at: path, models: ModelDirectory(path: modelsDirectory), access: .write)
    try practice.perform(
      ImportRecords(paths: corpus.map { "\(projectDirectory)/\($0)" }, options: ImportOptions()), by: .local,
      at: Self.now)
    try prepare(practice)
    server = try WorkspaceServer(
      practice: path, at: ListenAddress("127.0.0.1:0"), models: { try ModelDirectory(path: modelsDirectory) },
      actor: .local, name: "Fernleigh", clock: { Self.now })
    port = try Self.required(URL(string: server.url)?.port)
  }

  deinit { server.stop() }

  private static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw CocoaError(.featureUnsupported) }
    return value
  }

  func stop() { server.stop() }

  var host: String { "127.0.0.1:\(port)" }

  /// One request on a connection of its own. A body is JSON, from this server's own pages; `headers` go over what is sent anyway,
  /// and an empty value leaves a header out.
  func ask(
    _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
  ) throws -> HTTPClient.Answer {
    let client = try HTTPClient(port: port)
    client.write(request(method, target, body, headers: headers))
    return try Self.required(client.answer(to: method))
  }

  func request(_ method: String, _ target: String, _ body: String?, headers: [String: String] = [:]) -> String {
    var all = ["Host": host, "Connection": "close"]
    if let body {
      all["Content-Type"] = "application/json"
      all["Origin"] = "http://\(host)"
      all["Content-Length"] = "\(body.utf8.count)"
    }
    all.merge(headers) { $1 }
    let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return "\(method) \(target) HTTP/1.1\r\n\(lines)\r\n\(body ?? "")"
  }

  /// The token that a page of this server has.
  func token() throws -> String {
    try Self.required(ask("GET", "/api/v1/session").json()["token"] as? String)
  }
}
