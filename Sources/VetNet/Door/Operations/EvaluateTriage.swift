import Assessment
public import Clinical

/// How the program as it is now judges the cases in which somebody here gave a level of their own.
///
/// These are the cases that somebody looked at because they mattered or seemed wrong: the share is not that of all cases.
public struct EvaluateTriage: Operation {
  public static let name = "triage.evaluate"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.assessment, .intake]

  public init() {}

  public func run(_ passage: Passage) throws -> TriageAgreement {
    let practice = passage.practice
    let cases = try practice.triageOverrides()
    var agreement = TriageAgreement()
    for (index, labelled) in cases.enumerated() {
      try practice.continueUnlessStopped()
      passage.progress(Progress(done: index, total: cases.count, detail: "triage"))
      guard let person = Urgency(rawValue: labelled.labels.urgency) else { continue }
      let judged = try practice.triage(labelled.intake, patient: nil, now: passage.now, saves: false).triage.urgency
      agreement.count(person: person, program: judged)
    }
    return agreement
  }
}

/// Levels of the program beside those of people.
public struct TriageAgreement: Hashable, Encodable, Sendable {
  public private(set) var cases = 0
  /// The same level.
  public private(set) var same = 0
  public private(set) var lower = 0
  public private(set) var higher = 0
  /// Cases that people gave red or orange, and how many of them the program does.
  public private(set) var urgent = 0
  public private(set) var urgentFound = 0

  private enum CodingKeys: String, CodingKey {
    case cases, same, lower, higher, urgent
    case urgentFound = "urgent_found"
  }

  mutating func count(person: Urgency, program: Urgency) {
    cases += 1
    if program == person { same += 1 } else if program < person { lower += 1 } else { higher += 1 }
    guard person >= .orange else { return }
    urgent += 1
    if program >= .orange { urgentFound += 1 }
  }

  /// `of 12 cases with a person's level 7 get the same, 2 a lower and 3 a higher one; 4 of 5 red or orange ones are found`
  public var line: String {
    guard cases > 0 else { return "nobody gave a case another level yet" }
    let found = urgent > 0 ? "; \(urgentFound) of \(urgent) red or orange ones are found" : ""
    return
      "of \(cases) \(cases == 1 ? "case" : "cases") with a person's level \(same) get the same, \(lower) a lower and \(higher) a higher one\(found)"
  }
}

extension TriageOverride {
  /// The case as it was judged, without the person's level.
  fileprivate var intake: Intake {
    var intake = Intake(id: id, text: text)
    intake.species = species.flatMap(Species.init(rawValue:))
    intake.breed = breed
    intake.age = age
    intake.sex = sex.flatMap(Sex.init(rawValue:)) ?? .unknown
    intake.weightKilograms = weightKilograms
    intake.channel = channel
    return intake
  }
}
