public import Clinical
import Extraction

/// A question, understood: what it asks for, what it is about, and of what time.
public struct Question: Sendable {
  /// One thing the question is about, with every way in which a note may put it.
  struct Group: Sendable {
    struct Alternative: Hashable, Sendable {
      /// Analysed terms, all of which must stand in a sentence.
      let terms: [String]
      /// 1 for the word itself, less for an expansion.
      let weight: Double
      /// Nil for the word itself; else the row of the table that says they mean the same.
      let reason: String?
    }

    /// As asked.
    let text: String
    var alternatives: [Alternative]
    /// A sentence with a fact of one of these kinds is about this too.
    let kinds: Set<FactKind>
    /// How much the words say about what is asked.
    let force: Force
    /// The phrase word by word, for a record that never uses it as a whole.
    var words: [Group] = []
  }

  enum Force: Double, Sendable {
    /// A sign, disease, drug, test or anything else that is not everyday English.
    case specific = 1
    /// A word for a kind of fact beside something specific: "T4 *result*".
    case generic = 0.4
    /// Everyday words.
    case weak = 0.15
  }

  public let text: String
  let roles: Set<QuestionLexicon.Role>
  /// Whether "no" would be an answer.
  let isYesOrNo: Bool
  let groups: [Group]
  /// Only notes of this time count; nil when the question names none.
  let period: Range<Timestamp>?

  func asks(for role: QuestionLexicon.Role) -> Bool { roles.contains(role) }

  /// Whether a number, a dose or a date is what is asked for.
  var wantsValue: Bool { !isYesOrNo && roles.isDisjoint(with: [.why, .who, .advice, .side]) }

  var kinds: Set<FactKind> { groups.reduce(into: []) { $0.formUnion($1.kinds) } }
}
