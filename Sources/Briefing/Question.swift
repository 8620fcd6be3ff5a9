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
    /// 1, or less for a word that says little.
    let weight: Double
  }

  public let text: String
  let roles: Set<QuestionLexicon.Role>
  /// Whether "no" would be an answer.
  let isYesOrNo: Bool
  let groups: [Group]
  /// Only notes of this time count; nil when the question names none.
  let period: Range<Timestamp>?

  func asks(for role: QuestionLexicon.Role) -> Bool { roles.contains(role) }

  var kinds: Set<FactKind> { groups.reduce(into: []) { $0.formUnion($1.kinds) } }
}
