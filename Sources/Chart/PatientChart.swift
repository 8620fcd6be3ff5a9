public import Clinical
public import Extraction

/// What a patient's record says, folded once in time order, for every reader.
///
/// The chart is a value made from notes and their facts: a note added, amended, moved or retracted gives the chart that the
/// remaining notes give from nothing. Each state names the passages it rests on.
public struct PatientChart: Sendable {
  /// By treatment, those with the latest evidence first.
  public private(set) var reactions: [ReactionCourse]
  /// Where notes say that no allergy or reaction is known at all, in time order.
  public private(set) var generalDenials: [ChartEvidence] = []
  /// What it had, has or may have.
  public private(set) var problems: ProblemCourses
  /// What it was and is on.
  public private(set) var drugs: DrugCourses
  /// What it was given against infections and parasites, what is due, what was declined.
  public private(set) var prevention: PreventionCourses
  /// What was tested and done, and which results are awaited.
  public private(set) var investigations: Investigations

  /// - Parameters:
  ///   - notes: of one patient, in any order.
  ///   - facts: of each note, by its id.
  ///   - protections: which names of vaccines and parasite treatments mean the same.
  /// - Complexity: O(notes log notes + facts).
  public init(
    notes: [ClinicalNote], facts: [String: [Fact]], protections: PreventionGroups = PreventionGroups()
  ) {
    let ordered = notes.sorted { ($0.recordedAt, $0.id) < ($1.recordedAt, $1.id) }
    let items = ordered.lazy.flatMap { note in (facts[note.id] ?? []).lazy.map { RecordedFact(note: note, fact: $0) } }
    drugs = DrugCourses(items)
    problems = ProblemCourses(items)
    prevention = PreventionCourses(items, groups: protections)
    investigations = Investigations(items)
    var courses: [String: ReactionCourse] = [:]
    for note in ordered {
      for fact in facts[note.id] ?? [] where fact.assertion.experiencer == .patient {
        if let allergy = fact.allergy, allergy.subject == nil, fact.assertion.polarity == .absent {
          generalDenials.append(
            ChartEvidence(
              noteID: note.id, recordedAt: note.recordedAt, passage: fact.range, focus: fact.range, probability: 1))
        }
        guard let mention = fact.reaction else { continue }
        let evidence = ChartEvidence(
          noteID: note.id, recordedAt: note.recordedAt, passage: fact.range,
          focus: mention.named ?? fact.range, probability: mention.probability)
        var course = courses[fact.name] ?? ReactionCourse(treatment: fact.name)
        course.isForm = mention.treatment == .product
        switch mention.label {
        case .reaction: course.reactions.append(evidence)
        case .avoid: course.bans.append(evidence)
        case .tolerated: course.tolerations.append(evidence)
        case .none: continue
        }
        courses[fact.name] = course
      }
    }
    reactions = courses.values.sorted { one, other in
      let (first, second) = (one.evidence.last?.recordedAt, other.evidence.last?.recordedAt)
      guard let first, let second, first != second else { return one.treatment < other.treatment }
      return first > second
    }
  }

  /// Of a record as it stands.
  public init(_ record: PatientRecord, protections: PreventionGroups = PreventionGroups()) {
    self.init(notes: record.notes, facts: record.facts, protections: protections)
  }

  /// What the patient did not tolerate or must not be given, where it is sure enough to say so unasked.
  public var warnings: [ReactionCourse] { suspicions.filter(\.isWarning) }

  /// The same with what is too unsure to warn of unasked.
  public var suspicions: [ReactionCourse] { reactions.filter { $0.state != .tolerated } }
}
