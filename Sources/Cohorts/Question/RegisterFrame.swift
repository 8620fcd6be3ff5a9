public import Answering
public import Clinical
import TextAnalysis

/// A question by which patients are asked for, before it is known what is asked of them: "which cats over eight are on …".
public struct RegisterFrame: Sendable {
  let text: String
  /// Its words, in lower case.
  let written: [String]
  let found: [RegisterWords.Found]
  let filter: PatientFilter
  /// The words of the filter and the frame, which name nothing to look for.
  let framing: Set<String>
  let question: Question
  let classes: QuestionClasses

  func has(_ use: RegisterWords.Use) -> Bool { found.contains { $0.use == use } }
}

/// Tells questions for lists of patients from all others, by their words alone: most questions to a practice ask for no list, and
/// none of them should wait for what reads facts.
public struct RegisterFrameReader: Sendable {
  let parser: QuestionParser
  let words: RegisterWords

  /// - Parameters:
  ///   - parser: of questions.
  ///   - words: the words by which patients are asked for.
  public init(parser: QuestionParser, words: RegisterWords) {
    self.parser = parser
    self.words = words
  }

  private static let silent: Set<RegisterWords.Use> = [.ask, .frame, .negation, .ever, .deceased, .overdue, .due]
  private static let shortQuestion = 7

  /// - Parameters:
  ///   - text: the question.
  ///   - askedAt: for the times it names.
  ///   - zone: the practice's.
  /// - Returns: nil where no list is asked for.
  public func frame(of text: String, askedAt: Timestamp, zone: PracticeTimeZone) -> RegisterFrame? {
    let written = WordForm.words(of: text)
    let found = words.found(in: written)
    let filter = PatientFilter(written, found, classes: parser.classes)
    var framing = filter.words
    for item in found where Self.silent.contains(item.use) { framing.formUnion(written[item.words]) }
    let question = parser.parse(text, names: framing.sorted(), askedAt: askedAt, zone: zone)
    let frame = RegisterFrame(
      text: text, written: written, found: found, filter: filter, framing: framing, question: question,
      classes: parser.classes)
    return asksForPatients(frame) ? frame : nil
  }

  /// Whether patients are asked for rather than something about them in general.
  private func asksForPatients(_ frame: RegisterFrame) -> Bool {
    let question = frame.question
    guard
      question.roles.isDisjoint(with: [
        .why, .frequency, .advice, .permission, .trend, .comparison, .extreme, .side, .when, .amount,
      ])
    else { return false }
    if frame.has(.ask) { return true }
    // "How was a splenic mass treated?", "how did the cat do?": of what was done, in whomever.
    if let first = frame.written.first, parser.classes.isOne(first, of: .how) { return false }
    // "Dogs on phenobarbital", "diabetics": a plural without a verb.
    let isPlural = !frame.filter.species.isEmpty || frame.has(.frame)
    return question.isTerse || (isPlural && !question.isAboutPresent && !question.isAboutPast)
      || (isPlural && frame.written.count <= Self.shortQuestion)
  }
}
