import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// What a patient does not tolerate, and what the practice file holds where notes are silent.
@Suite struct ReactionAnswerTests {
  private static func answer(_ question: String, _ notes: [ClinicalNote]) throws -> Answer {
    try AnswerFixtures.ask(question, notes)
  }

  private static let ban = note(
    "N1", "2022-01-10", "Black stools on meloxicam. Meloxicam STOPPED - not to have it again.")
  private static let none = note("N2", "2025-03-02", "Booster. No known drug allergies. Heart and chest clear.")
  private static let plain = note("N3", "2025-06-02", "Ears clean. Weight 12.1 kg.")

  @Test(arguments: [
    "any allergies?", "drug allergies", "adverse reactions?", "drugs to avoid", "Anything he can't have?",
  ])
  func `a ban counts as a reaction even where no note says allergy`(question: String) throws {
    let answer = try Self.answer(question, [Self.ban, Self.plain])
    #expect(answer.answerClass == .found)
    #expect(answer.sentences.contains { $0.text.contains("not to have it again") })
  }

  @Test func `no known allergies after a reaction stands beside it, before it does not`() throws {
    let after = try Self.answer("any allergies?", [Self.ban, Self.none])
    #expect(after.answerClass == .conflicting)
    #expect(Set(after.citations.map(\.noteID)) == ["N1", "N2"])
    let earlier = note("N0", "2021-03-02", "No known drug allergies.")
    let before = try Self.answer("any allergies?", [earlier, Self.ban])
    #expect(before.answerClass == .found && Set(before.citations.map(\.noteID)) == ["N1"])
  }

  @Test(arguments: ["any drug allergies?", "allergies?", "any allergies"])
  func `a dog that runs well is not known to tolerate drugs`(question: String) throws {
    let fit = note("N1", "2024-03-01", "No cough, no exercise intolerance. Heart clear.")
    let answer = try Self.answer(question, [fit])
    #expect(answer.answerClass == .notRecorded)
  }

  @Test(arguments: [
    "Avoid penicillins - hives last time.", "Face swelled up after the injection. Not to be repeated.",
    "Anaphylactic shock minutes after booster.", "Angioedema after amoxicillin.",
  ])
  func `a later reaction in whatever words stands against an older denial`(text: String) throws {
    let answer = try Self.answer(
      "any allergies?", [note("N1", "2022-01-01", "No known allergies."), note("N2", "2023-01-01", text)])
    #expect(answer.answerClass == .found)
    #expect(answer.citations.map(\.noteID).contains("N2"))
  }

  @Test func `no known allergies alone is a no, and silence is silence`() throws {
    #expect(try Self.answer("allergies?", [Self.none, Self.plain]).answerClass == .negative)
    #expect(try Self.answer("allergies?", [Self.plain]).answerClass == .notRecorded)
  }

  @Test func `a list of bans bans all that it names`() throws {
    let notes = [
      note("N1", "2019-04-09", "MDR1 mut/mut. So: NO ivermectin, no loperamide (Imodium), care w acp."), Self.plain,
    ]
    for question in [
      "Can she have an Imodium for the runs?", "Is ivermectin safe?",
      "Owner asks if she can give her an Imodium from the cupboard. Ok?",
    ] {
      let answer = try Self.answer(question, notes)
      #expect(answer.answerClass == .found, "\(question)")
      #expect(answer.citations.map(\.noteID).contains("N1"))
    }
  }

  @Test func `nothing is silent over a reaction to what was asked about or its like`() throws {
    let notes = [
      note(
        "N1", "2019-08-11",
        "O put a permethrin spot-on on her neck last night, by 6am twitching all over and dribbling, T 40.1. Washed off."
      ),
      Self.plain,
    ]
    let answer = try Self.answer("Owner wants to put a deltamethrin collar on her. What does her history say?", notes)
    #expect(answer.answerClass == .found && answer.citations.map(\.noteID).contains("N1"))
    #expect(try Self.answer("What does her history say about deltamethrin?", [Self.plain]).answerClass == .notRecorded)
  }

