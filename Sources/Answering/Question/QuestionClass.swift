package import Clinical

/// The closed classes of words that the reading of questions asks about: the rows of `Models/answering/word-classes.tsv`.
///
/// A class holds the words that a rule treats alike. A word may be in any number of them; sets of classes that several rules ask for
/// together are named in ``QuestionClassSet``.
package enum QuestionClass: Int, CaseIterable, Sendable {
  case abnormal, about, account, accounthead, accountnoun, accounttail, addition, after, against, age, ahead, aim
  case alive, alldates, allof, amountunit, and, anothertime, any, anyone, anything, apart, appointment, arrival, article
  case asidesubject, asker, at, autumn, awaited, backwards, barring, baseline, be, before, behindpart, belonging,
    between
  case bloods, both, bottle, bout, bradycardic, breed, cameofit, cancelling, cause, changing, chestpart, chip
  case christmas, circumstance, circumstancebehind, clausehead, clear, comingin, comingoff, compare
  case comparingjoint, comparison, condition, conjunction, contrast, counter, covered, currency, dating, day, daypart
  case decide, declining, denial, diagnosis, diaryword, differing, `do`, dose, doseunit, down, dropping, due, during
  case duestate, each, earpart, events, ever, exception, excluding, eyeorear, eyepart, falling, febrile
  case figure, finish, first, fluid, following, from, furtherspan, gaining, gap, giveme, goingon, graded
  case gradeofsix, hadbeen, happened, happening, have, he, heavier, heaviest, high, highest, hippart, history, hour,
    how, hypothermic
  case insulinunit, intention, jabdate, jabdetail, keeping, knowing, laboratory, lapsed, last, later, latest, left
  case leftout, leftshort, legpart, level, list, long, losing, low, lowered, lowest, lump, many, measurement
  case modal, momentframe, month, monthletter, monthname, monthverb, moving, muchfar, nay, needing, negative
  case never, newest, next, nextvisit, no, noage, noevent, normal, notblood, now, numbering, nurse, occasion, of
  case off, okay, old, on, once, operating, or, otheranimal, othersample, out, over, overall, owner, paired
  case pairframe, pastverb, patient, pointing, portion, possessive, post, pre, presentverb, previous
  case pronoun, pronounback, putting, puttingoff, quarterpart, reachingback, receiving, recent, refuser, resistant
  case result, right, rightshort, rising, romangrade, romansix, rule, say, second, seeing, sensitive, sensitivity
  case sampled, sent, series, sex, shunning, sided, sideincapitals, sidepart, since, sincewhen, soon, speaker, spring,
    start,
    started
  case stiflepart, still, stopping, summer, tablet, tachycardic, tachypnoeic, takingback, talkedof, talkedover, teller
  case testborder, tested, testlink, testpointer, the, then, there, this, thrice, time, timeedge, timeunit, title
  case to, tocome, topicframe, trough, turn, turning, twice, unknown, until, up, valuehead, verbframe, vet, visiting
  case waiting, week, weekletter, weighttotal, what, when, `where`, whether, which, who, whoname, whose, why
  case winter, wishing, without, year, yearletter, yearsold, yes, you

  /// As the table has it.
  var name: String { String(describing: self) }
}

/// Some classes, as bits.
package struct QuestionClassSet: Sendable, ExpressibleByArrayLiteral {
  private var bits = InlineArray<3, UInt128>(repeating: 0)

  package init() {}

  package init(arrayLiteral classes: QuestionClass...) { for one in classes { insert(one) } }

  mutating func insert(_ one: QuestionClass) { bits[one.rawValue / UInt128.bitWidth] |= one.bit }

  mutating func formUnion(_ other: QuestionClassSet) { for place in bits.indices { bits[place] |= other.bits[place] } }

  func union(_ other: QuestionClassSet) -> QuestionClassSet {
    var union = self
    union.formUnion(other)
    return union
  }

  func contains(_ one: QuestionClass) -> Bool { bits[one.rawValue / UInt128.bitWidth] & one.bit != 0 }

  func isDisjoint(with other: QuestionClassSet) -> Bool {
    bits.indices.allSatisfy { bits[$0] & other.bits[$0] == 0 }
  }
}

extension QuestionClass {
  fileprivate var bit: UInt128 { 1 << UInt128(rawValue % UInt128.bitWidth) }
}

extension QuestionClassSet: Packable {
  package func pack(into packer: inout Packer) {
    for place in bits.indices { packer.add(bits[place]) }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    for place in bits.indices { bits[place] = try unpacker.value() }
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
  /// What may stand beside the first and the last, where it is no event.
  static let momentFrames: Self = [
    .article, .possessive, .on, .at, .of, .to, .occasion, .momentframe, .pronoun, .seeing, .be, .have, .day, .ever,
    .this, .up,
  ]
  /// The first value there is.
  static let earliest: Self = [.first, .start, .baseline]
  /// That a weight went up or down.
  static let differences: Self = [.gaining, .losing, .dropping]
  /// How a value lies to what is normal.
  static let ranges: Self = [.high, .low, .lowered, .normal, .abnormal]
  /// Units of time, joined to a number or not.
  static let lengths: Self = [
    .day, .week, .month, .year, .weekletter, .monthletter, .yearletter, .furtherspan,
  ]
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
