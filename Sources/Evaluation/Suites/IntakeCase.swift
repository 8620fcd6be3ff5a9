public import Clinical
import Foundation
import VetNet

/// An intake with what its labels conclude from it; a row of the suites `triage`, `complexity` and `specialty`.
public struct IntakeCase: Sendable, Decodable {
  /// What the labels say (`Evaluations/README.md`: whose they are). A suite needs its own labels only.
  public struct Labels: Sendable, Decodable {
    public var urgency: Urgency?
    public var abcde: [ABCDELetter: ABCDEStatus]?
    /// Any of them is right.
    public var specialties: [Specialty]?
    /// 1...4.
    public var complexity: Int?
    public var visitType: VisitType?

    /// Whether letters are labelled, but not all five.
    var lacksLetters: Bool { abcde.map { abcde in ABCDELetter.allCases.contains { abcde[$0] == nil } } ?? false }

    private enum CodingKeys: String, CodingKey {
      case urgency, abcde, specialties, complexity
      case visitType = "visit_type"
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      urgency = try container.decodeIfPresent(Urgency.self, forKey: .urgency)
      specialties = try container.decodeIfPresent([String].self, forKey: .specialties)?.map(Specialty.init(rawValue:))
      complexity = try container.decodeIfPresent(Int.self, forKey: .complexity)
      visitType = try container.decodeIfPresent(String.self, forKey: .visitType).map(VisitType.init(rawValue:))
      if let complexity, !(1...4).contains(complexity) {
        throw DecodingError.dataCorruptedError(forKey: .complexity, in: container, debugDescription: "not 1 to 4")
      }
      guard let letters = try container.decodeIfPresent([String: String].self, forKey: .abcde) else { return }
      var statuses: [ABCDELetter: ABCDEStatus] = [:]
      for (letter, status) in letters {
        guard let letter = ABCDELetter(rawValue: letter), let status = ABCDEStatus(rawValue: status) else {
          throw DecodingError.dataCorruptedError(
            forKey: .abcde, in: container, debugDescription: "not a letter's status")
        }
        statuses[letter] = status
      }
      abcde = statuses
    }
  }

  /// An earlier entry of the patient's record.
  public struct HistoryNote: Sendable, Decodable {
    /// ISO 8601.
    public var recordedAt: String
    public var author: String?
    public var kind: NoteKind?
    public var text: String

    private enum CodingKeys: String, CodingKey {
      case author, kind, text
      case recordedAt = "recorded_at"
    }
  }

  public var id: String
  /// The underlying case; variants of one situation stay in one split.
  public var situation: String?
  public var channel: String?
  public var species: String?
  public var breed: String?
  public var age: String?
  public var sex: String?
  public var weightKilograms: Double?
  public var receivedAt: String?
  public var text: String
  public var history: [HistoryNote]?
  public var tags: [String]?
  public var labels: Labels

  private enum CodingKeys: String, CodingKey {
    case id, situation, channel, species, breed, age, sex, text, history, tags, labels
    case weightKilograms = "weight_kg"
    case receivedAt = "received_at"
  }

  /// The cases of a JSON Lines file.
  ///
  /// - Throws: ``EvaluationError`` naming file, line and field.
  public static func read(_ paths: [String]) throws(EvaluationError) -> [IntakeCase] {
    var cases: [IntakeCase] = []
    var ids: Set<String> = []
    for path in paths {
      for (line, value) in try LabelledFile.rows(path, as: IntakeCase.self, expected: "an intake with labels") {
        guard ids.insert(value.id).inserted else {
          throw EvaluationError(file: path, line: line, problem: "the id '\(value.id)' stands there twice")
        }
        cases.append(value)
      }
    }
    return cases
  }

  /// The case as the program sees it: without labels, tags and situation.
  func stripped(in zone: PracticeTimeZone) -> CaseEvaluator.Case {
    func moment(_ text: String?) -> Timestamp? { text.flatMap(ISODateTime.init).map(zone.timestamp) }
    let intake = Intake(
      id: id, receivedAt: moment(receivedAt), channel: channel, species: species.flatMap { Species(field: $0) },
      breed: breed, age: age, sex: sex.flatMap { Sex(describing: $0) } ?? .unknown, weightKilograms: weightKilograms,
      text: text)
    let notes = (history ?? []).enumerated().compactMap { index, note in
      moment(note.recordedAt).map { recordedAt in
        ClinicalNote(
          id: "\(id)-\(index + 1)", patientID: id, recordedAt: recordedAt, author: note.author,
          kind: note.kind ?? .consult, text: note.text)
      }
    }
    return CaseEvaluator.Case(intake: intake, notes: notes)
  }
}
