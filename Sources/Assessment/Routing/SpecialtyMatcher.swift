public import Clinical

/// A specialty and how strongly a case speaks for it.
public struct SpecialtyScore: Hashable, Sendable {
  public let specialty: Specialty
  /// 0...1; the scores of a case add up to 1.
  public let score: Double
  public let explanation: Explanation
}

/// Ranks the fields of work a case belongs to. General practice is always among them: most cases stay there.
public struct SpecialtyMatcher: Sendable {
  private let table: CueTable

  public var version: String { table.version }

  /// - Parameters:
  ///   - cues: `cues.tsv` of the specialties folder.
  ///   - lexicon: the concepts its patterns name.
  /// - Throws: ``DataTableError`` for an unknown specialty, pattern or weight.
  public init(cues: DataTable, lexicon: ConceptLexicon) throws(DataTableError) {
    table = try CueTable(cues, outcome: "specialty", lexicon: lexicon)
    for row in cues.rows where !Specialty.all.contains(Specialty(rawValue: row["specialty"])) {
      throw row.error("specialty", "is no specialty")
    }
  }

  func match(_ matcher: PatternMatcher, triage: TriageResult) -> [SpecialtyScore] {
    var scores = table.scores(matcher, triage).filter { $0.value > 0 }
    if triage.urgency >= .orange {
      // Emergency before any specialty, whatever else the case is.
      let most = scores.first?.value ?? 0
      let others = scores.filter { $0.description != Specialty.emergency.rawValue }
      let first = Explanation.sum(
        Specialty.emergency.rawValue,
        of: [Explanation("urgency \(triage.urgency.rawValue)", value: most + Double(triage.urgency.rank))])
      scores = [first] + others
    } else {
      scores.removeAll { $0.description == Specialty.emergency.rawValue }
    }
    let total = scores.reduce(0) { $0 + $1.value }
    guard total > 0 else { return [] }
    return scores.map {
      SpecialtyScore(
        specialty: Specialty(rawValue: $0.description), score: $0.value / total, explanation: $0)
    }
  }
}

/// Somebody of the practice and how well a case suits them.
public struct StaffMatch: Hashable, Sendable {
  public let staffID: String
  /// 0...1.
  public let score: Double
  public let explanation: Explanation

  /// Veterinarians by skill in what the case needs: Σ specialty score × skill. A veterinarian without a stated skill in general
  /// practice is taken to have one of 0.7; equal scores go by id.
  public static func ranking(_ specialties: [SpecialtyScore], staff: [StaffMember]) -> [StaffMatch] {
    let matches = staff.filter { $0.role == .veterinarian }.map { member in
      let parts = specialties.compactMap { wanted -> Explanation? in
        let name = wanted.specialty.rawValue
        let skill = member.skills[name] ?? (wanted.specialty == .generalPractice ? usualGeneralSkill : 0)
        guard skill > 0 else { return nil }
        return Explanation("\(name): skill \(skill)", value: wanted.score * skill)
      }
      let explanation = Explanation.sum("skills of \(member.name)", of: parts)
      return StaffMatch(staffID: member.id, score: explanation.value, explanation: explanation)
    }
    return matches.sorted { ($0.score, $1.staffID) > ($1.score, $0.staffID) }
  }

  private static let usualGeneralSkill = 0.7
}
