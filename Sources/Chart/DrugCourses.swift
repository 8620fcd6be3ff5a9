public import Clinical
import Extraction

/// What a patient was and is on, as far as the notes tell: the courses of its drugs, folded in time order.
///
/// Something given on and on begins a course (a frequency, a start, a change, a prescription); a stop, a refusal or the end of its
/// length ends it. What was injected once, named in a list of results or said of another animal begins nothing. Later words
/// supersede earlier ones, which stay on record with the course.
public struct DrugCourses: Sendable {
  /// A drug that nobody has mentioned for so long is not listed as current: courses end without a note that says so.
  public static let memoryDays = 200
  /// For so long a drug of long standing is worth asking about.
  static let questionDays = 3 * 365
  /// Owners finish courses late.
  static let graceDays = 2

  /// In the order in which they were begun, or, where that is not on record, ended.
  public private(set) var all: [DrugCourse] = []

  /// - Parameter items: facts of one patient, in time order; those of other kinds than drugs are passed over.
  /// - Complexity: O(items × drugs).
  public init(_ items: some Sequence<RecordedFact>) {
    /// The last course of each drug, by its place.
    var last: [String: Int] = [:]
    for item in items where item.fact.kind == .drug && item.fact.assertion.experiencer == .patient {
      let name = item.fact.name
      let open = last[name].flatMap { all[$0].end == nil ? $0 : nil }
      // Advice about a drug ("avoid …", "if … then …") says nothing of what is given; a planned dose is kept beside it.
      if item.fact.assertion.temporality == .hypothetical {
        if DrugCourse.isDosed(item.fact), item.fact.dosage?.frequency != nil, let open { all[open].planned = item }
      } else if DrugCourse.isEnd(item.fact) {
        end(name, by: item, &last)
      } else if DrugCourse.isRegimen(item), DrugCourse.isOngoing(item) || open != nil {
        let place = open ?? all.count
        if open == nil {
          var course = DrugCourse(drug: name, begun: item, latest: item)
          course.notes = last[name].map { all[$0].notes } ?? []
          all.append(course)
          last[name] = place
        }
        all[place].take(item)
      } else if let open, item.fact.assertion.polarity == .present {
        // "ALT for the phenobarb": it is still talked about.
        all[open].latest = item
      }
    }
  }

  /// "Stop insulin" ends the lente insulin that it is on.
  private mutating func end(_ name: String, by item: RecordedFact, _ last: inout [String: Int]) {
    let places = last.filter { $0.key == name || $0.key.hasSuffix(" \(name)") }.map(\.value).sorted()
    if places.isEmpty {
      last[name] = all.count
      all.append(DrugCourse(drug: name, begun: nil, latest: item, end: item))
    }
    for place in places {
      all[place].latest = item
      all[place].end = item
    }
  }

  /// The courses that go on, the latest mentioned first, then by name.
  public func current(at now: Timestamp) -> [DrugCourse] { courses { $0.isCurrent(at: now) } }

  /// Drugs of long standing that no note has stopped, but none has mentioned of late.
  public func unconfirmed(at now: Timestamp) -> [DrugCourse] { courses { $0.isUnconfirmed(at: now) } }

  /// The last course of each drug that a word has ended, in the order of their ends.
  public var ended: [DrugCourse] {
    let last = Dictionary(all.map { ($0.drug, $0) }, uniquingKeysWith: { $1 })
    return last.values.filter { $0.end != nil }
      .sorted { ($0.latest.note.recordedAt, $0.drug) < ($1.latest.note.recordedAt, $1.drug) }
  }

  private func courses(_ fits: (DrugCourseState) -> Bool) -> [DrugCourse] {
    all.map { (course: $0, state: $0.state) }.filter { fits($0.state) }
      .sorted { DrugCourseState.isBefore($0.state, $1.state) }.map(\.course)
  }
}

extension DrugCourse {
  /// Goes on with a mention that it is given.
  fileprivate mutating func take(_ item: RecordedFact) {
    latest = item
    notes.insert(item.note.id)
    if Self.isDosed(item.fact) || (Self.isTelling(item.fact) && dosed.map { !Self.isDosed($0.fact) } ?? true) {
      dosed = item
    }
    if Self.isMeasured(item.fact) { measured = item }
    if Self.isDosed(item.fact) || item.fact.dosage?.frequency != nil {
      regimen = item
      plannedEnd = Self.plannedEnd(item)
    }
    // A plan of an older note has been overtaken.
    if let planned, planned.note.id != item.note.id { self.planned = nil }
  }
}
