package import Clinical

/// The closed classes of words that the reading of questions asks about: the rows of `Models/answering/word-classes.tsv`.
///
/// A class holds the words that a rule treats alike. A word may be in any number of them; sets of classes that several rules ask for
/// together are named in ``QuestionClassSet``.
package enum QuestionClass: UInt8, CaseIterable, Sendable {
  case abnormal, about, addition, after, against, age, ahead, aim, alive, alldates, amountunit, and, anothertime
  case any, anyone, anything, apart, appointment, article, asidesubject, asker, at, autumn, barring, baseline, be
  case before, behindpart, belonging, between, bloods, both, bout, bradycardic, breed, cameofit, cancelling, cause
  case changing, chestpart, chip, christmas, circumstance, circumstancebehind, clausehead, clear, comingin
  case comingoff, compare, comparingjoint, comparison, condition, conjunction, contrast, counter, covered
  case currency, dating, day, decide, declining, denial, diagnosis, diaryword, differing, `do`, dose, doseunit
  case down, dropping, due, duestate, each, earpart, effect, ever, exception, excluding, eyeorear, eyepart
  case falling, febrile, figure, finish, first, fluid, following, from, gaining, gap, hadbeen, happened, happening
  case have, he, high, highest, hippart, history, how, hypothermic, insulinunit, intention, jabdate, jabdetail
  case knowing, laboratory, lapsed, last, later, latest, left, leftout, leftshort, legpart, level, list, long
  case losing, low, lowered, lowest, lump, many, measurement, modal, momentframe, month, monthname, monthverb
  case moving, muchfar, nay, needing, negative, never, next, nextvisit, no, noevent, normal, notblood, now, nurse
  case occasion, of, off, okay, old, on, once, operating, or, otheranimal, othersample, out, over, overall, owner
  case paired, pairframe, pastverb, peak, pointing, portion, possessive, post, pre, presentverb, previous, pronoun
  case pronounback, putting, puttingoff, quarterpart, reachingback, receiving, recent, refuser, resistant, result
  case right, rightshort, rising, rule, say, second, seeing, sensitive, sensitivity, sent, series, sex, sided
  case sideincapitals, sidepart, since, sincewhen, soon, speaker, spring, start, started, stiflepart, still
  case stopping, summer, tachycardic, tachypnoeic, takingback, talkedof, talkedover, teller, testborder, tested
  case testlink, testpointer, the, then, there, this, time, timeedge, timeletter, timeunit, title, to, topicframe
  case trough, turn, turning, unknown, until, up, valuehead, verbframe, vet, visiting, waiting, week, weighttotal
  case what, when, `where`, whether, which, who, whoname, whose, why, winter, wishing, without, year, yes

  /// As the table has it.
  var name: String { String(describing: self) }
}

/// Some classes, as bits.
package struct QuestionClassSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var low: UInt128 = 0
  private var high: UInt128 = 0

  package init() {}

  package init(arrayLiteral classes: QuestionClass...) { for one in classes { insert(one) } }

  mutating func insert(_ one: QuestionClass) {
    if one.rawValue < 128 { low |= 1 << UInt128(one.rawValue) } else { high |= 1 << UInt128(one.rawValue - 128) }
  }

  mutating func formUnion(_ other: QuestionClassSet) {
    low |= other.low
    high |= other.high
  }

  func union(_ other: QuestionClassSet) -> QuestionClassSet {
    var union = self
    union.formUnion(other)
    return union
  }

  func contains(_ one: QuestionClass) -> Bool {
    one.rawValue < 128 ? low >> UInt128(one.rawValue) & 1 != 0 : high >> UInt128(one.rawValue - 128) & 1 != 0
  }

  func isDisjoint(with other: QuestionClassSet) -> Bool { low & other.low == 0 && high & other.high == 0 }
}

extension QuestionClassSet: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(low)
    packer.add(high)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    low = try unpacker.value()
    high = try unpacker.value()
  }
}

extension QuestionClassSet {
  /// Helping verbs that begin a question.
  static let auxiliaries: Self = [.be, .have, .do]
  /// What a question for yes or no begins with.
  static let whetherOpeners: Self = [.be, .have, .do, .modal, .any, .anyone, .anything, .ever, .still, .okay]
  /// What begins a segment that asks, or stands second in it.
  static let segmentOpeners: Self = [.be, .have, .do, .modal, .any, .ever, .last, .first, .latest, .still]
  /// What a clause that asks begins with, where it is a verb or asks in a verb's place.
  static let askingVerbs: Self = [.be, .have, .do, .modal, .what, .which, .who, .how]
  /// What a clause that asks begins with.
  static let clauseOpeners = askingVerbs.union(interrogatives).union([.any, .ever, .list, .last])
  static let questionWords: Self = [.what, .which, .who, .when, .why, .how, .where]
  static let interrogatives: Self = [.what, .which, .who, .whose, .when, .why, .how, .where]
  /// What a question begins with to which no is no answer.
  static let openQuestions = interrogatives.union([.compare, .list, .last, .latest])
  /// What a question without a verb begins with that asks for more than yes or no.
  static let openNouns = questionWords.union([.any])
  /// What may follow "which eye" where that is all of the part's name.
  static let behindPart: Self = [.be, .have, .do, .modal, .pronoun, .behindpart]

  /// The latest there is.
  static let latestOnes: Self = [.now, .last, .latest]
  /// What the first and the last are of, where it is no event.
  static let occasions: Self = [.article, .possessive, .on, .at, .of, .occasion]
  /// The first value there is.
  static let earliest: Self = [.first, .start, .baseline]
  /// That a weight went up or down.
  static let differences: Self = [.gaining, .losing, .dropping]
  /// How a value lies to what is normal.
  static let ranges: Self = [.high, .low, .lowered, .normal, .abnormal]
  /// Units of time, joined to a number or not.
  static let lengths: Self = [.day, .week, .month, .year, .timeletter]
  /// Tells of a time before it was written.
  static let longPast: Self = [.reachingback, .spring, .summer, .autumn, .winter, .christmas]
  static let doseUnits: Self = [.doseunit, .insulinunit]

  /// The first and the second time of one event.
  static let secondTimes: Self = [.the, .first, .second, .time, .and, .pointing]
  /// Before what a test is of.
  static let pointers: Self = [.article, .possessive, .testpointer]
  /// Ends the name of what is tested.
  static let testBorders = pointers.union([
    .testlink, .testborder, .and, .or, .what, .which, .who, .when, .why, .how, .be, .have, .do, .pronoun, .any, .ever,
    .first, .last, .latest, .there, .after, .before, .since,
  ])
  /// Says that something happened, and not what.
  static let happenings: Self = [.on, .happening]
  /// May stand in a question for the visit to come.
  static let diaryWords: Self = [
    .when, .what, .which, .who, .be, .have, .do, .he, .article, .possessive, .any, .there, .at, .on, .of, .to, .this,
    .due, .next, .appointment, .visiting, .nextvisit, .comingin, .ahead, .diaryword,
  ]
}
