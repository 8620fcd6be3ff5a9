import Glibc
import VetNet

/// An assistant that the practice runs itself, on standard input and output.
enum ModelContextCommand {
  static let command = Command(
    "mcp", "serves an assistant of the practice's own by the Model Context Protocol, on standard input and output",
    options: [Option("--allow-booking", nil, "let it book appointments too; without this it only reads")],
    examples: [
      Example("vetnet mcp", "what an assistant's settings name as the server's command"),
      Example("vetnet mcp --allow-booking --practice /srv/vet/practice.vetnet", "one that may book"),
    ],
    discussion: """
      Tools: ask, similar, triage, brief, drug, patient, schedule_free, schedule_propose, and schedule_book where it is allowed. Each does what the
      command of its name does with --json, with the same permissions, and is on record as the command is. Nothing listens on a network.
      """
  ) { invocation in
    // A practice that can't be opened is said at once, not to the first call.
    let practice = try invocation.openPractice(invocation.arguments.isSet("--allow-booking") ? .write : .read)
    try practice.settings.require(.assistant)
    let server = ContextServer(
      tools: ContextTool.reading + (invocation.arguments.isSet("--allow-booking") ? [ContextTool.booking] : []),
      run: { words in
        let terminal = Terminal(capturing: ())
        let tool = CommandLineTool(
          commands: CommandTable.all, environment: invocation.environment, executable: invocation.executable,
          clock: invocation.clock)
        // Before any "--", behind which all is text.
        let place = words.firstIndex(of: "--json") ?? words.count
        let code = tool.run(
          Array(words[..<place]) + invocation.arguments.passedOn + Array(words[place...]), on: terminal)
        return (terminal.captured, terminal.capturedMessages, code)
      })
    var lines = LineSource(limit: ContextServer.longestLine + 1)
    while let line = lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      if let answer = server.answer(to: line) {
        invocation.terminal.printRaw(answer.line + "\n")
        invocation.terminal.flush()
      }
    }
    return .ok
  }
}

extension Arguments {
  /// Options of every command that hold for what is called on somebody's behalf, too, before any `--`.
  var passedOn: [String] {
    Option.global.filter { $0.placeholder != nil }.flatMap { option in
      values(option.name).map { "\(option.name)=\($0)" }
    }
  }
}

/// The lines of a descriptor, each cut off where it is longer than anybody needs.
struct LineSource {
  let limit: Int
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var place = 0
  private var isOver = false

  /// Of standard input where nothing else is named.
  init(limit: Int, descriptor: Int32 = STDIN_FILENO) {
    self.limit = limit
    self.descriptor = descriptor
  }

  mutating func next() -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if place < buffer.count {
        let end = buffer[place...].firstIndex(of: 0x0A)
        let part = buffer[place..<(end ?? buffer.count)]
        line += part.prefix(max(0, limit - line.count))
        place = end.map { $0 + 1 } ?? buffer.count
        if end != nil { return line }
      }
      if isOver { return line.isEmpty ? nil : line }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        isOver = true
        continue
      }
      buffer = Array(bytes[..<count])
      place = 0
    }
  }
}
