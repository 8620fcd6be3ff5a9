/// What is measured of a sentence beside a question. The names are those of the rows of `Models/briefing/answer-weights.tsv`.
package enum EvidenceFeature: String, CaseIterable, Sendable {
  /// The share of the question's weight that the sentence names, of what the record knows at all.
  case own
  /// The same with the sentences before and after it.
  case beside
  /// The same with the sentences up to two before or after it.
  case around
  /// The same with the whole note.
  case note
  /// The share named in the question's very words.
  case exact
  /// The share that it names of what is asked for, circumstances aside; that in the very words.
  case asked, askedExact
  /// The share that it doesn't name, as closely as what it names is related to it: creatinine, of kidneys.
  case related
  /// How closely it says what such words are answered with, by a ``TranslationModel``; the same with its neighbours; by its
  /// note.
  case translated, translatedBeside, translatedNote
  /// The share of the question's words that it has itself, by how much it says to lack one.
  case met
  /// How closely it names the rarest thing asked about.
  case rarest
  /// The share of the specific things asked about that it names; how closely the worst named is, by it, by it and its
  /// neighbours, by its note.
  case things, weakest, weakestBeside, weakestNote
  /// It names the other animal or the person that the question names; it doesn't, though the question does.
  case named, unnamed
  /// It is about the side that the question names, or about the other one only.
  case sameSide, otherSide
  /// It has a fact of the kind asked about; so has its note.
  case kind, kindInNote
  /// It names a drug where one is asked for; it has a measured value of what is asked about.
  case drugNamed, value
  /// A value is asked for, and a number follows what is asked about: "digoxin 2.4".
  case valueBeside
  /// It holds what the form of the question is after, and the question has that form.
  case date, dose, number, reason, person, side, frequency, instruction, change, comparison, refusal,
    prohibition, ending, duration
  /// Its note is the latest (1) … the earliest (0) of those that compete, where the question is about now, about the
  /// beginning, about what was, terse, or about no time.
  case recencyNow, recencyFirst, recencyPast, recencyTerse, recencyAny
  /// Its note is of the kind that such questions are answered from.
  case labNote, prescriptionNote, surgeryNote, messageNote
  /// How late it stands in its note, where the question is about now; in a plan, where it is about what is next or advised.
  case lateNow, planWanted, plan
  /// It asks rather than tells; it is the head of a letter or of a section; it was carried over from an earlier note.
  case asks, head, copied
  /// Its note says that it belongs to another patient.
  case otherPatient
  /// It denies what is asked about, where the question is when something was, or which was the first.
  case deniedWhen
  /// A mention of the patient's past.
  case historical
  /// Its note is of the time that the question names, or of another.
  case inPeriod, outOfPeriod
  /// A value is asked for, and it holds no number: the head of a table.
  case noNumber
  case deniedInYesNo, denied, hypotheticalAdvice, hypothetical, someoneElse, someoneAsked, uncertain
  /// The logarithm of its length in words.
  case length
}

