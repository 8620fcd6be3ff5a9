import Answering
import Clinical
import Presentation
import VetNet

enum AskCommand {
  static let command = Command(
    "ask", "answers a question from the record, with citations",
    positionals: [
      Positional(
        "QUESTION", "in plain words; without it a session, or each line of standard input", optional: true,
        repeating: true
      )
    ],
    options: [
      Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
      Option("--asked-at", "DATE", "answer as of this moment: later notes do not exist yet"),
      Option("--explain", nil, "show what was understood, matched and expanded"),
      Option("--exit-status", nil, "exit with 4 when the record has no evidence"),
    ] + AskReader.options,
    examples: [
      Example("vetnet ask \"when was the last booster?\" --patient P007", "one question about one patient"),
      Example("vetnet ask \"what is Duchess on for her heart?\"", "the patient by name in the question"),
      Example("vetnet ask \"who is free at 3 today?\"", "from the appointment book"),
      Example(
        "vetnet ask \"what is Duchess on for her heart?\" --reader \"./local-model --quiet\"",
        "in a local model's words, as far as the record holds them"),
      Example("vetnet ask --patient P007 < questions.txt", "each line of a file is a question"),
      Example("vetnet ask", "a session: questions, one after another, about the same patient"),
    ],
    discussion: """
      Every sentence carries the number of the note it comes from, and each quote is read again from the note before it is
      shown. The answer is found, negative (the record says no), not recorded (the record is silent, which is not "no") or
      conflicting (notes disagree). A name that fits several patients is asked back; the exit code is then 5. A question that is
      about nothing but the appointment book, such as "who is free at 3 today?", is answered from it, as by vetnet schedule free. A --reader is a program that gets question and passages as JSON on
      standard input and prints {"sentences":[{"text","citations":[{"note_id","start","end","quote"}]}]}; a sentence with a quote that
      isn't there, or a number, drug, side, date or finding that its quotes don't hold, or hold in another sense, is dropped and
      counted. It runs without a shell and without the network, within its time and memory; --reader-network lets it reach the one
      address of this machine that the practice allows (vetnet config set reader-address 127.0.0.1:11434) and nothing else. Where nothing
      of it holds, VetNet's own answer stands.
      """,
    reach: AskReader.reach, files: { $0.isSet("--reader") ? .anywhere : .named }
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openForQuestion { $0.beginAnswering(aboutAll: arguments.value("--patient") == nil) }
    let askedAt = try askedAt(invocation, practice.timeZone)
    if arguments.positionals.isEmpty, invocation.terminal.stdinIsTerminal {
      var session = AskSession(
        practice: practice, patient: arguments.value("--patient"), askedAt: askedAt,
        clock: { (try? invocation.now(in: practice.timeZone)) ?? askedAt },
        asker: { try invocation.actor(in: practice) })
      return InteractiveLoop.run(&session, terminal: invocation.terminal)
    }
    let questions = try questions(arguments.positionals)
    let reader = try AskReader(invocation, allowed: practice.settings.readerAddress)
    var codes: [ExitCode] = []
    for (index, question) in questions.enumerated() {
      if questions.count > 1, !invocation.wantsJSON {
        invocation.terminal.print("\(index == 0 ? "" : "\n")> \(invocation.terminal.shown(question))")
      }
      codes.append(try answer(question, askedAt: askedAt, reader, invocation, practice))
    }
    invocation.warnOfDamage(in: practice)
    return codes.first { $0 == .ambiguousPatient } ?? codes.first { $0 != .ok } ?? .ok
  }

  /// The words as one question; without words, or for "-", each line of standard input.
  private static func questions(_ words: [String]) throws -> [String] {
    guard words.isEmpty || words == ["-"] else { return [words.joined(separator: " ")] }
    let lines = try InputText.read("-").split(whereSeparator: \.isNewline).map(String.init)
      .filter { $0.contains { !$0.isWhitespace } }
    guard !lines.isEmpty else { throw UsageError("'vetnet ask' needs QUESTION") }
    return lines
  }

