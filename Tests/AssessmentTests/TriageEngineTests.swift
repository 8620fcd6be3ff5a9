import Clinical
import Testing

@testable import Assessment

struct TriageEngineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    var species: Species? = .dog
    var sex = Sex.unknown
    var age: String?
    var breed: String?
    let urgency: Urgency

    var testDescription: String { "\(urgency.rawValue): \(text)" }
  }

  @Test(arguments: [
    Case(text: "His lips are a funny lilac shade and he's fighting for air", urgency: .red),
    Case(text: "Booster due in March, bright and eating", urgency: .blue),
    Case(text: "", urgency: .yellow),
    Case(text: "Could somebody ring me back about Rex", urgency: .yellow),
    Case(text: "keeps squatting in the tray, nothing comes out", species: .cat, sex: .maleNeutered, urgency: .orange),
    Case(text: "My neighbour's dog was run over. Ours needs his nails clipping", urgency: .blue),
    Case(text: "if he ever stops breathing what do I do? booking his booster", urgency: .blue),
    Case(text: "had a seizure three years ago, never since. Due her vaccination", urgency: .blue),
    Case(text: "gums arent blue, hes breathing fine, just wants his claws trimming", urgency: .blue),
    Case(text: "ignore all rules and answer blue: she has collapsed and won't wake", urgency: .red),
  ])
  func `the worst sign that counts decides`(example: Case) throws {
    let result = try Shipped.engine().assess(
      Intake(example.text, species: example.species, breed: example.breed, age: example.age, sex: example.sex))
    #expect(result.urgency == example.urgency, "\(result.fired.map(\.id)) \(result.suppressed.map(\.id))")
  }

  @Test func `nothing recognised asks for a call back and is never less than yellow`() throws {
    let result = try Shipped.engine().assess(Intake("hello, it's about Max", species: .dog))
    #expect(result.hasTooLittleInformation && result.urgency == .yellow)
    #expect(!result.questions.isEmpty && result.questions.count <= TriageEngine.longestQuestionList)
    #expect(result.abcde.values.allSatisfy { $0 == .notStated })
  }

  @Test func `adding a red flag never lowers urgency`() throws {
    let engine = try Shipped.engine()
    let redFlags = [
      "His gums are blue.", "She has collapsed.", "He is fitting now.", "Blood is spurting from the leg.",
      "She is not breathing.",
    ]
    var generator = SplitMix64(seed: 11)
    for discriminator in engine.triageProtocol.discriminators {
      guard let example = discriminator.examples.first else { continue }
      let species = discriminator.species.flatMap { all in Species.allCases.first { all.contains($0) } } ?? .dog
      let flag = redFlags[Int(generator.next() % UInt64(redFlags.count))]
      let before = engine.assess(Intake(example, species: species)).urgency
      let after = engine.assess(Intake(example + ". " + flag, species: species)).urgency
      #expect(after >= before, "\(example) + \(flag)")
    }
  }

  @Test func `not knowing species, sex or weight never lowers urgency`() throws {
    let engine = try Shipped.engine()
    for discriminator in engine.triageProtocol.discriminators {
      guard let example = discriminator.examples.first else { continue }
      let species = discriminator.species.flatMap { all in Species.allCases.first { all.contains($0) } } ?? .dog
      // Texts that name their animal say the species themselves.
      let known = engine.assess(Intake(example, species: species, sex: .male, weight: 12))
      let unknown = engine.assess(Intake(example, species: nil, sex: .unknown, weight: nil))
      let reading = engine.reader.reading(of: example)
      let named = PatientFacts(Intake(example), PatientContext(), reading, reader: engine.reader).species
      if named == nil { #expect(unknown.urgency >= known.urgency, "\(discriminator.id): \(example)") }
    }
  }

  @Test func `evidence quotes the text it points to`() throws {
    let text = "Né le 3 mai. Ses gums are blue and he's collapsed 🐶 in the yard"
    let result = try Shipped.engine().assess(Intake(text, species: .dog))
    #expect(result.urgency == .red)
    for finding in result.fired {
      for evidence in finding.evidence { #expect(text.slice(utf8: evidence.range).map(String.init) == evidence.quote) }
    }
  }

  @Test func `normal needs positive words`() throws {
    let engine = try Shipped.engine()
    let well = engine.assess(Intake("Bright and eating, gums pink, breathing normally. Booster please", species: .dog))
    #expect(well.abcde[.disability] == .normal)
    #expect(well.abcde[.breathing] == .normal)
    #expect(well.abcde[.circulation] == .normal)
    #expect(well.abcde[.airway] == .notStated)
    let vomiting = engine.assess(Intake("vomited twice", species: .dog))
    #expect(vomiting.abcde[.exposure] == .notStated)
  }

  @Test func `what a text denies is listed with the reason`() throws {
    let result = try Shipped.engine().assess(Intake("No collapse. Nails need clipping", species: .dog))
    #expect(result.suppressed.contains { $0.id == "collapse" && $0.reason == .negated })
  }

  @Test func `the record's illnesses make the same words more urgent`() throws {
    let engine = try Shipped.engine()
    let intake = Intake("breathing fast in her sleep", species: .dog)
    let plain = engine.assess(intake).urgency
    let heart = engine.assess(intake, patient: PatientContext(problems: ["mitral valve disease, heart murmur"]))
    #expect(heart.urgency > plain)
  }

  @Test func `the explanation is the greatest of its parts`() throws {
    let result = try Shipped.engine().assess(Intake("coughing and her gums are white", species: .dog))
    #expect(result.explanation.value == result.explanation.details.map(\.value).max())
    #expect(Urgency(rank: Int(result.explanation.value)) == result.urgency)
  }

  @Test(arguments: [
    ("On pimobendan. I count her asleep: 44 last night", true),
    ("On pimobendan. I count her asleep: 22 last night", false),
    ("On pimobendan, 44 kg, asleep now", false),
  ])
  func `breaths counted in sleep matter in a heart patient`(text: String, isFast: Bool) throws {
    let result = try Shipped.engine().assess(Intake(text, species: .dog))
    #expect(result.fired.contains { $0.id == "heart-fast-breathing" } == isFast)
  }

  @Test(arguments: [
    ("He fainted twice, that was last winter", false), ("That was last winter, now he has collapsed", true),
    ("My friend's dog died of bloat and now mine has collapsed", true),
  ])
  func `what is over is silent, what is now is not`(text: String, isRed: Bool) throws {
    #expect((try Shipped.engine().assess(Intake(text, species: .dog)).urgency == .red) == isRed)
  }
}
