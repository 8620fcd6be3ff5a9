import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

/// Red flags beside courtesies, joined clauses and filled forms, and what frightens without cause.
struct StandingFlagTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let species: Species
    let levels: ClosedRange<Urgency>

    init(_ text: String, _ species: Species = .dog, _ levels: ClosedRange<Urgency>) {
      self.text = text
      self.species = species
      self.levels = levels
    }

    var testDescription: String { text }
  }

  /// What a form may say beside the message: nothing, or what none of these findings depend on.
  private func levels(_ row: Row, weight: Double? = nil) throws -> [Urgency] {
    let assessor = try Shipped.assessor()
    return [
      Intake(row.text, species: row.species, weight: weight),
      Intake(
        id: "full", channel: "phone", species: row.species, age: "7 years", sex: .maleNeutered,
        weightKilograms: weight, text: row.text),
    ].map { assessor.assess($0).triage.urgency }
  }

  @Test(arguments: [
    Row("he ate one paracetamol tablet", .cat, .orange ... .red),
    Row("my dog is dying please help", .dog, .orange ... .red),
    Row("scoffed a Christmas pudding", .dog, .yellow ... .red),
    Row(
      "Both dogs need boosters next week and the cat can't pass any urine since last night", .dog, .orange ... .red),
    Row("Both dogs are fine. My cat will not wake up properly and looks grey.", .dog, .orange ... .red),
    Row("Grapes are all gone from the bowl, he must have eaten them within the hour", .dog, .yellow ... .red),
    Row("he's ripped his dewclaw off and blood everywhere", .dog, .yellow ... .red),
    Row("had two fits on Sunday, none since, normal", .dog, .yellow ... .red),
    Row("He collapsed on his walk an hour ago and could we also book his nails", .dog, .orange ... .red),
  ])
  func `no field of the form decides whether a finding is meant`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  /// Owners' words that stand in no other text here (decision 0017): each is all that a message may say.
  @Test(arguments: [
    Row("He fell to the floor in the kitchen", .dog, .orange ... .red),
    Row("She is no longer able to stand", .dog, .red ... .red),
    Row("He is not able to stand", .dog, .red ... .red),
    Row("It is one fit after another", .dog, .red ... .red),
    Row("She has bulging sides and keeps heaving", .dog, .red ... .red),
    Row("Bitten in the park and hasn't stopped bleeding", .dog, .orange ... .red),
    Row("There's a ball down his throat", .dog, .red ... .red),
    Row("Her pads are pale and she cries", .cat, .red ... .red),
  ])
  func `a sign that is all there is counts`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  @Test(arguments: [
    Row("His gums are very pale and just wanted to book him in for a check.", .dog, .orange ... .red),
    Row("He was hit by a car last night and could we also book his nails.", .dog, .yellow ... .red),
    Row("She ate a bit of a lily and back to normal now.", .cat, .yellow ... .red),
    Row("He swallowed a button battery this morning plus he's due his jab", .dog, .yellow ... .red),
    Row("He collapsed on his walk an hour ago and is he due a booster", .dog, .orange ... .red),
    Row("She ate some lily leaves today and his insurance wants a form", .cat, .yellow ... .red),
  ])
  func `a clause that is joined by and or plus argues no finding away`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  @Test(arguments: [
    Row("No rush, whenever suits, he collapsed on his walk an hour ago.", .dog, .orange ... .red),
    Row("If you have a slot today, he collapsed on his walk an hour ago.", .dog, .orange ... .red),
    Row("If you have a slot today he collapsed on his walk an hour ago", .dog, .orange ... .red),
    Row("If it isn't too much trouble, he collapsed on his walk an hour ago.", .dog, .orange ... .red),
    Row("Whenever you're free, he collapsed on his walk an hour ago.", .dog, .orange ... .red),
    Row("No rush, whenever suits, his gums are very pale.", .dog, .orange ... .red),
    Row("No rush, whenever suits, he can't stop fitting.", .dog, .orange ... .red),
    Row("If you have a slot today, budgie gasping on the cage floor", .bird, .orange ... .red),
    Row("Budgie on the cage floor fluffed up and she's always been a bit of a drama queen.", .bird, .orange ... .red),
    Row("In shock, pale gums plus we'd like a routine check up when you next have a space.", .dog, .orange ... .red),
    Row("Should I be worried that her gums are white?", .dog, .yellow ... .red),
    Row(
      "She's torn herself open on the fence, about as long as my finger, and there's a wet pink loop of something come "
        + "through it. She's ever so good, wagging. Is the nurse able to do stitches?", .dog, .orange ... .red),
    Row("syncopal episode x2 plus we'd like a routine check up when you next have a space.", .dog, .yellow ... .red),
  ])
  func `a polite condition supposes nothing of the animal`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  @Test(arguments: [
    Row("please help he is dying", .dog, .orange ... .red),
    Row("I think she's dying", .dog, .orange ... .red),
    Row("she got a paracetamol from my gran yesterday", .cat, .yellow ... .red),
    Row("Can I give another paracetamol? She had one at noon", .cat, .yellow ... .red),
    Row("brushed against lilies yesterday, pollen on her coat, eating fine", .cat, .yellow ... .red),
    Row("nothing stops the bleeding from his nose", .dog, .yellow ... .red),
    Row("wees blood clots the size of a 50p", .dog, .yellow ... .red),
    Row("ran into by a car on Monday, looks ok", .dog, .yellow ... .red),
    Row("been bitten by a bat abroad", .dog, .yellow ... .red),
    Row("Two dogs, one has a bit of a limp and the other had a fit for ten minutes", .dog, .orange ... .red),
    Row("he swalowed a battry", .dog, .orange ... .red),
    Row("ate slugg pelets", .dog, .orange ... .red),
    Row("he was under the car bonnet when I started it, he's ripped open", .cat, .orange ... .red),
  ])
  func `danger is found in the words in which owners tell it`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  /// Where it happened says nothing of whom it happened to.
  @Test(arguments: [
    "in the neighbour's pool", "in the neighbours' field", "in next door's pond", "at my sister's house",
    "on my mum's drive", "in my friend's kitchen", "in my friends back garden", "round at my brother's",
    "in my partner's car", "in my son's bedroom", "by the owner's gate", "on our neighbours lawn",
  ])
  func `no place takes a finding from the patient`(place: String) throws {
    let engine = try Shipped.engine()
    for sign in [
      "collapsed", "got hit by a car", "swallowed a button battery", "can't breathe", "nearly drowned",
      "ate rat poison", "started fitting and hasn't stopped",
    ] {
      // One rule is about messages of hardly more than a name.
      let alone = Set(engine.assess(Intake("My dog \(sign)", species: .dog)).fired.map(\.id)).subtracting([
        "bare-emergency"
      ])
      for text in ["My dog \(sign) \(place)", "We were \(place) and my dog \(sign)"] {
        let fired = Set(engine.assess(Intake(text, species: .dog)).fired.map(\.id))
        #expect(fired.isSuperset(of: alone), "\(text): \(alone.subtracting(fired))")
      }
    }
  }

  /// A breed tells the species, and with it which rules are asked: no cat is blocked in a message about a labradoodle.
  @Test(arguments: [
    ("Our cockerpoo has been pulling on the lead", Species.dog), ("my old lab's been a bit stiff", .dog),
    ("our westie and his friend the collie", .dog), ("the maine coon from next door", .cat),
    ("my lop is off his hay", .rabbit),
  ])
  func `a breed tells the species`(text: String, species: Species) throws {
    #expect(try facts(text).species == species)
    #expect(try facts("it is quiet", breed: text).species == species)
  }

  @Test(arguments: [
    "the lab rang with his results", "he chewed the persian rug", "our lab was bitten by the cat", "a golden colour",
  ])
  func `what may mean something else tells no species`(text: String) throws {
    #expect(try facts(text).species == nil || text.contains("cat"))
  }

  private func facts(_ text: String, breed: String? = nil) throws -> PatientFacts {
    let reader = try Shipped.reader()
    var intake = Intake(text)
    intake.breed = breed
    return PatientFacts(intake, PatientContext(), reader.reading(of: text), reader: reader)
  }

  @Test(arguments: [
    Row("My kitten is twelve weeks old, how many times a day should she be fed", .cat, .blue ... .yellow),
    Row("My dog's been a bit stiff on his walks for two hours a day", .dog, .blue ... .yellow),
    Row("Lambs are growing well, jabs when, two hours from you", .smallRuminantOrPig, .blue ... .yellow),
  ])
  func `young are no birth, and a bit is no bite`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  @Test(arguments: [
    Row("ate a blade of grass", .dog, .blue ... .yellow),
    Row("he ate one raisin-free biscuit", .dog, .blue ... .yellow),
    Row("He has a white patch on his gums that has always been there, vaccination please", .dog, .blue ... .yellow),
    Row("Would a button battery be dangerous if she swallowed one? She hasn't", .dog, .blue ... .green),
    Row("do you do CPR courses for choking dogs?", .dog, .blue ... .green),
    Row("Eyes went blue and cloudy, seen by you on Monday. Fighting fit otherwise.", .dog, .blue ... .yellow),
    Row("He's bleeding us dry with his food bills! Time for weight clinic", .dog, .blue ... .green),
  ])
  func `what is supposed, left out or was always so frightens nobody`(row: Row) throws {
    for level in try levels(row) { #expect(row.levels.contains(level)) }
  }

  @Test func `one small button of milk chocolate is reckoned as one, whatever packet lay beside it`() throws {
    let text = "He's had one single milk chocolate button off the pram, just the one. Bright and eating."
    for level in try levels(Row(text, .dog, .blue ... .green), weight: 32) { #expect(level <= .green) }
  }

  @Test(arguments: [
    ("She flops over like a rag doll when I cuddle her", true),
    ("He collapses in a heap every evening", true),
    ("Name of pet: Seizure", true),
    ("Would I notice if he had bloat?", true),
    ("He collapsed on his walk an hour ago and acts like nothing happened", false),
    ("He has collapsed in the garden, lol at the postman", false),
    ("His gums are white", false),
  ])
  func `only the clause that a finding stands in can show that it is no report`(text: String, mayBe: Bool) throws {
    let reading = try Shipped.reader().reading(of: text)
    let result = try Shipped.engine().assess(Intake(text, species: .dog))
    let findings = result.fired.filter { $0.level >= .yellow }
    #expect(findings.contains { reading.mayBeFigure($0) } == (mayBe && !findings.isEmpty))
  }
}
