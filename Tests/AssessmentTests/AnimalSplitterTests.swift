import Clinical
import Foundation
import Testing

@testable import Assessment

struct AnimalSplitterTests {
  struct Message: CustomTestStringConvertible, Sendable {
    let text: String
    /// Labels in the order of the text; empty for a message about one animal.
    let animals: [String]

    var testDescription: String { text }
  }

  @Test(arguments: [
    Message(text: "Bella has been sick twice. Max is limping on his front leg since the walk.", animals: []),
    Message(
      text: "For Bella and Max: Bella has been sick twice. Max is limping on his front leg.", animals: ["Bella", "Max"]),
    Message(
      text: "Both pugs had the same mince. Daisy's been sick four times, Dora not at all. Daisy is asking for more.",
      animals: ["Daisy", "Dora"]),
    Message(
      text: "My dog is limping and the cat is straining in the tray with nothing coming.",
      animals: ["the dog", "the cat"]),
    Message(text: "Our cat Milo is wheezing. Our rabbit has a booster due.", animals: ["Milo", "the rabbit"]),
    Message(text: "She is eating fine but my other dog is fitting", animals: []),
    Message(text: "The other one is fine, this one limps", animals: []),
    Message(
      text: "One of the dogs is fine but the other one collapsed, and the cat needs her flea treatment",
      animals: ["one (dog)", "the other", "the cat"]),
    Message(text: "One's fine, the other's collapsed", animals: ["one", "the other"]),
    Message(text: "Milo was bitten. Next door's dog is a menace and the dog warden has been told.", animals: []),
    Message(text: "The cat is coming with us to Orkney, and We've not been before", animals: []),
    Message(text: "My dog is limping. The dog has a sore paw too.", animals: []),
    Message(text: "Mrs Jones is bringing Rex. Rex has a cough.", animals: []),
    Message(text: "our cat Milo is off his food. Milo is hiding, the cat is usually everywhere", animals: []),
  ])
  func `animals that the writer wants seen are told apart`(message: Message) throws {
    let animals = try AnimalSplitter(reader: Shipped.reader()).animals(in: message.text)
    #expect(animals.map(\.label) == message.animals)
  }

  @Test func `an animal's text keeps its places, and what is about both`() throws {
    let message =
      "Hi, it's about two. Our cat Milo is wheezing. Our rabbit has a sore paw. Both are eating. Thanks — Ann"
    let animals = try AnimalSplitter(reader: Shipped.reader()).animals(in: message)
    #expect(animals.map(\.species) == [.cat, .rabbit])
    for animal in animals {
      let text = animal.text(of: message)
      #expect(text.utf8.count == message.utf8.count)
      #expect(text.contains("about two") && text.contains("Both are eating"))
    }
    #expect(animals[0].text(of: message).contains("wheezing") && !animals[0].text(of: message).contains("sore paw"))
    #expect(animals[1].text(of: message).contains("sore paw") && !animals[1].text(of: message).contains("wheezing"))
  }

  @Test(arguments: [
    "My dog is well and needs her booster. The cat has collapsed, her gums are blue and she is not breathing.",
    "The cat has collapsed, her gums are blue and she is not breathing. My dog is well and needs her booster.",
  ])
  func `the most urgent leads, and each finding belongs to its animal`(text: String) throws {
    let assessment = try Shipped.assessor().assess(Intake(text, species: .dog, age: "4 years", sex: .femaleSpayed))
    #expect(assessment.triage.urgency == .red)
    #expect(assessment.animals.map(\.animal.label) == ["the cat", "the dog"])
    let dog = try #require(assessment.animals.last)
    #expect(dog.assessment.triage.urgency <= .green)
    #expect(!dog.assessment.triage.fired.contains { $0.level >= .orange })
    for item in assessment.animals {
      for evidence in item.assessment.triage.fired.flatMap(\.evidence) {
        #expect(text.slice(utf8: evidence.range).map(String.init) == evidence.quote)
        #expect(
          item.animal.ranges.contains {
            $0.lowerBound <= evidence.range.lowerBound && $0.upperBound >= evidence.range.upperBound
          })
      }
    }
    let json = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(assessment)) as? [String: Any])
    #expect(json["urgency"] as? String == "red" && json["animal"] as? String == "the cat")
    let entries = try #require(json["animals"] as? [[String: Any]])
    #expect(entries.map { $0["animal"] as? String } == ["the cat", "the dog"])
    #expect(entries.first?["urgency"] as? String == "red" && entries.allSatisfy { $0["discriminators"] != nil })
  }

  @Test func `a message about one animal has no list of animals`() throws {
    let assessment = try Shipped.assessor().assess(Intake("nails need a clip, he is well", species: .dog))
    #expect(assessment.animals.isEmpty)
    let json = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(assessment)) as? [String: Any])
    #expect(json["animals"] == nil)
  }

  @Test func `the other one of two is seen, not only told of`() throws {
    let assessment = try Shipped.assessor().assess(
      Intake("One of the dogs is fine but the other one collapsed and her gums are white"))
    #expect(assessment.triage.urgency == .red)
    #expect(assessment.animals.map(\.animal.label) == ["the other", "one (dog)"])
  }

  @Test func `another animal whose signs sound urgent is asked about`() throws {
    let triage = try Shipped.assessor().assess(
      Intake("She is eating fine but my neighbour's dog is fitting", species: .dog)
    ).triage
    #expect(triage.questions.first?.contains("another animal") == true, "\(triage.questions)")
  }

  @Test(arguments: [
    "She is eating fine but my other dog is fitting", "still eating while our other dog has collapsed",
    "He needs his nails done, my other dog collapsed in the kitchen just now",
  ])
  func `another animal of the household who is in danger leads`(text: String) throws {
    #expect(try Shipped.assessor().assess(Intake(text, species: .dog)).triage.urgency >= .orange)
  }
}
