import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// However others behave, whoever behaves is served.
struct AbuseTests {
  @Test func `beside a thousand connections that say nothing, and headers without end, pages are served`() throws {
    let served = try ServedPractice(corpus: [])
    let silent = try (0..<1000).map { _ in try HTTPClient(port: served.port) }
    for (index, client) in silent.enumerated() where index.isMultiple(of: 3) {
      client.write("GET /triage HTTP/1.1\r\nHost: \(served.host)\r\nX-\(index): ")
    }
    let streams = try (0..<50).map { _ in try HTTPClient(port: served.port) }
    for stream in streams { stream.write(served.request("GET", "/api/v1/events", nil, headers: ["Connection": ""])) }
    for stream in streams { #expect(stream.read(until: "event: here") != nil) }
    let endless = String(repeating: "a", count: 200_000)
    for request in [
      "GET /triage HTTP/1.1\r\nHost: \(served.host)\r\nCookie: \(endless)\r\n\r\n",
      "GET /\(endless) HTTP/1.1\r\nHost: \(served.host)\r\n\r\n",
      "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 20_000) + "\r\n",
      "POST /api/v1/triage HTTP/1.1\r\nHost: \(served.host)\r\nContent-Length: -1\r\n\r\n",
      "POST /api/v1/triage HTTP/1.1\r\nHost: \(served.host)\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "POST /api/v1/triage HTTP/1.1\r\nHost: \(served.host)\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
      "POST /api/v1/triage HTTP/1.1\r\nHost: \(served.host)\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
      "BREW /pot HTTP/1.1\r\nHost: \(served.host)\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n",
    ] {
      let status = try HTTPClient(port: served.port).answerTo(request)?.status ?? 400
      #expect((400..<600).contains(status), "\(request.prefix(80)): \(status)")
    }
    let began = Date()
    for path in ["/healthz", "/triage", "/login", "/api/v1/session"] {
      #expect(try served.ask("GET", path).status < 400, "\(path)")
    }
    #expect(Date().timeIntervalSince(began) < 10)
    withExtendedLifetime(silent) {}
  }

  @Test func `who asks a lot and reads none of it costs no memory and no thread`() throws {
    let served = try ServedPractice(corpus: [], arrivalSeconds: 1)
    // Answers to these would be far more than the sockets hold.
    let deaf = try (0..<20).map { _ in try HTTPClient(port: served.port) }
    let style = try #require(try served.ask("GET", "/ask").text.firstMatch(of: /"(\/assets\/[^"]+app\.js)"/)).1
    for client in deaf {
      for _ in 0..<100 { client.write(served.request("GET", String(style), nil, headers: ["Connection": ""])) }
    }
    #expect(try served.ask("GET", "/healthz").status == 200)
    #expect(try served.ask("GET", "/ask").status == 200)
    withExtendedLifetime(deaf) {}
  }
}
