import Clinical
import Extraction

/// Answers how long a patient has been on a drug, or from when until when it was, with the notes that begin and end it.
struct CourseAnswer {
  let question: Question
  let naming: FactNaming
  let groups: PreventionGroups

  /// The beginning of a course, and its end or the latest mention, in time order; nil where no course is asked for.
  func items(in record: PatientRecord) -> [RecordedFact]? {
    guard asksForCourse, question.period == nil,
      let topic = EventTopic(
        question, record, naming: naming, kinds: [.drug], groups: groups, passing: Self.asking),
      topic.kind == .drug
    else { return nil }
    let items = record.recordedFacts([.drug]).filter {
      topic.names.contains($0.fact.name) && $0.fact.assertion.experiencer == .patient
        && $0.fact.assertion.temporality != .hypothetical
    }
    var courses: [(begun: RecordedFact, last: RecordedFact, isEnded: Bool)] = []
    for item in items {
      if Self.ends(item.fact) {
        if let course = courses.last, !course.isEnded { courses[courses.count - 1] = (course.begun, item, true) }
      } else if item.fact.assertion.polarity == .present, item.fact.assertion.temporality == .current {
        if let course = courses.last, !course.isEnded {
          courses[courses.count - 1].last = item
        } else {
          courses.append((item, item, false))
        }
      }
    }
    guard let course = question.asks(for: .first) ? courses.first : courses.last else { return nil }
    return course.begun.note.id == course.last.note.id ? [course.begun] : [course.begun, course.last]
  }

  /// "How long has he been on it", "from when until when": not how long a course was to be, which its prescription says.
  private var asksForCourse: Bool {
    guard question.words.isDisjoint(with: ["before", "after", "between", "without", "dose"]) else { return false }
    if question.words.isSuperset(of: ["from", "until"]) { return question.words.contains("when") }
    let text = " \(QuestionMoments.words(of: question.text).joined(separator: " ")) "
    return (text.contains(" how long ") || text.contains(" since when "))
      && [" been on ", " he on ", " she on ", " it on ", " been taking ", " been getting "].contains {
        text.contains($0)
      }
  }

  private static func ends(_ fact: Fact) -> Bool {
    fact.hasAction(in: [.stopped, .declined]) || fact.assertion.polarity == .absent
  }

  private static let asking: Set<String> = ["long", "until", "from", "when", "since", "on"]
}
