import Clinical
import Foundation
import Glibc
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport
import Web

/// Serving other machines: TLS, names, keys.
struct TLSTests {
  private static let openssl = "/usr/bin/openssl"

  @discardableResult
  private func run(_ words: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: Self.openssl)
    process.arguments = words
    let (into, out) = (Pipe(), Pipe())
    process.standardInput = into
    process.standardOutput = out
    process.standardError = FileHandle.nullDevice
    try process.run()
    try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try into.fileHandleForWriting.close()
    let data = try out.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func makeCertificate(_ folder: TemporaryFolder) throws -> (chain: String, key: String) {
    let (chain, key) = (folder.file("desk.pem"), folder.file("desk.key"))
    try run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
      "/CN=desk.test", "-keyout", key, "-out", chain,
    ])
    chmod(key, 0o600)
    return (chain, key)
  }

  @Test(.enabled(if: access(openssl, X_OK) == 0))
  func `another machine is served over TLS by the names that were given, and its cookie is this host's alone`() throws {
    let folder = try TemporaryFolder()
    let (chain, key) = try makeCertificate(folder)
    let program = try VetNetProcess(practice: folder.file("p.vetnet"))
    try program.run("init", "--time-zone", "Europe/London")
    let listen = ["serve", "--listen", "0.0.0.0:0", "--tls-cert", chain, "--tls-key", key]
    let open = try program.start(listen + ["--host", "desk.test"]).wait()
    #expect(open.status == 15 && open.errors.contains("needs users") && !open.errors.contains("TLS ("))
    let secret = try folder.write("words of the administrator\n", to: "words")
    #expect(
      try program.run("user", "add", "ann", "--role", "administrator", "--new-passphrase-file", secret).status == 0)
    let nameless = try program.start(listen).wait()
    #expect(nameless.status == 64 && nameless.errors.contains("--host NAME"))
    let shared = try program.start(listen + ["--host", "desk.test", "--as", "ann", "--passphrase-file", secret]).wait()
    #expect(shared.status == 15 && shared.errors.contains("would act as that user"))

    let server = try program.start(listen + ["--host", "desk.test", "--host", "Other.test"])
    defer { server.kill() }
    var found: Int?
    for _ in 0..<200 where found == nil {
      usleep(50_000)
      found = server.output().firstMatch(of: /https:\/\/desk\.test:(\d+)\//).flatMap { Int($0.1) }
    }
    let port = try #require(found)
    func ask(_ method: String, _ path: String, host: String, _ body: String = "", _ more: String = "") throws -> String
    {
      try run(
        ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-servername", "desk.test"],
        input:
          "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nOrigin: https://\(host):\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(more)\r\n\(body)"
      )
    }
    let words = #"{"name":"ann","passphrase":"words of the administrator"}"#
    let signedIn = try ask("POST", "/api/v1/session", host: "desk.test", words)
    #expect(signedIn.contains("201 Created") && signedIn.contains("Set-Cookie: __Host-vetnet="))
    #expect(signedIn.contains("; Secure") && signedIn.contains("; HttpOnly") && signedIn.contains("; Path=/"))
    let cookie = try #require(signedIn.firstMatch(of: /Set-Cookie: ([^;]+);/)).1
    let page = try ask("GET", "/day/today", host: "other.test", "", "Cookie: \(cookie)\r\n")
    #expect(page.contains("303 See Other") && page.contains("Location: /day/2"))
    #expect(try ask("GET", "/", host: "evil.test").contains("421"))
    // Neither without TLS, nor with what is older than 1.2.
    #expect(try HTTPClient(port: port).answerTo("GET / HTTP/1.1\r\nHost: desk.test:\(port)\r\n\r\n") == nil)
    let old = try run(
      ["s_client", "-quiet", "-tls1_1", "-connect", "127.0.0.1:\(port)"], input: "GET / HTTP/1.1\r\n\r\n")
    #expect(!old.contains("HTTP/1.1"))
  }

  @Test(.enabled(if: access(openssl, X_OK) == 0))
  func `a key that others can read is not used, nor one that is none`() throws {
    let folder = try TemporaryFolder()
    let (chain, key) = try makeCertificate(folder)
    _ = try ServerCertificate(certificate: chain, key: key)
    for mode: mode_t in [0o644, 0o620, 0o602, 0o604] {
      chmod(key, mode)
      let error = #expect(throws: PracticeError.self) { try ServerCertificate(certificate: chain, key: key) }
      #expect(error?.code == .fileRights && error?.hint?.contains("chmod 600") == true, "\(String(mode, radix: 8))")
    }
    chmod(key, 0o600)
    chmod(chain, 0o600)
    for (chain, key) in [
      (key, key), (chain, chain), (folder.file("none"), key), (chain, folder.file("none")), (folder.path, key),
      (chain, "/dev/zero"),
    ] { #expect(throws: PracticeError.self) { try ServerCertificate(certificate: chain, key: key) } }
    // One that was made for another key.
    let other = try TemporaryFolder()
    let (_, strange) = try makeCertificate(other)
    let mixed = try ServerCertificate(certificate: chain, key: strange)
    let path = folder.file("p.vetnet")
    try Practice.create(at: path, name: nil, timeZone: .utc, now: ServedPractice.now)
    let error = #expect(throws: PracticeError.self) {
      _ = try WorkspaceServer(
        practice: path, at: Listening(ListenAddress("127.0.0.1:0"), certificate: mixed),
        models: { try shippedModels() }, name: "x", clock: { ServedPractice.now })
    }
    #expect(error?.description.contains("can't be used together") == true)
  }
}
