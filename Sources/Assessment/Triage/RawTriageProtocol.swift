/// A protocol file as it is written, before its patterns and words are understood.
struct RawTriageProtocol: Decodable {
  struct Level: Decodable {
    let urgency: String
    let targetMinutes: Int
    let action: String

    enum CodingKeys: String, CodingKey {
      case urgency
      case targetMinutes = "target_minutes"
      case action
    }
  }

  struct Default: Decodable {
    let urgency: String
    let reason: String
  }

  struct Modifier: Decodable {
    let to: String
    let when: [String]
  }

  struct Discriminator: Decodable {
    let id: String
    let group: String
    let letters: [String: String]?
    let level: String
    let species: [String]?
    let sexes: [String]?
    /// Whether other animals' signs count: a stuck puppy is the bitch's emergency.
    let countsForOthers: Bool?
    let patterns: [String]
    let unless: [String]?
    let raise: [Modifier]?
    let lower: [Modifier]?
    /// For a yellow finding that must not be judged away.
    let floor: String?
    let source: String?
    let examples: [String]?
    let negativeExamples: [String]?

    enum CodingKeys: String, CodingKey {
      case id, group, letters, level, species, sexes, patterns, unless, raise, lower, floor, source, examples
      case countsForOthers = "counts_for_others"
      case negativeExamples = "negative_examples"
    }
  }

  struct Normal: Decodable {
    let id: String
    let letter: String
    let patterns: [String]
    /// Of a sign; a normal has none.
    let status: String?
  }

  struct Question: Decodable {
    struct Condition: Decodable {
      let unknown: [String]?
      let urgent: Bool?
      let groups: [String]?
      let species: [String]?
      let sexes: [String]?
      let missing: [String]?
      let patterns: [String]?
    }

    let id: String
    let when: Condition
    let text: String
  }

  /// Levels that the primary survey alone gives: by status, then by letter.
  typealias LetterLevels = [String: [String: String]]

  /// What the file is.
  struct Head: Decodable {
    let id: String
    let title: String
    let version: String
    let source: String
    let licence: String
    let extends: String?
  }

  /// What it rules.
  struct Rules: Decodable {
    let levels: [Level]?
    let `default`: Default?
    let neverLowerWhen: [String]?
    let normals: [Normal]?
    /// What speaks of a letter of the primary survey without giving a level.
    let signs: [Normal]?
    let questions: [Question]?
    let letterLevels: LetterLevels?
    let discriminators: [Discriminator]?

    enum CodingKeys: String, CodingKey {
      case levels
      case `default`
      case neverLowerWhen = "never_lower_when"
      case normals, signs, questions
      case letterLevels = "letter_levels"
      case discriminators
    }
  }

  let head: Head
  let rules: Rules

  /// Both stand side by side in the file.
  init(from decoder: any Decoder) throws {
    head = try Head(from: decoder)
    rules = try Rules(from: decoder)
  }
}
