public import Clinical

/// What a patient's last course of a drug comes to: enough to say at any later moment whether it goes on, without its words.
///
/// It can be kept: nothing in it depends on when it is asked for.
public struct DrugCourseState: Hashable, Sendable {
  /// The generic drug.
  public let drug: String
  /// The latest word on it: of a course that has ended, on its end.
  public let latest: FactReference
  /// Whether a word has ended it.
  public let isEnded: Bool
  /// The last day of a course whose length is written.
  public let plannedEnd: Timestamp?
  /// In how many notes the drug was being given, in this course or one before it.
  public let noteCount: Int

  public init(drug: String, latest: FactReference, isEnded: Bool, plannedEnd: Timestamp?, noteCount: Int) {
    self.drug = drug
    self.latest = latest
    self.isEnded = isEnded
    self.plannedEnd = plannedEnd
    self.noteCount = noteCount
  }

  /// Whether no word and no written length has ended it by a moment.
  public func isOngoing(at now: Timestamp) -> Bool { !isEnded && (plannedEnd.map { $0 >= now } ?? true) }

  /// Whether it goes on, and was mentioned of late.
  public func isCurrent(at now: Timestamp) -> Bool {
    isOngoing(at: now) && latest.recordedAt >= now.adding(days: -DrugCourses.memoryDays)
  }

  /// Whether it is of long standing, and no note has stopped it, but none has mentioned it of late.
  public func isUnconfirmed(at now: Timestamp) -> Bool {
    let dates = now.adding(days: -DrugCourses.questionDays)..<now.adding(days: -DrugCourses.memoryDays)
    return isOngoing(at: now) && noteCount > 1 && dates.contains(latest.recordedAt)
  }

  /// The latest mentioned first, then by name.
  public static func isBefore(_ first: DrugCourseState, _ second: DrugCourseState) -> Bool {
    (second.latest.recordedAt, first.drug) < (first.latest.recordedAt, second.drug)
  }
}

extension DrugCourse {
  public var state: DrugCourseState {
    DrugCourseState(
      drug: drug, latest: FactReference(latest), isEnded: end != nil, plannedEnd: plannedEnd, noteCount: notes.count)
  }
}

extension DrugCourses {
  /// Which way of folding this is: it goes up whenever facts may come to other courses than before, so that what was kept is folded
  /// again.
  public static let version = 1

  /// The state of each drug's last course, in the order of the drugs' names.
  public var states: [DrugCourseState] {
    Dictionary(all.map { ($0.drug, $0) }, uniquingKeysWith: { $1 }).values.map(\.state).sorted { $0.drug < $1.drug }
  }

  /// The names whose words may tell of some drugs: "stop insulin" ends the lente insulin that an animal is on.
  public static func names(tellingOf drugs: some Sequence<String>) -> Set<String> {
    var names: Set<String> = []
    for drug in drugs {
      let words = drug.split(separator: " ")
      for start in words.indices { names.insert(words[start...].joined(separator: " ")) }
    }
    return names
  }
}
