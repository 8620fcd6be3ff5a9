public import Clinical
import Extraction

/// A patient's problems by what the notes say of each, folded in time order. Later words supersede earlier ones.
public struct ProblemCourses: Sendable {
  /// An acute problem that no note has named for so long is over, whether one says so or not.
  public static let acuteDays = 180

  /// One course a problem, that with the latest word first, then by name.
  public private(set) var all: [ProblemCourse]

  /// - Parameter items: facts of one patient, in time order; those of other kinds than problems are passed over.
  /// - Complexity: O(items + problems log problems).
  public init(_ items: some Sequence<RecordedFact>) {
    var courses: [String: ProblemCourse] = [:]
    for item in items where item.fact.kind == .problem {
      let name = item.fact.name
      if courses[name] == nil { courses[name] = ProblemCourse(item) } else { courses[name]?.take(item) }
    }
    all = courses.values.sorted { ($1.lastAt, $0.name) < ($0.lastAt, $1.name) }
  }

  /// The course of a problem that notes speak of.
  public subscript(name: String) -> ProblemCourse? { all.first { $0.name == name } }

  /// What the patient has by the last word on it, lasting or recent.
  public func active(at now: Timestamp) -> [ProblemCourse] {
    all.filter { $0.state == .confirmed && $0.isOpen(at: now) }
  }

  /// What it may have by the last word on it, lasting or recent.
  public func suspected(at now: Timestamp) -> [ProblemCourse] {
    all.filter { $0.state == .suspected && $0.isOpen(at: now) }
  }

  /// What it had: resolved, or acute and long not named.
  public func earlier(at now: Timestamp) -> [ProblemCourse] {
    all.filter { [.suspected, .confirmed, .resolved].contains($0.state) && !$0.isOpen(at: now) }
  }

  /// What was suspected and not found.
  public var ruledOut: [ProblemCourse] { all.filter { $0.state == .ruledOut } }
}
