import Foundation
import Glibc
import Testing
import VetNetTestSupport

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
}
