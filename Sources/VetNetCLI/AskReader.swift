import Answering
import Clinical
import FoundationEssentials
import VetNet

/// A guest who reads passages and says sentences, of which only what the record holds is shown.
struct AskReader {
  static let options = [
    Option("--reader", "COMMAND", "have this program answer from the passages; what its quotes don't hold is dropped"),
    Option("--reader-seconds", "N", "how long it may take (default 60)"),
    Option("--reader-memory", "MB", "how much memory it may take (default 16384)"),
    Option(
      "--reader-network", nil, "let it reach the one address of this machine that the practice allows (vetnet config)"),
  ]

  /// Whom a command with these options may talk to.
  static let reach: @Sendable (Arguments) -> Reach = {
    $0.isSet("--reader") && $0.isSet("--reader-network") ? .readerAddress : .nothing
  }

  let process: GuestProcess

  /// Nil where no reader is asked for; `allowed` is the address that the practice lets readers reach.
  init?(_ invocation: Invocation, allowed: LoopbackAddress?) throws {
    guard let command = invocation.arguments.value("--reader") else {
      for option in Self.options.dropFirst() where invocation.arguments.isSet(option.name) {
        throw UsageError("\(option.name) belongs to --reader")
      }
      return nil
    }
    var limits = GuestProcess.Limits()
    limits.seconds = try invocation.integer("--reader-seconds", in: 1...3600) ?? limits.seconds
    limits.megabytes = try invocation.integer("--reader-memory", in: 16...1_048_576) ?? limits.megabytes
    if invocation.arguments.isSet("--reader-network") {
      guard let allowed else {
        throw PracticeError(
          .notPermitted, "this practice lets readers reach no address",
          hint: "Say once where your model's server listens: vetnet config set reader-address 127.0.0.1:11434")
      }
      Confinement.narrow(to: allowed)
      limits.address = allowed
    }
    process = try GuestProcess(command: command, limits: limits)
  }

  /// What the guest says to a question handed to it.
  func reply(to question: GuestQuestion) throws -> GuestReply {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try GuestReply(json: process.run(Array(encoder.encode(question)), stop: { StopSignal.current != nil }))
  }

  /// What came of asking the guest.
  struct Outcome: Encodable {
    let sentences: Int
    let dropped: [String: Int]
    /// Why the guest gave nothing to judge.
    let failed: String?
  }

  /// The guest's answer as far as it holds, else nil: then VetNet's own stands.
  func answer(
    _ question: String, patient: String?, askedAt: Timestamp, _ invocation: Invocation, _ practice: Practice
  ) throws -> (answer: Answer?, outcome: Outcome) {
    let handed = try invocation.perform(
      GatherPassages(question: question, patient: patient, askedAt: askedAt), on: practice)
    guard let handed, !handed.passages.isEmpty else {
      return (nil, Outcome(sentences: 0, dropped: [:], failed: "there are no passages to hand over"))
    }
    StopSignal.watch()
    let said: GuestReply
    do {
      said = try reply(to: handed)
    } catch let error as PracticeError {
      if case .stopped = error.code { throw error }
      return (
        nil, Outcome(sentences: 0, dropped: [:], failed: error.description + (error.hint.map { ". \($0)" } ?? ""))
      )
    }
    let judged = try invocation.perform(CheckGuest(question: handed, reply: said), on: practice)
    let dropped = Dictionary(uniqueKeysWithValues: judged.dropped.map { ($0.key.rawValue, $0.value) })
    let outcome = Outcome(sentences: judged.answer.sentences.count, dropped: dropped, failed: nil)
    return (judged.answer.sentences.isEmpty ? nil : judged.answer, outcome)
  }
}

extension AskReader.Outcome {
  /// For a person.
  var line: String {
    if let failed { return "The reader gave nothing: \(failed). VetNet's own answer stands." }
    let reasons = dropped.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let lost = dropped.isEmpty ? "" : "; dropped, because the record doesn't hold it: \(reasons)"
    return sentences == 0
      ? "Nothing that the reader said holds\(lost). VetNet's own answer stands."
      : "Said by the reader, held by the quotes\(lost)."
  }
}
