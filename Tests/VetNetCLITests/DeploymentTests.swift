import Foundation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// What ships beside the program for those who run it as a service: read here; `make check-service` has systemd start the unit.
struct DeploymentTests {
  private func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: "\(projectDirectory)/Deployment/\(name)", encoding: .utf8)
      .replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix(";") }
  }

  /// Whether the program takes these words.
  private func parses(_ words: [String]) throws -> Arguments {
    #expect(words.prefix(2) == ["/usr/bin/vetnet", "serve"])
    return try Arguments(Array(words.dropFirst(2)), for: ServeCommand.command)
  }

  @Test
  func `the unit is of known sections and keys, tells when it is ready, and takes away what a server doesn't need`()
    throws
  {
    var section = ""
    var values: [String: [String]] = [:]
    for line in try lines("vetnet.service") {
      if line.hasPrefix("[") {
        #expect(["[Unit]", "[Service]", "[Install]"].contains(line), "\(line)")
        section = line
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      #expect(parts.count == 2 && parts[0].wholeMatch(of: /[A-Z][A-Za-z]+/) != nil && !section.isEmpty, "\(line)")
      values[parts[0], default: []].append(parts[1])
    }
    for (key, value) in [
      "Type": "notify", "DynamicUser": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes",
      "PrivateDevices": "yes", "NoNewPrivileges": "yes", "RestrictNamespaces": "yes", "MemoryDenyWriteExecute": "yes",
      "CapabilityBoundingSet": "", "UMask": "0077", "StateDirectory": "vetnet", "StateDirectoryMode": "0700",
      "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    ] {
      #expect(values[key] == [value], "\(key)")
    }
    // What confines the program's own processes is let through by name: a group of these is unknown to Debian 12's systemd.
    let filters = try #require(values["SystemCallFilter"]?.first)
    #expect(!filters.contains("@sandbox") && filters.contains("landlock_restrict_self"))
    let environment = try #require(values["Environment"]?.first?.firstMatch(of: /"VETNET_SERVE=([^"]*)"/)).1
    let words = try #require(values["ExecStart"]?.first).replacing("$VETNET_SERVE", with: String(environment))
      .split(separator: " ").map(String.init)
    let arguments = try parses(words)
    #expect(arguments.value("--practices") == "/var/lib/vetnet" && arguments.value("--listen") == "127.0.0.1:8417")
    let drain = try #require(arguments.value("--drain-seconds").flatMap { Int($0) })
    let stop = try #require(values["TimeoutStopSec"]?.first.flatMap { Int($0) })
    #expect(stop >= drain + 25, "what is under way has 25 seconds")
  }

  @Test func `the container file is of known instructions, runs as nobody special, and starts what the program takes`()
    throws
  {
    var instructions: [(String, String)] = []
    for line in try lines("Containerfile") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      #expect(parts.count == 2, "\(line)")
      #expect(
        ["FROM", "COPY", "RUN", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT"].contains(parts[0]),
        "\(line)")
      instructions.append((parts[0], parts[1]))
    }
    #expect(instructions.first?.0 == "FROM" && instructions.first?.1.contains("debian:") == true)
    let user = try #require(instructions.first { $0.0 == "USER" }?.1)
    #expect(user != "0" && user != "root")
    let entry = try #require(instructions.last { $0.0 == "ENTRYPOINT" }?.1)
    let words = try JSONDecoder().decode([String].self, from: Data(entry.utf8))
    let arguments = try parses(words)
    let port = try #require(arguments.value("--listen")?.split(separator: ":").last)
    #expect(instructions.contains { $0.0 == "EXPOSE" && $0.1 == port })
    let volume = try JSONDecoder().decode(
      [String].self, from: Data(#require(instructions.first { $0.0 == "VOLUME" }?.1.utf8)))
    #expect(volume == [arguments.value("--practices")])
  }

  @Test func `what is installed has the unit with the program's own place`() throws {
    let makefile = try String(contentsOfFile: "\(projectDirectory)/Makefile", encoding: .utf8)
    #expect(makefile.contains("s|/usr/bin/vetnet|$(PREFIX)/bin/vetnet|"))
  }
}
