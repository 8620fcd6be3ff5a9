import Assessment
public import Clinical

/// An intake with a settled urgency; a row of `triage/exemplars.tsv`.
public struct Exemplar: Hashable, Sendable {
  public let intake: Intake
  /// Cases of one situation are never split between fitting and checking.
  public let situation: String
  /// Whose cases and labels they are; cases of one kind are held out together.
  public let kind: String
  public let urgency: Urgency
  public let visitType: VisitType
  /// Nil where nobody labelled them.
  public let abcde: [ABCDELetter: ABCDEStatus]?
  /// The best first; empty where nobody labelled them.
  public let specialties: [Specialty]

  /// The kind of the protocol's own examples, of which only the level is labelled.
  static let discriminatorKind = "discriminator"

  /// Whether every judgement is labelled.
  var isComplete: Bool { abcde != nil && !specialties.isEmpty }

  /// - Parameter table: columns `id`, `situation`, `kind`, `species`, `breed`, `age`, `sex`, `weight_kg`, `channel`, `urgency`,
  ///   `abcde`, `specialties`, `visit_type`, `text`; all but id, urgency, visit type and text may be empty.
  /// - Returns: the exemplars in the table's order.
  /// - Throws: ``DataTableError`` naming the row that can't be read.
  public static func all(in table: DataTable) throws(DataTableError) -> [Exemplar] {
    var exemplars: [Exemplar] = []
    for row in table.rows { exemplars.append(try Exemplar(row)) }
    return exemplars
  }

  private init(_ row: DataTable.Row) throws(DataTableError) {
    guard let urgency = Urgency(rawValue: row["urgency"]) else { throw row.error("urgency", "is no level") }
    let visitType = VisitType(rawValue: row["visit_type"])
    guard VisitType.builtIn.contains(visitType) else { throw row.error("visit_type", "is no visit type") }
    if row["text"].isEmpty { throw row.error("text", "is empty") }
    intake = Intake(
      id: row["id"], channel: row["channel"].isEmpty ? nil : row["channel"],
      species: Species(describing: row["species"]), breed: row["breed"].isEmpty ? nil : row["breed"],
      age: row["age"].isEmpty ? nil : row["age"], sex: Sex(describing: row["sex"]) ?? .unknown,
      weightKilograms: row["weight_kg"].isEmpty ? nil : try row.number("weight_kg"), text: row["text"])
    situation = row["situation"].isEmpty ? row["id"] : row["situation"]
    kind = row["kind"]
    self.urgency = urgency
    self.visitType = visitType
    abcde = try Self.survey(row)
    specialties = row.list("specialties").map(Specialty.init(rawValue:))
    for specialty in specialties where !Specialty.all.contains(specialty) {
      throw row.error("specialties", "names '\(specialty.rawValue)', which is none")
    }
  }

  private static func survey(_ row: DataTable.Row) throws(DataTableError) -> [ABCDELetter: ABCDEStatus]? {
    let cell = Array(row["abcde"])
    if cell.isEmpty { return nil }
    guard cell.count == ABCDELetter.allCases.count else { throw row.error("abcde", "is not five characters") }
    var survey: [ABCDELetter: ABCDEStatus] = [:]
    for (letter, code) in zip(ABCDELetter.allCases, cell) {
      guard let status = LearnedSurvey.codes.first(where: { $0.code == code })?.status else {
        throw row.error("abcde", "has characters other than -, n, a and c")
      }
      survey[letter] = status
    }
    return survey
  }

  /// Of the ids and labels, so that what was fitted to them is not used with others.
  static func checksum(_ exemplars: [Exemplar]) -> String {
    var hash = FNV1a()
    func add(_ text: String) {
      hash.add(text.utf8)
      hash.add(0x0A)
    }
    for exemplar in exemplars {
      add(exemplar.intake.id)
      add(exemplar.intake.text)
      add(exemplar.urgency.rawValue)
      add(exemplar.visitType.rawValue)
      for letter in ABCDELetter.allCases { add(exemplar.abcde?[letter]?.rawValue ?? "") }
      for specialty in exemplar.specialties { add(specialty.rawValue) }
    }
    return String(hash.value, radix: 16)
  }
}
