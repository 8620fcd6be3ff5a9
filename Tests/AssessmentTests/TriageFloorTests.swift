import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

/// A red flag stands: nothing but a named downgrade leads below the floor of a finding.
struct TriageFloorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let species: Species
    let least: Urgency

    init(_ text: String, _ species: Species = .dog, least: Urgency = .yellow) {
      self.text = text
      self.species = species
      self.least = least
    }

    var testDescription: String { text }
  }

  private func level(_ text: String, _ species: Species = .dog, weight: Double? = nil) throws -> Urgency {
    try Shipped.assessor().assess(Intake(text, species: species, weight: weight)).triage.urgency
  }

  @Test(arguments: [
    // What shipped called these green or blue.
    Row("Dog's eye popped out. Otherwise fine in himself, eating. When could we book him in?"),
    Row("He swallowed a button battery. Eating, happy, no rush. Could we book him in next week?"),
    Row("She ate slug pellets. Seems fine in herself. Whenever suits."),
    Row("He's collapsed on his walk yesterday, fine now. Check up whenever suits", least: .orange),
    Row("The terrier had some of the antifreeze that leaked but he's fine", least: .yellow),
    // Quiet now is not over: signs of the last week are current.
    Row("He fitted two days ago, back to normal. Check-up please."),
    Row("She was choking earlier, ok now.", .cat, least: .orange),
    Row("Collapsed on Tuesday for a minute. Been bright as a button since.", least: .orange),
    // Words of danger without a rule for their circumstances.
    Row("Left in the car for a couple of hours, seems ok."),
    Row("Brought up a mugful of blood this morning.", least: .orange),
    Row("Guinea pig had a fit last night.", .guineaPig, least: .orange),
    Row("He keeps having fits, don't know how many.", least: .orange),
    // Each of several animals is judged, and the worst leads.
    Row("Nelson's due his flu jab. The other one swallowed a darning needle with the wool on it."),
    Row("Bella is due her booster on Friday. Max has collapsed and his gums are white.", least: .red),
    Row("Booster for Rex please. my cat is not breathing, help.", least: .orange),
    Row("Nail clip for the dog whenever suits. Our rabbit has collapsed.", least: .orange),
  ])
  func `reassurance and booking lower no finding below its floor`(row: Row) throws {
    #expect(try level(row.text, row.species) >= row.least)
  }

  @Test(arguments: [
    Row("Swallowed a button battery in 2019, removed. Booster due please."),
    Row("As a puppy he ate rat poison and was treated. Nails please, he is well."),
    Row("He had one fit two years ago, never since. Booster please, he is bright and well."),
    Row("My neighbour's dog collapsed last week. Mine needs his booster, he is well."),
  ])
  func `what is long over, treated or another's is no finding`(row: Row) throws {
    #expect(try level(row.text, row.species) <= .green)
  }

  @Test func `the floor is one level below a finding, whatever softened it`() {
    #expect(TriageFloor.of(level: .red, base: .red) == .orange)
    #expect(TriageFloor.of(level: .yellow, base: .red) == .orange)
    #expect(TriageFloor.of(level: .orange, base: .yellow) == .yellow)
    #expect(TriageFloor.of(level: .yellow, base: .yellow) == nil)
  }

  @Test func `every example keeps its floor among reassuring words`() throws {
    let assessor = try Shipped.assessor()
    let protocolled = assessor.triage.triageProtocol.discriminators.filter { $0.level >= .orange }
    let phrases = try modelTable("triage/reassurance.tsv").rows.map { $0["text"] }
    #expect(phrases.count >= 40)
    var generator = SplitMix64(seed: 16)
    var judged = 0
    var failures: [String] = []
    for discriminator in protocolled {
      guard let example = discriminator.examples.randomElement(using: &generator),
        let phrase = phrases.randomElement(using: &generator)
      else { continue }
      let named = example.lowercased().split { !$0.isLetter }.compactMap { Species(mention: String($0)) }
      let species =
        named.first { discriminator.species?.contains($0) ?? true }
        ?? discriminator.species.flatMap { all in Species.allCases.first(where: all.contains) } ?? .dog
      let text = "\(phrase) \(example). \(phrase)"
      let urgency = assessor.assess(Intake(text, species: species)).triage.urgency
      judged += 1
      if urgency.rank < discriminator.level.rank - 1 { failures.append("\(urgency.rawValue): \(text)") }
    }
    #expect(judged == protocolled.count && judged > 100)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test func `each named downgrade lowers its example and not its counterexample`() throws {
    let table = try modelTable("triage/downgrades.tsv")
    let engine = try Shipped.engine()
    for row in table.rows {
      func finding(_ text: String) -> TriageResult.Fired? {
        engine.assess(Intake(text, species: .dog)).fired.first { $0.id == row["finding"] }
      }
      let lowered = try #require(finding(row["example"]), "\(row["id"])")
      #expect(lowered.level.rawValue == row["to"], "\(row["id"])")
      #expect(lowered.reason?.contains(row["id"]) == true)
      let kept = finding(row["negative_example"])
      #expect(kept.map { $0.level >= .orange } ?? true, "\(row["id"])")
    }
    #expect(!table.rows.isEmpty)
  }

  @Test func `each row of past evidence names a rule and reads its example as past`() throws {
    let table = try modelTable("triage/past-evidence.tsv")
    let rules = Set(
      try (modelTable("extraction/assertion-rules.tsv").rows + modelTable("triage/assertion-rules.tsv").rows)
        .map { $0["id"] } + ["earlier-entry"])
    for row in table.rows { #expect(rules.contains(row["rule"]), "\(row["rule"])") }
    #expect(table.rows.count > 20)
  }

  @Test(arguments: [
    ("He goes limp when you lift him. Booster please.", "limp", "He goes limp when you lift him."),
    // What softened a finding is none of its own words.
    ("She's choking on a ball. Full of beans.", "choking", "She's choking on a ball."),
    ("Hello there. Collapsed in the garden, but he's fine in himself.", "collapse", "Collapsed in the garden,"),
  ])
  func `a finding's own sentences leave out the rest of the message and what soothes`(
    text: String, finding: String, own: String
  ) throws {
    let reading = try Shipped.reader().reading(of: text)
    let result = try Shipped.engine().assess(Intake(text, species: .dog))
    let fired = try #require(result.fired.first { $0.id.contains(finding) })
    let read = try #require(reading.ownSentences(of: fired))
    #expect(read.utf8.count == text.utf8.count)
    #expect(read.split(separator: " ").joined(separator: " ") == own)
  }

  @Test func `questions answered with no keep the floor too`() throws {
    let assessor = try Shipped.assessor()
    let intake = Intake("He swallowed a button battery. Eating, happy, no rush. Whenever suits.", species: .dog)
    let assessment = assessor.assess(intake)
    var session = assessor.guided(assessment, of: intake)
    var asked = 0
    while let question = session.next {
      session.answer(question.id, .no)
      asked += 1
    }
    #expect(asked > 0)
    #expect(session.level >= .yellow && session.conclusion == nil)
  }

  @Test func `a level names what it rests on`() throws {
    let floored = try Shipped.assessor().assess(
      Intake("Dog's eye popped out. Otherwise fine in himself, eating. When could we book him in?", species: .dog)
    ).triage
    #expect(floored.basis.findings.contains("eye-out"))
    #expect(!floored.basis.words.isEmpty)
    let judged = try Shipped.assessor().assess(
      Intake("Itchy for a couple of weeks, scratching his ears, eating and playing as usual.", species: .dog)
    ).triage
    if !judged.fired.contains(where: { $0.level == judged.urgency }) { #expect(judged.basis.source != .finding) }
    #expect(!judged.basis.text.isEmpty)
  }
}