  /// With what ships, where so much of a question is unknown to the record that it would be called silent.
  @Test(arguments: [
    ("Which ketamine mixture sent him berserk at the Hearst weekend locum?", true),
    ("What became of the ketamine arrangement that Hearst wrote to us about?", true),
    ("Was there a bother with ketamine when the ferry crossing was delayed at Hearst?", true),
    ("What did the potassium come to at Hearst?", false),
  ])
  func `silence gives way where the best sentence tells of a reaction to what is asked about`(
    question: String, isTold: Bool
  ) throws {
    let answer = try Self.answer(
      question,
      [
        note("N1", "2021-05-25", "Drug reaction: ketamine-diazepam caused agitation 3 h."),
        note("N2", "2022-05-25", "Ears clean. Weight 12.1 kg. Booster given."),
        note("N3", "2023-05-25", "Bright and alert. Chest clear. Ate well. Nails clipped. Owner pleased."),
      ])
    #expect(answer.answerClass == (isTold ? .found : .notRecorded), "\(answer.text)")
    #expect(answer.citations.contains { $0.noteID == "N1" } == isTold)
  }

  /// With what ships: words that say nothing of a reaction may still weigh as a no.
  @Test(arguments: [
    ("Any breathing trouble at his last tooth grind?", true),
    ("Any trouble with detomidine?", true),
    ("Has he had any trouble with flunixin?", false),
  ])
  func `no no is told over a sentence that tells of a reaction and denies nothing`(question: String, isTold: Bool)
    throws
  {
    let answer = try Self.answer(
      question,
      [
        note(
          "N1", "2024-03-01",
          "Teeth floated. He breathed badly for a minute under the detomidine and needed oxygen by mask."),
        note("N2", "2024-09-01", "Booster given. Flunixin borne well."),
        note("N3", "2025-03-01", "Feet trimmed. No lameness."),
      ])
    #expect((answer.answerClass != .negative && answer.answerClass != .notRecorded) == isTold, "\(answer.text)")
    if isTold { #expect(answer.citations.contains { $0.noteID == "N1" }) }
  }

  /// What is done because of a reaction ("antihistamine first") resembles the question and is not the answer.
  @Test(arguments: ["what's she allergic to?", "drug allergies?"])
  func `where a reaction is asked for the reaction is told`(question: String) throws {
    let answer = try Self.answer(
      question,
      [
        note(
          "N1", "2021-05-25",
          "L4 and KC given. Two hours after, lumpy face and wheals, came back. Not to give L4 with KC on one day in future."
        ),
        note("N2", "2022-05-31", "DHP only, antihistamine first."),
        Self.plain,
      ])
    #expect(answer.answerClass != .negative && answer.answerClass != .notRecorded, "\(answer.text)")
    #expect(answer.citations.map(\.noteID).contains("N1"), "\(answer.text)")
  }

  @Test func `a question for one drug is not answered by another's reaction`() throws {
    let answer = try Self.answer("is he allergic to amoxicillin?", [Self.ban, Self.plain])
    #expect(!answer.sentences.contains { $0.text.contains("not to have it again") } || answer.answerClass != .found)
  }

  @Test(arguments: [
    (
      "which antibiotic does he react to?", "Owner says a terrible reaction to amoxicillin as a puppy, hives.",
      Answer.Class.conflicting
    ),
    // A ban is no allergy: that none is known speaks against nothing.
    ("any painkiller he can't have?", "Meloxicam STOPPED - not to have it again.", .found),
    ("any painkiller he cannot have?", "Meloxicam STOPPED - not to have it again.", .found),
    ("any mouth gel she can't have?", "Allergic to chlorhexidine gel, foams at the mouth.", .conflicting),
  ])
  func `a reaction to one thing is found by its class or form`(question: String, text: String, beside: Answer.Class)
    throws
  {
    let answer = try Self.answer(question, [note("N1", "2022-01-10", text), Self.plain])
    #expect(answer.answerClass == .found && answer.citations.map(\.noteID) == ["N1"])
    let later = try Self.answer(question, [note("N1", "2022-01-10", text), Self.none])
    #expect(later.answerClass == beside)
  }

  @Test func `another animal's allergy is not the patient's`() throws {
    let other = note("N4", "2025-01-02", "Owner is allergic to penicillin, so gloves when dosing.")
    #expect(try Self.answer("any allergies?", [other, Self.plain]).answerClass == .notRecorded)
  }
}

@Suite struct DoubtfulReactionTests {
  @Test(arguments: [
    "Avoid ketamine as a precaution, slow recovery last time.", "?reaction to Synulox, hives within the hour.",
    "Do not give carbimazole.", "Hives overnight. Cephalosporin allergy - alert added.", "Sulpha allergy, alert set.",
  ])
  func `a suspected reaction and a precaution are told, not passed over`(text: String) throws {
    let answer = try AnswerFixtures.ask("any allergies?", [note("N1", "2024-01-02", text)])
    #expect(answer.answerClass != .notRecorded && answer.citations.map(\.noteID) == ["N1"])
  }
}

/// The registration stands beside a silent record.
@Suite struct RegistrationTests {
  private static let patient = Patient(
    id: "P1", name: "Max", species: .dog, breed: "Labrador", sex: .maleNeutered, dateOfBirth: day("2014-03-09"),
    ownerName: "Mrs Hale", microchip: "826099000014471")

