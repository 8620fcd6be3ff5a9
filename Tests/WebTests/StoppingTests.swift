import Foundation
import Glibc
import Synchronization
import Testing
import VetNetTestSupport

@testable import Web

/// A server that ends while it is asked.
struct StoppingTests {
  @Test func `connections that are kept open and ask on while the server stops are closed, and nothing breaks`() throws
  {
    for round in 0..<6 {
      let served = try ServedPractice(corpus: [])
      let host = served.host
      let clients = try (0..<8).map { _ in try HTTPClient(port: served.port) }
      let ended = DispatchSemaphore(value: 0)
      for client in clients {
        nonisolated(unsafe) let client = client
        Thread.detachNewThread {
          // Until the connection is closed.
          while let answer = client.answerTo("GET /api/v1/session HTTP/1.1\r\nHost: \(host)\r\n\r\n") {
            if answer.status != 200 { break }
          }
          ended.signal()
        }
      }
      usleep(UInt32(20_000 + 7_000 * round))
      served.stop()
      for _ in clients { #expect(ended.wait(timeout: .now() + 20) == .success) }
    }
  }

  @Test func `what takes longer than a stop waits for is answered all the same, and the process goes on`() throws {
    let arrived = DispatchSemaphore(value: 0)
    let held = Mutex<(@Sendable (Response) -> Void)?>(nil)
    let server = try HTTPServer(
      Listening(ListenAddress("127.0.0.1:0")), endStreams: {}, mayUpload: { _ in true },
      receive: { _, answer in
        held.withLock { $0 = answer }
        arrived.signal()
      })
    let client = try HTTPClient(port: server.port)
    client.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    try #require(arrived.wait(timeout: .now() + 20) == .success)
    server.stop(patience: 0.05)
    #expect(throws: HTTPClient.Unreachable.self) { try HTTPClient(port: server.port) }
    let answer = try #require(held.withLock { $0 })
    answer(Response(200, type: "text/plain", Array("late".utf8)))
    #expect(client.answer()?.text == "late")
  }
}