/// What is measured of a question beside a record: does the record say anything about it?
package enum SilenceFeature: String, CaseIterable, Sendable {
  case bias
  /// The share of the weight of the specific things asked about that the record never names.
  case unknown
  /// The same, of things that some table knows, so that another word for them would have been found.
  case unknownTerm
  /// A drug is asked about that the record never names; something is that a table knows, and the record does not.
  case unknownDrug, missingTerm
  /// The record names everything specific.
  case allKnown
  /// Coverage of all that was asked, unknown things included, by the best sentence, by it and its neighbours, by its note.
  case own, beside, note, exact
  /// How closely the record names something related to each specific thing that it never names.
  case related
  /// How closely the best sentence, and any note, says what such words are answered with; how closely any sentence says it of
  /// each specific thing that the record never names.
  case translated, translatedNote, translatedMissing
  /// What the question's words weigh that the best sentence and its neighbours lack, that its note lacks, that the record lacks.
  case unmetBeside, unmetNote, unmet
  /// Some sentence names everything that was asked in the very words.
  case told
  /// How closely some sentence names the specific thing that it names worst; the same with its neighbours, with its note.
  case weakest, weakestBeside, weakestNote
  /// The question names another animal or a person; no sentence about what is asked does.
  case named, unnamed
  /// The question names a side, and the best sentence is about the other one.
  case otherSide
  /// The record has a fact of the kind asked about; the best sentence has.
  case kind, kindHere
  /// Nothing but a kind of fact is asked about.
  case onlyKind
  case yesNo, ever, terse
  case someoneElse, hypothetical, denied, asks
  /// A value is asked for and the best sentence has none.
  case noNumber
  /// How much the best sentence stands out.
  case confidence
  /// How well the best sentence fits, by the weights of ``EvidenceFeature``.
  case fit
  /// The share of the weight of everyday words that the record never names.
  case unknownPlain
  /// What is asked about is a lab test, a vaccine or parasite control, a procedure, an owner's decision.
  case asksLab, asksPrevention, asksProcedure, asksDecision
  /// The question names a time, and the best sentence is of another; the record has no note of that time.
  case outOfPeriod, emptyPeriod
  /// How many specific things are asked about, four or more being 1: of many the record seldom knows each by its name.
  case things
  /// ``unknown``, where "no" would be an answer.
  case unknownYesNo
  /// The share of the weight of what is asked for, circumstances aside, that the record never names.
  case askedUnknown
  /// How much of what is asked for, circumstances aside, some sentence names; how closely it names the worst named.
  case askedTold, askedWeakest
  /// The best sentence has a fact of the kind asked about, as far as the record doesn't know what is asked for: another vaccine.
  case kindOfOther
  /// No sentence with a fact of the kind asked about names what is asked for: a vaccine, of which only the cough is told.
  case apart
  /// What is asked for is never named, but a test for it has a result.
  case tested
  /// A second time of something is asked for; the best sentence only plans it.
  case asksAgain, againPlanned
  /// A test of something is asked for, and some sentence tells of it as tested; none does, whatever else is said of it.
  case toldAsTested, untoldAsTested
  /// What is asked for is named in notes of other times than the question's only; it is only planned, offered or asked about;
  /// whether it was taken out or off is asked, and no sentence about it tells of that.
  case untoldThen, onlyPlanned, untoldAsRemoved
  /// A result is asked for, and whatever names the test in that time says that a sample was taken or sent, or that it is to be.
  case onlySampled
  /// The logarithm of the odds that the best sentences don't answer, by ``ReplyModel``.
  case noReply
}

/// What is measured of two sentences that may be the sides of a disagreement.
package enum ConflictFeature: String, CaseIterable, Sendable {
  case bias
  /// The rules of ``ConflictFinder`` name this pair.
  case ruled
  /// They name different sides, and the question asks for one; it doesn't.
  case sideAsked, side
  /// One says no to what the other says, and the question can be answered by no; it can't; the later one says no.
  case polarityAsked, polarity, denialLater
  /// The later one says that it was never so.
  case never
  /// They give different numbers of what is asked about; of a count; on one day.
  case number, count, numberSameDay
  /// They give different numbers of one length by which the animal is known.
  case identifier
  /// Written on one day, within one episode; how far apart, by the logarithm of the days.
  case sameDay, sameEpisode, apart
  /// The later one tells of what was; it speaks of a change.
  case toldLater, changed
  /// What the question is about.
  case allergy, procedure, vaccination, weight, drug
  /// The question is about what was; about what changes with time; it names both sides; both notes are of its time.
  case past, overTime, eitherOr, inPeriod
  /// One of them passes on what somebody else said or wrote.
  case hearsay
  /// The same, where they differ in a side or in a yes and a no.
  case hearsaySide, hearsayPolarity
  /// The same, where they differ in a number or in ``exclusive``.
  case hearsayNumber, hearsayExclusive
  /// The later one is of a message or passes on what somebody said, the earlier one does neither, and both are of one time; the
  /// same, where they differ in a yes and a no, or in a value.
  case reported, reportedPolarity, reportedValue
  /// One names no more of what is asked than the part of the body.
  case partOnly
  /// They give what is asked about two values that can't both be, by `Models/briefing/answer-values.tsv`.
  case exclusive
  /// One says no to what the other says, and the question is one word or has no verb.
  case polarityTerse
  /// How much less likely the weaker one is than the best sentence, and how much of the question both name.
  case weaker, coverage
}

/// A value for each feature of a model; 0 unless set.
package struct Measures<Feature: CaseIterable & Hashable & RawRepresentable & Sendable>: Sendable
where Feature.RawValue == String {
  package private(set) var values: [Double]

  init() { values = [Double](repeating: 0, count: Feature.allCases.count) }

  package subscript(feature: Feature) -> Double {
    get { values[Self.place(feature)] }
    set { values[Self.place(feature)] = newValue }
  }

  func dot(_ weights: [Double]) -> Double { zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } }

  /// The features that are not 0, by name, in the order of their declaration.
  var named: [(name: String, value: Double)] {
    zip(Feature.allCases, values).filter { $1 != 0 }.map { ($0.rawValue, $1) }
  }

  private static func place(_ feature: Feature) -> Int {
    var index = 0
    for other in Feature.allCases {
      if other == feature { return index }
      index += 1
    }
    return index
  }
}