  @Test(arguments: [
    ("how old is he", "On file: born 2014-03-09 (12 years)."), ("whose dog is this", "On file: owner Mrs Hale."),
    ("chip number", "On file: microchip 826099000014471."), ("is he neutered?", "On file: sex MN."),
    ("what breed", "On file: Labrador, dog."),
  ])
  func `what is on file is told with the question's words`(question: String, line: String) throws {
    let words = try AnswerFixtures.classes.get().words(in: question).classes
    #expect(Registration(patient: Self.patient, today: day("2026-11-20")).line(askedFor: words) == line)
  }

  @Test func `nothing is told of what nobody asked or nobody filed`() throws {
    let classes = try AnswerFixtures.classes.get()
    let bare = Patient(id: "P2", name: "Mog", species: .cat)
    #expect(Registration(patient: bare, today: day("2026-11-20")).line(askedFor: [.chip]) == nil)
    for question in [
      "last weight", "were bloods done", "did the owner decline", "is the old wound healed", "chipped tooth",
    ] {
      let words = classes.words(in: question).classes
      #expect(Registration(patient: Self.patient, today: day("2026-11-20")).line(askedFor: words) == nil, "\(question)")
    }
  }

  @Test func `a young animal's age is in weeks, a dead one's at death`() {
    var young = Self.patient
    young.dateOfBirth = day("2026-10-09")
    #expect(
      Registration(patient: young, today: day("2026-11-20")).line(askedFor: [.age])
        == "On file: born 2026-10-09 (6 weeks).")
    young.dateOfBirth = day("2014-03-09")
    young.deceasedAt = day("2020-03-10")
    #expect(
      Registration(patient: young, today: day("2026-11-20")).line(askedFor: [.how, .old])
        == "On file: born 2014-03-09 (6 years at death).")
  }

  @Test func `the class stays silent`() throws {
    let record = PatientRecord(patient: Self.patient, notes: [note("N1", "2025-06-02", "Ears clean.")], facts: [:])
    let answer = try AnswerFixtures.answerer.get().answer(
      "what is his microchip number?", about: record, askedAt: noon("2026-11-20"), zone: .utc)
    #expect(answer.answerClass == .notRecorded && answer.sentences.isEmpty)
    #expect(answer.text.hasSuffix("On file: microchip 826099000014471."))
  }
}
