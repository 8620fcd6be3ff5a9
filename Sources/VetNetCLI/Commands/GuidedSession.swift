import Assessment
import Clinical
import VetNet

/// Questions and answers about one intake, with a person or from a file.
struct GuidedSession {
  /// Where answers come from.
  enum Answers {
    case person
    case file([String: GuidedAnswer])
  }

  let practice: Practice
  let invocation: Invocation
  let protocolName: String

  /// - Returns: nil when no session is wanted.
  /// - Throws: ``UsageError`` naming the line of the file that can't be read.
  static func answers(_ arguments: Arguments) throws -> Answers? {
    guard let path = arguments.value("--answers") else { return arguments.isSet("--guided") ? .person : nil }
    var answers: [String: GuidedAnswer] = [:]
    let lines = try InputText.read(path).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) && line.first != "#" {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count == 2, let answer = GuidedAnswer(rawValue: cells[1].lowercased()) else {
        throw UsageError("\(path), line \(index + 1): write a finding's id, a tab, and yes, no or unknown")
      }
      answers[String(cells[0])] = answer
    }
    return .file(answers)
  }

  private var terminal: Terminal { invocation.terminal }

  /// Asks until no answer can change the level, and gives the one that follows; nil where the answers say nothing new.
  func run(_ intake: Intake, patient: String?, answers: Answers, now: Timestamp) throws -> SettledLevel? {
    var session = try invocation.perform(
      GuideTriage(intake: intake, patient: patient, protocolName: protocolName), on: practice, at: now)
    while let question = session.next {
      guard let answer = answer(question, from: answers) else { break }
      session.answer(question.id, answer)
    }
    if case .file(let given) = answers {
      let asked = Set(session.answers.map(\.id))
      for id in given.keys.sorted() where !asked.contains(id) {
        terminal.say("'\(id)' was not asked about; its answer counts for nothing")
      }
    }
    return session.conclusion
  }

  private func answer(_ question: GuidedQuestion, from answers: Answers) -> GuidedAnswer? {
    switch answers {
    case .file(let given):
      let answer = given[question.id] ?? .unknown
      terminal.say("\(question.id) (\(question.level.rawValue)): \(question.text) \(answer.rawValue)")
      return answer
    case .person:
      while true {
        terminal.say("\(question.text) [yes/no/unknown, empty to stop]")
        guard let line = readLine()?.lowercased(), !line.isEmpty else { return nil }
        let found: [GuidedAnswer] = [.yes, .no, .unknown].filter { $0.rawValue.hasPrefix(line) }
        if let answer = found.first { return answer }
      }
    }
  }
}
