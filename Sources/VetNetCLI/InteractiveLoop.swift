import Answering
import Clinical
import Presentation
import VetNet

/// The questions of one sitting. The patient that a question names stays in context until another is chosen.
struct AskSession {
  let practice: Practice
  var patient: String?
  let askedAt: Timestamp
  private(set) var isOver = false
  private var citations: [Citation] = []

  /// The present moment, for the audit log.
  private let clock: () -> Timestamp

  /// Who asks, looked up for each question: a session may be over by the next.
  private let asker: () throws -> Actor

  init(
    practice: Practice, patient: String?, askedAt: Timestamp, clock: (() -> Timestamp)? = nil,
    asker: @escaping () throws -> Actor = { .local }
  ) {
    self.clock = clock ?? { askedAt }
    self.asker = asker
    self.practice = practice
    self.patient = patient
    self.askedAt = askedAt
  }

  var prompt: String { patient.map { "\($0)> " } ?? "ask> " }

  static let help = """
    A question in plain words, or:
      patient NAME   talk about this patient (id, microchip or name)
      patient        talk about the whole practice
      N              open the note behind citation N
      quit           leave (so does Ctrl-D; Ctrl-C drops a line)
    """

  /// What to show for one line of input.
  mutating func respond(to line: String, width: Int) -> [String] {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return [] }
    switch (first.lowercased(), words.count) {
    case ("quit", 1), ("exit", 1):
      isOver = true
      return []
    case ("help", 1), ("?", 1):
      return Self.help.split(separator: "\n").map(String.init)
    case ("patient", 1):
      patient = nil
      return ["The whole practice."]
    case ("patient", _):
      return showing { session in
        let found = try session.perform(IdentifyPatient(reference: words.dropFirst().joined(separator: " ")))
        session.patient = found.id
        return [
          found.summary(
            on: session.practice.timeZone.date(of: session.askedAt), units: session.practice.settings.units)
        ]
      }
    default:
      if words.count == 1, let number = Int(first) { return open(number) }
      return ask(line, width: width)
    }
  }

  private mutating func open(_ number: Int) -> [String] {
    guard citations.indices.contains(number - 1) else { return ["There is no citation \(number) in the last answer."] }
    let id = citations[number - 1].noteID
    return showing { session in
      let note = try session.perform(ShowNote(id: id)).history.note
      return ["\(note.id) · \(session.practice.timeZone.describe(note.recordedAt)) · \(note.kind.rawValue)", note.text]
    }
  }

  private mutating func ask(_ question: String, width: Int) -> [String] {
    showing { session in
      if session.patient == nil, try session.practice.settings.isOn(.bookQuestions),
        let free = try session.perform(AskBook(question: question))
      {
        return FreeText.lines(free, zone: session.practice.timeZone, width: width)
      }
      let answer = try session.perform(
        Ask(question: question, patient: session.patient, askedAt: session.askedAt))
      let recordWarning = Invocation.recordWarning(session.practice)
      session.citations = answer.citations
      let zone = session.practice.timeZone
      let today = zone.date(of: session.askedAt)
      var lines: [String] = []
      if session.patient == nil, let named = try session.perform(PatientInQuestion(question: question)) {
        session.patient = named.id
        lines.append(named.summary(on: today, units: session.practice.settings.units))
      }
      return lines
        + AnswerText.lines(
          answer, zone: zone, today: today, width: width, explains: false, choice: "say which with 'patient ID'")
        + [Invocation.damageWarning(session.practice), recordWarning].compactMap(\.self)
    }
  }

  private func perform<Wanted: VetNet.Operation>(_ operation: Wanted) throws -> Wanted.Outcome {
    try practice.perform(operation, by: asker(), at: clock())
  }

  /// A mistake ends a question, not the session.
  private mutating func showing(_ work: (inout AskSession) throws -> [String]) -> [String] {
    do {
      return try work(&self)
    } catch let error as PracticeError {
      return [error.description] + error.candidates.map { "  \($0.id)  \($0.name)" } + (error.hint.map { [$0] } ?? [])
    } catch {
      return ["\(error)"]
    }
  }
}

/// Reads lines from the person and shows what the session says to each.
enum InteractiveLoop {
  static func run(_ session: inout AskSession, terminal: Terminal) -> ExitCode {
    guard let editor = LineEditor() else { return .failed }
    terminal.print("Ask about the record; 'help' shows what else you can type.")
    while !session.isOver {
      terminal.flush()
      guard let line = editor.line(prompt: session.prompt) else {
        terminal.print()
        break
      }
      switch line {
      case .line(let line):
        for text in session.respond(to: line, width: terminal.width) { terminal.print(text) }
      case .cancelled(let isEmpty):
        terminal.print(isEmpty ? "\nCtrl-D or 'quit' leaves." : "")
      }
    }
    return .ok
  }
}
