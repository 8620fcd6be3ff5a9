import Chart
import Clinical
import Extraction
import TextAnalysis

/// Answers how long a patient has been on a drug, or from when until when it was, with the notes that begin and end it.
struct CourseAnswer {
  let question: Question
  let naming: FactNaming
  let groups: PreventionGroups
  let chart: PatientChart

  /// The beginning of a course, and its end or the latest mention, in time order; nil where no course is asked for.
  func items(in record: PatientRecord) -> [RecordedFact]? {
    guard asksForCourse, question.period == nil,
      let topic = EventTopic(
        question, record, naming: naming, kinds: [.drug], groups: groups,
        passing: [.from, .until, .when, .since, .on, .long]),
      topic.kind == .drug
    else { return nil }
    let courses = chart.drugs.all.filter { topic.names.contains($0.drug) && $0.begun != nil }
    guard let course = question.asks(for: .first) ? courses.first : courses.last, let begun = course.begun else {
      return nil
    }
    return begun.note.id == course.latest.note.id ? [begun] : [begun, course.latest]
  }

  /// "How long has he been on it", "from when until when": not how long a course was to be, which its prescription says.
  private var asksForCourse: Bool {
    guard !question.has([.before, .after, .between, .without, .dose]) else { return false }
    if question.has(.from), question.has(.until) { return question.has(.when) }
    let text = " \(WordForm.words(of: question.text).joined(separator: " ")) "
    return (text.contains(" how long ") || text.contains(" since when "))
      && [" been on ", " he on ", " she on ", " it on ", " been taking ", " been getting "].contains {
        text.contains($0)
      }
  }
}
