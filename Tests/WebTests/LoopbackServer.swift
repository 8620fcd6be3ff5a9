import Foundation

/// A server on this machine, as a program asks it.
protocol LoopbackServer {
  var port: Int { get }
}

extension LoopbackServer {
  var host: String { "127.0.0.1:\(port)" }

  /// One request on a connection of its own. A body is JSON, from this server's own pages; `headers` go over what is sent anyway,
  /// and an empty value leaves a header out.
  func ask(
    _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
  ) throws -> HTTPClient.Answer {
    let client = try HTTPClient(port: port)
    client.write(request(method, target, body, headers: headers))
    guard let answer = client.answer(to: method) else { throw HTTPClient.Unanswered(request: "\(method) \(target)") }
    return answer
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
}