  private static func answer(
    _ question: String, askedAt: Timestamp, _ reader: AskReader?, _ invocation: Invocation, _ practice: Practice
  ) throws -> ExitCode {
    let arguments = invocation.arguments
    if arguments.value("--patient") == nil, !arguments.isSet("--asked-at"), try practice.settings.isOn(.bookQuestions),
      let free = try invocation.perform(AskBook(question: question), on: practice)
    {
      try invocation.show(BookAnswerOutput(free, zone: practice.timeZone)) {
        FreeText.lines(free, zone: practice.timeZone, width: invocation.terminal.width)
      }
      return .ok
    }
    var answer = try invocation.perform(
      Ask(question: question, patient: arguments.value("--patient"), askedAt: askedAt), on: practice)
    var read: AskReader.Outcome?
    if let reader, answer.answerClass != .ambiguousPatient, !answer.isNotUnderstood {
      let said = try reader.answer(
        question, patient: arguments.value("--patient"), askedAt: askedAt, invocation, practice)
      if let held = said.answer { answer = held }
      read = said.outcome
    }
    let today = practice.timeZone.date(of: askedAt)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        ReadAnswerOutput(
          answer: AnswerOutput(
            answer, zone: practice.timeZone, today: today, explains: arguments.isSet("--explain")), reader: read))
    } else {
      for line in AnswerText.lines(
        answer, zone: practice.timeZone, today: today, width: invocation.terminal.width,
        explains: arguments.isSet("--explain"))
      {
        invocation.terminal.print(line)
      }
      if let read { invocation.terminal.say(read.line) }
    }
    if answer.answerClass == .ambiguousPatient { return .ambiguousPatient }
    if answer.answerClass == .notRecorded, arguments.isSet("--exit-status") { return .noEvidence }
    return .ok
  }

  /// A day without a time means its end: what was written that day is known.
  private static func askedAt(_ invocation: Invocation, _ zone: PracticeTimeZone) throws -> Timestamp {
    guard let text = invocation.arguments.value("--asked-at") else { return try invocation.now(in: zone) }
    if let date = CalendarDate(iso: text) { return Timestamp(seconds: zone.interval(of: date).upperBound.seconds - 1) }
    return try invocation.moment("--asked-at", in: zone) ?? invocation.now(in: zone)
  }
}

/// An answer's JSON with what came of asking a reader beside it.
struct ReadAnswerOutput: Encodable {
  let answer: AnswerOutput
  /// Left out where none was asked.
  let reader: AskReader.Outcome?

  private enum CodingKeys: CodingKey {
    case reader
  }

  func encode(to encoder: any Encoder) throws {
    try answer.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(reader, forKey: .reader)
  }
}

/// The contract's JSON for an answer from the appointment book, which has no note to cite.
struct BookAnswerOutput: Encodable {
  let answer_class = Answer.Class.found
  let candidates: [PatientOutput] = []
  let answer: String
  let sentences: [CitedSentence]
  let citations: [AnswerOutput.CitationOutput] = []
  let free: FreeOutput

  init(_ free: FreeTimes, zone: PracticeTimeZone) {
    let said = FreeText.sentences(free, zone: zone)
    answer = said.joined(separator: " ")
    sentences = said.map { CitedSentence(text: $0, citations: []) }
    self.free = FreeOutput(free, zone: zone)
  }
}

/// An answer as a person reads it: sentences with numbers, then what each number points at.
enum AnswerText {
  /// - `choice` is how to say which of several patients is meant.
  static func lines(
    _ answer: Answer, zone: PracticeTimeZone, today: CalendarDate, width: Int, explains: Bool,
    choice: String = "ask again with --patient ID"
  ) -> [String] {
    var lines: [String] = []
    switch answer.answerClass {
    case .found: break
    case .negative: lines.append("The record says no:")
    case .notRecorded where answer.isNotUnderstood: break
    case .notRecorded: lines.append("The record doesn't say.")
    case .conflicting: lines.append("Notes disagree:")
    case .ambiguousPatient: lines.append("Several patients may be meant; \(choice):")
    }
    if answer.answerClass == .notRecorded, answer.sentences.isEmpty, !answer.text.isEmpty {
      lines += answer.text.wrapped(to: width)
    }
    if let headline = answer.headline, !answer.sentences.isEmpty { lines += headline.wrapped(to: width) }
    for candidate in answer.candidates {
      lines.append("  \(candidate.id.padded(to: 8))\(candidate.summary(on: today))")
    }
    for sentence in answer.sentences {
      let marks = sentence.citations.map { "[\($0 + 1)]" }.joined()
      lines += "\(sentence.text) \(marks)".wrapped(to: width)
    }
    if !answer.citations.isEmpty { lines.append("") }
    for (index, citation) in answer.citations.enumerated() {
      let author = citation.author.map { ", \($0)" } ?? ""
      let copied = citation.copiedFrom.map { " · copied from the note of \(zone.date(of: $0))" } ?? ""
      lines.append("  [\(index + 1)] \(citation.noteID) · \(zone.date(of: citation.recordedAt))\(author)\(copied)")
      lines += "“\(citation.quote)”".wrapped(to: width, indent: "      ")
    }
    if explains {
      lines.append("")
      lines += ExplanationText.lines(answer.explanation)
    }
    return lines
  }
}

/// An explanation tree as indented lines.
enum ExplanationText {
  static func lines(_ explanation: Explanation, depth: Int = 0) -> [String] {
    let indent = String(repeating: "  ", count: depth)
    let quotes = explanation.evidence.map { "“\($0.quote.shortened(to: 60))”" }.joined(separator: ", ")
    let line = "\(indent)\(number(explanation.value))  \(explanation.description)\(quotes.isEmpty ? "" : "  \(quotes)")"
    return [line] + explanation.details.flatMap { lines($0, depth: depth + 1) }
  }

  /// Three decimals at most, none where they are zero.
  static func number(_ value: Double) -> String {
    let scaled = (value * 1000).rounded() / 1000
    return scaled == scaled.rounded() && abs(scaled) < 1e15 ? String(Int(scaled)) : String(scaled)
  }
}
