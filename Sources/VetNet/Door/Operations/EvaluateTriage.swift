import Assessment
public import Clinical
import FoundationEssentials
import Store

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
    let cases = try practice.assessment.triageOverrides()
    var agreement = TriageAgreement()
    for (index, labelled) in cases.enumerated() {
      try practice.continueUnlessStopped()
      passage.progress(Progress(done: index, total: cases.count, detail: "triage"))
      guard let person = Urgency(rawValue: labelled.labels.urgency) else { continue }
      let judged = try practice.assessment.triage(labelled.intake, patient: nil, now: passage.now, saves: false)
      agreement.count(labelled.id, person: person, program: judged.triage.urgency)
      agreement.versions = judged.modelVersions
    }
    return agreement
  }
}

/// Levels of the program beside those of people.
public struct TriageAgreement: Hashable, Codable, Sendable {
  public private(set) var cases = 0
  /// The same level.
  public private(set) var same = 0
  public private(set) var lower = 0
  public private(set) var higher = 0
  /// Cases that people gave red or orange, and how many of them the program does.
  public private(set) var urgent = 0
  public private(set) var urgentFound = 0
  /// Cases by the person's level and then the program's.
  public private(set) var levels: [String: [String: Int]] = [:]
  /// The ids of the cases that the program gives a lower level than the person, the furthest below first; 50 at most.
  public private(set) var lowest: [Below] = []
  /// Of the models and tables that judged.
  public internal(set) var versions: [String: String] = [:]

  /// A case that the program takes for less urgent than a person did.
  public struct Below: Hashable, Codable, Sendable {
    public let id: String
    public let person: String
    public let program: String
  }

  private enum CodingKeys: String, CodingKey {
    case cases, same, lower, higher, urgent, levels, lowest, versions
    case urgentFound = "urgent_found"
  }

  public init() {}

  mutating func count(_ id: String, person: Urgency, program: Urgency) {
    cases += 1
    levels[person.rawValue, default: [:]][program.rawValue, default: 0] += 1
    if program < person {
      lowest.append(Below(id: id, person: person.rawValue, program: program.rawValue))
      // Levels lie behind each other by rank; of equals the earlier case stands first.
      lowest = Array(
        lowest.enumerated().sorted { ($1.element.steps, $0.offset) < ($0.element.steps, $1.offset) }.map(\.element)
          .prefix(50))
    }
    if program == person { same += 1 } else if program < person { lower += 1 } else { higher += 1 }
    guard person >= .orange else { return }
    urgent += 1
    if program >= .orange { urgentFound += 1 }
  }

  /// As it is kept with its job.
  public var encoded: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `of 12 cases with a person's level 7 get the same, 2 a lower and 3 a higher one; 4 of 5 red or orange ones are found`
  public var line: String {
    guard cases > 0 else { return "nobody gave a case another level yet" }
    let found = urgent > 0 ? "; \(urgentFound) of \(urgent) red or orange ones are found" : ""
    return
      "of \(cases) \(cases == 1 ? "case" : "cases") with a person's level \(same) get the same, \(lower) a lower and \(higher) a higher one\(found)"
  }
}

extension TriageAgreement.Below {
  /// How many levels the program is below the person.
  public var steps: Int {
    (Urgency(rawValue: person)?.rank ?? 0) - (Urgency(rawValue: program)?.rank ?? 0)
  }
}

/// What came of a comparison of triage with people's levels that was run as a job, in full.
///
/// - Throws: ``PracticeError`` with `notFound` where there is no such job, or no more of it than its line.
public struct ShowEvaluation: Operation {
  public static let name = "job.report"
  public static let feature: Feature? = .workspace
  public static let permission = Permission.inspect
  public static let reads: Set<RecordKind> = [.file]

  public var job: Int64

  public init(job: Int64) {
    self.job = job
  }

  public func run(_ passage: Passage) throws -> TriageAgreement {
    let practice = passage.practice
    guard let text = try practice.reading({ try practice.connection.jobs.report(row: job) }),
      let report = try? JSONDecoder().decode(TriageAgreement.self, from: Data(text.utf8))
    else { throw PracticeError(.notFound, "there is no report of a job \(job)") }
    return report
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
