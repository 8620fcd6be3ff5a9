package import Clinical
package import Extraction

/// A question, understood: what it asks for, what it is about, and of what time.
public struct Question: Sendable {
  /// One thing the question is about, with every way in which a note may put it.
  package struct Group: Sendable {
    package struct Alternative: Hashable, Sendable {
      /// Analysed terms, all of which must stand in a sentence.
      package let terms: [String]
      /// 1 for the word itself, less for an expansion.
      package let weight: Double
      /// Nil for the word itself; else the row of the table that says they mean the same.
      let reason: String?
      /// Another of the same class at best: a question for one insulin is not answered by another.
      package var isLoose = false
      /// What the words may well mean; they are no term for it.
      var isGuess = false
      /// Looked for only in a record that has none of the closer words.
      var isSecondChoice = false
      /// The contrary of what is asked: that it was so says that this was not.
      var isContrary = false
    }

    /// As asked.
    package let text: String
    /// Where its words stand in the question, in UTF-8 bytes.
    var range: Range<Int> = 0..<0
    package var alternatives: [Alternative]
    /// What stands in some relation to it, and is not what is asked: of a kidney, creatinine.
    var related: [Alternative] = []
    /// A sentence with a fact of one of these kinds is about this too.
    package var kinds: Set<FactKind>
    /// How much the words say about what is asked.
    package var force: Force
    /// The phrase word by word, for a record that never uses it as a whole.
    var words: [Group] = []
    /// Of everyday words only, which nobody mistypes into a clinical one.
    var isOrdinary = false
    /// Of words only that ask: "show", "dose", "start".
    var isFrame = false
    /// It names one drug, by the formulary.
    var isDrug = false
    /// It is part of a phrase that a table knows and the record does not have as a whole.
    var isOfUnknownPhrase = false
    /// The name of another animal or of a person, as the record writes it.
    var isName = false
  }

  package enum Force: Double, Sendable {
    /// A sign, disease, drug, test or anything else that is not everyday English.
    case specific = 1
    /// A word for a kind of fact beside something specific: "T4 *result*".
    case generic = 0.4
    /// Everyday words.
    case weak = 0.15
  }

  public let text: String
  /// Its analysed terms, but for names, asides and times: what a ``TranslationModel`` reads.
  package let terms: [String]
  /// In lower case.
  let words: Set<String>
  package let roles: Set<QuestionLexicon.Role>
  /// Whether "no" would be an answer.
  let isYesOrNo: Bool
  /// It has no verb that would say so: "lungworm?"
  let isTerseYesOrNo: Bool
  /// Whether its verb is of the present ("is", "does", "has"), or of the past ("was", "did", "had").
  package let isAboutPresent: Bool
  package let isAboutPast: Bool
  package var groups: [Group]
  /// Where it tells circumstances of what it asks, in UTF-8 bytes: when, beside what, of which visit.
  var circumstances: [Range<Int>] = []
  /// The kinds of what it names, beside those that its groups ask for as such.
  let namedKinds: Set<FactKind>
  /// The first part of the body that it names of which there are two: "which *eye*".
  let sidePart: String?
  /// Notes of this time count more; nil when the question names none.
  package let period: Range<Timestamp>?
  /// All the times it names: "May this year against June last year".
  let periods: [Range<Timestamp>]
  /// Words for tests, in any question.
  let tests: TestWords
  /// The closed classes of words, in any question.
  let classes: QuestionClasses
  /// Those that its words are in.
  let named: QuestionClassSet

  /// Whether the words of a group name what is asked for, rather than a circumstance.
  func isAsked(_ group: Group) -> Bool { !circumstances.contains { $0.overlaps(group.range) } }

  package func asks(for role: QuestionLexicon.Role) -> Bool { roles.contains(role) }

  /// Whether one of its words is in a class.
  func has(_ one: QuestionClass) -> Bool { named.contains(one) }

  func has(_ any: QuestionClassSet) -> Bool { !named.isDisjoint(with: any) }

  /// Whether a no would answer it; "insured?" too: "lapsed in January" is one.
  package var takesNo: Bool { isYesOrNo || words.count == 1 }

  /// The sides it names.
  var sides: Set<Side> { Set(words.compactMap { Side(plain: classes.word($0)) }) }

  /// Whether it asks of another animal: by a word for one, or by what is spelt as a name and is none of the patient's, where those
  /// bytes don't hold it that name a time or an event.
  func namesAnother(outside ranges: [Range<Int>] = []) -> Bool {
    asks(for: .others)
      || groups.contains { group in
        group.force == .specific && !group.isTerm && group.text.first?.isUppercase == true
          && group.text.dropFirst().allSatisfy(\.isLowercase)
          && !text.lowercased().hasPrefix(group.text.lowercased())
          && !ranges.contains { $0.overlaps(group.range) }
      }
  }

  /// Whether a number, a dose or a date is what is asked for.
  var wantsValue: Bool { !isYesOrNo && roles.isDisjoint(with: [.why, .who, .advice, .side]) }

  /// "wt since March": a value of then and the one of now.
  var isSince: Bool { has(.since) }
  /// "wt over the last year": how it went.
  var isOverTime: Bool { has(.over) && period != nil }
  /// "last T4", "creat?": no verb, and few words.
  package var isTerse: Bool { !isAboutPast && !isAboutPresent && words.count <= 5 }
  /// Whether a measured number is what would answer it.
  var asksForMeasure: Bool {
    wantsValue && roles.isDisjoint(with: [.when, .list])
      && (isTerse || isThenAndNow
        || !roles.isDisjoint(with: [.account, .amount, .trend, .comparison, .extreme, .last]))
  }

  /// "What was it at first, and what is it now?"
  var isThenAndNow: Bool { asks(for: .first) && (asks(for: .last) || asks(for: .current)) }

  /// "digoxin levels", "wts": all of them.
  var asksForSeries: Bool { has(.series) }

  /// "how long did it last": a length of time, which is not how long ago.
  var asksForDuration: Bool {
    let text = " \(self.text.lowercased()) "
    return (text.contains(" how long ") && !text.contains("how long ago")) || text.contains(" duration ")
      || text.contains(" for how many ")
  }

  /// "The repeat test", "rechecked", "the third dental": one more of what there was before.
  var asksForAnotherTime: Bool { has(.anothertime) }

  var asksForLeast: Bool { has([.lowest, .low]) }

  /// "How much weight has she lost": a value of then and one of now.
  var asksForDifference: Bool {
    kinds.contains(.weight) && (has(.differences) || text.lowercased().contains("put on"))
  }

  /// Whether the words only say that a weight went up or down.
  func saysDifference(_ words: String) -> Bool {
    classes.words(of: words).allSatisfy { $0.isOne(of: .differences) || $0.isOne(of: .weighttotal) }
  }

  package var kinds: Set<FactKind> { groups.reduce(into: namedKinds) { $0.formUnion($1.kinds) } }
}
