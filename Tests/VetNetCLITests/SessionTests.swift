import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// The session of `vetnet ask`, typed into as a person does: on a terminal of its own.
struct SessionTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try SampleCorpus.practice(at: folder.file("p.vetnet"))
  }

  @Test func `a shared name given as the patient is an answer with candidates`() throws {
    let outcome = try vetnet.run("ask", "weight", "--patient", "Bella", "--json")
    #expect(outcome.status == 5)
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.errors)")
    #expect(answer["answer_class"] as? String == "ambiguous_patient")
    #expect((answer["candidates"] as? [[String: Any]])?.map { $0["id"] as? String } == ["P001", "P009"])
  }

  @Test func `a line can be edited, repeated and dropped, and the patient stays until another is named`() throws {
    let terminal = try PseudoTerminal(vetnet, ["ask", "--now", "2026-11-20T18:00"])
    defer { terminal.close() }
    #expect(terminal.read(until: "ask> ").contains("help"))
    terminal.type("patient P001\n")
    #expect(terminal.read(until: "P001> ").contains("Bella"))
    terminal.type("gaba dose?\n")
    #expect(terminal.read(until: "P001> ", after: "[1]").contains("300 mg"))
    terminal.type("1\n")
    #expect(terminal.read(until: "P001> ", after: "N00").contains("N0046"))
    // Ctrl-C drops the line, and says at an empty one how to leave.
    terminal.type("half a line\u{3}")
    _ = terminal.read(until: "P001> ", after: "^C")
    terminal.type("\u{3}")
    #expect(terminal.read(until: "P001> ", after: "^C").contains("Ctrl-D"))
    // Keys pressed while an answer is worked out wait for the next line, Ctrl-C among them.
    terminal.type("weight trend?\nhalf\u{3}\u{3}")
    _ = terminal.read(until: "P001> ", after: "[1]")
    _ = terminal.read(until: "P001> ", after: "^C")
    #expect(terminal.read(until: "P001> ", after: "^C").contains("Ctrl-D"))
    // Ctrl-A and Ctrl-E move; the arrow brings back the last line.
    terminal.type("el\u{1}h\u{5}p\n")
    #expect(terminal.read(until: "P001> ", after: "quit").contains("leave"))
    terminal.type("\u{1b}[A\n")
    #expect(terminal.read(until: "P001> ", after: "quit").contains("leave"))
    terminal.type("patient\n")
    #expect(terminal.read(until: "ask> ").contains("whole practice"))
    // The patient that a question names stays as well.
    terminal.type("what is Duchess on for her heart?\n")
    #expect(terminal.read(until: "P004> ", after: "[1]").contains("Cavalier"))
    terminal.type("\u{4}")
    #expect(terminal.exitStatus() == 0)
  }
}

/// A program on a terminal that a test types into.
final class PseudoTerminal {
  private static let unlock: UInt = 0x4004_5431
  private static let slaveNumber: UInt = 0x8004_5430
  private let master: Int32
  private let process = Process()
  private var unread = ""

  /// One that is so many columns wide, or as the system makes it; `sendsSignals` where Ctrl-C is to be a signal, as in a window.
  init(
    _ program: VetNetProcess, _ arguments: [String], columns: Int? = nil, sendsSignals: Bool = false
  ) throws {
    // By system calls: the C library's names for them are not in Glibc's module. <linux/tty.h>, ioctl_tty(2).
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, UInt32) = (0, 0)
    guard master >= 0, ioctl(master, Self.unlock, &lock) == 0, ioctl(master, Self.slaveNumber, &number) == 0 else {
      throw CocoaError(.fileNoSuchFile)
    }
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    if let columns { resize(to: columns) }
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    let words = (sendsSignals ? ["/usr/bin/setsid", "--ctty", "--wait"] : []) + [program.executable] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = program.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  /// As somebody who drags the window's border.
  func resize(to columns: Int) {
    var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Everything that is shown until the program has ended.
  func readToEnd() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let end = Date.now.addingTimeInterval(120)
    while Date.now < end {
      let isOver = !process.isRunning
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      // This process holds the other end too, so that no end is read: what is there after the program is the last.
      guard poll(&waiting, 1, isOver ? 0 : 100) > 0 else {
        if isOver { break }
        continue
      }
      let count = Glibc.read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// What is shown up to the next prompt that comes after a mark, or what there is after two minutes: a machine may be busy.
  func read(until prompt: String, after mark: String = "") -> String {
    let end = Date.now.addingTimeInterval(120)
    while Date.now < end {
      let from = mark.isEmpty ? unread.startIndex..<unread.startIndex : unread.range(of: mark)
      if let from, let found = unread.range(of: prompt, range: from.upperBound..<unread.endIndex) {
        let shown = String(unread[..<found.upperBound])
        unread = String(unread[found.upperBound...])
        return shown
      }
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 200) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = Glibc.read(master, &buffer, buffer.count)
      if count <= 0 { break }
      unread += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return unread
  }

  func exitStatus() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  func close() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    _ = Glibc.close(master)
  }
}
