import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// What waits to be filed, on its way from one practice file to another: records go by export and import.
enum InboxTransferCommands {
  static let export = Command(
    "inbox export", "prints what waits, was put off or rejected, whole, one JSON object an item",
    examples: [
      Example("vetnet inbox export > inbox.jsonl", "for another practice file, which vetnet inbox add takes it into")
    ],
    discussion: "What was filed is a record by now, and leaves with vetnet export. Files as they came stand in base 64."
  ) { invocation in
    let practice = try invocation.openPractice()
    for listed in try invocation.perform(ListInbox(states: InboxItem.State.open + [.rejected]), on: practice) {
      let item = try invocation.perform(ShowInboxItem(id: listed.id), on: practice)
      try invocation.terminal.printJSON(InboxLine(item, zone: practice.timeZone))
    }
    return .ok
  }

  static let add = Command(
    "inbox add", "takes in what vetnet inbox export of another practice file printed",
    positionals: [Positional("FILE", "lines of JSON, or - for standard input")],
    examples: [
      Example("vetnet inbox add inbox.jsonl", "after the records, whose patients it names"),
      Example("vetnet inbox add -", "from another program"),
    ],
    discussion: """
      All items or none; the same again changes nothing. Patients and appointments that they name have to be on file. What was put
      off or rejected is again, by whoever adds it, one after the other.
      """
  ) { invocation in
    let path = invocation.arguments.positionals[0]
    let text = try InputText.lines(path)
    let practice = try invocation.openPractice(.write)
    var items: [IncomingItem] = []
    var read: [InboxLine] = []
    for (number, line) in text.enumerated() where line.contains(where: { !$0.isWhitespace }) {
      let parsed = try parse(line, number + 1, path)
      read.append(parsed)
      do {
        items.append(try parsed.item(in: practice.timeZone))
      } catch let error as InboxLine.UnreadableField {
        throw problem(path, number + 1, "'\(error.name)' is no time")
      }
    }
    guard !items.isEmpty else {
      throw PracticeError(.failed, "'\(path)' holds no item", hint: "Maybe the name is mistyped.")
    }
    let receipt = try invocation.perform(AddToInbox(items: items), on: practice)
    let now = try invocation.now(in: practice.timeZone)
    for (line, id) in zip(read, receipt.ids) where line.state != .waiting && line.state != .filed {
      // Whatever somebody decided here since stands.
      guard try invocation.perform(ShowInboxItem(id: id), on: practice).decisions.isEmpty else { continue }
      let until: Timestamp?
      do throws(InboxLine.UnreadableField) {
        until = try line.until(in: practice.timeZone, now: now)
      } catch {
        throw PracticeError(.invalidArgument, "'\(error.name)' of \(id) is no time", hint: "It was added, and waits.")
      }
      if line.state == .asked, let asked = line.asked {
        try invocation.perform(AskBack(id: id, text: asked, until: until), on: practice, at: now)
      } else {
        try invocation.perform(
          SetInboxItemAside(
            id: id, isRejected: line.state == .rejected, reason: line.decision ?? "as in the file", until: until),
          on: practice, at: now)
      }
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(receipt)
    } else {
      invocation.terminal.print("\(receipt.added) new, \(receipt.updated) with other words, \(receipt.unchanged) known")
    }
    return .ok
  }

  private static func parse(_ line: Substring, _ number: Int, _ path: String) throws -> InboxLine {
    do {
      return try JSONDecoder().decode(InboxLine.self, from: Data(line.utf8))
    } catch let error as DecodingError {
      throw problem(path, number, words(error))
    }
  }

  private static func problem(_ path: String, _ number: Int, _ words: String) -> PracticeError {
    PracticeError(
      .invalidArgument, "\(path), line \(number): \(words); nothing was added",
      hint: "Lines are those that vetnet inbox export prints.")
  }

  /// Which field, and never what stood there.
  private static func words(_ error: DecodingError) -> String {
    func field(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    switch error {
    case .keyNotFound(let key, let context): return "'\(field(context.codingPath + [key]))' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "'\(field(context.codingPath))' has another type"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "is no JSON object" : "'\(field(context.codingPath))' has a value that nobody knows"
    @unknown default: return "can't be read"
    }
  }
}
