public import Clinical

/// A finding that puts a case on a level by itself: "gums blue" is red whatever else is said.
public struct Discriminator: Sendable {
  struct Modifier: Sendable {
    let to: Urgency
    let when: [Pattern]
  }

  public let id: String
  /// The body system or cause, for questions: `respiratory`, `toxin`.
  public let group: String
  public let level: Urgency
  /// What it says about the primary survey.
  public let letters: [ABCDELetter: ABCDEStatus]
  /// Nil for all.
  public let species: Set<Species>?
  public let sexes: Set<Sex>?
  public let source: String
  /// Texts in which it fires, and texts in which it doesn't; the file's own tests.
  public let examples: [String]
  public let negativeExamples: [String]
  /// Whether a sign of another animal, such as the young in birth, counts as this patient's.
  let countsForOthers: Bool
  let patterns: [Pattern]
  /// Where one of these holds, the discriminator is not about this case.
  let unless: [Pattern]
  let raise: [Modifier]
  /// What softens the level; the finding's floor stays, see ``TriageFloor``.
  let lower: [Modifier]
  /// The level below which the case can't be judged while the finding stands; nil for what follows from its level.
  let floor: Urgency?

  /// Whether its own words speak of an age or a sex, which a form may contradict.
  public var asksAboutPatient: Bool {
    sexes != nil
      || (patterns + unless + raise.flatMap(\.when)).contains { pattern in
        pattern.requirements.contains { requirement in
          switch requirement {
          case .age, .sex: true
          case .species, .known, .breed: false
          }
        }
      }
  }

  /// Whether the discriminator may concern the patient; with species or sex unknown it may.
  func concerns(_ facts: PatientFacts) -> Bool {
    if let species, let patient = facts.species, !species.contains(patient) { return false }
    if let sexes, facts.sex != .unknown, !sexes.contains(facts.sex) { return false }
    return true
  }
}
