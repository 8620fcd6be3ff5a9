import Clinical
import Foundation
import Testing

@testable import Assessment

struct TriageProtocolTests {
  private static let levels = Urgency.allCases.map {
    #"{"urgency":"\#($0.rawValue)","target_minutes":\#($0.targetMinutes),"action":"do"}"#
  }.joined(separator: ",")

  private func data(discriminator: String, levels: String = Self.levels, fallback: String = "yellow") -> Data {
    Data(
      """
      {"id":"mine","title":"t","version":"1","source":"s","licence":"MIT","levels":[\(levels)],
       "default":{"urgency":"\(fallback)","reason":"r"},"discriminators":[\(discriminator)]}
      """.utf8)
  }

  private static let good =
    #"{"id":"limp","group":"x","level":"green","letters":{"exposure":"abnormal"},"patterns":["@limp"],"source":"s"}"#

  @Test func `a practice's own protocol is read`() throws {
    let own = try TriageProtocol(
      file: "mine.json", data: data(discriminator: Self.good), lexicon: Shipped.reader().lexicon)
    #expect(own.discriminators.map(\.id) == ["limp"])
    #expect(own.levels[.orange]?.targetMinutes == 15)
  }

  struct Broken: CustomTestStringConvertible, Sendable {
    let discriminator: String
    let item: String
    let problem: String

    var testDescription: String { problem }
  }

  @Test(arguments: [
    Broken(
      discriminator: #"{"id":"a","group":"x","level":"purple","patterns":["@limp"],"source":"s"}"#,
      item: "discriminator a", problem: "purple"),
    Broken(
      discriminator: #"{"id":"b","group":"x","level":"red","patterns":["@nosuchthing"],"source":"s"}"#,
      item: "discriminator b", problem: "nosuchthing"),
    Broken(
      discriminator: #"{"id":"c","group":"x","level":"red","patterns":["@limp"]}"#, item: "discriminator c",
      problem: "source"),
    Broken(
      discriminator: #"{"id":"d","group":"x","level":"red","patterns":["@limp"],"species":["unicorn"],"source":"s"}"#,
      item: "discriminator d", problem: "unicorn"),
    Broken(
      discriminator:
        #"{"id":"e","group":"x","level":"red","letters":{"brain":"abnormal"},"patterns":["@limp"],"source":"s"}"#,
      item: "discriminator e", problem: "brain"),
    Broken(
      discriminator:
        #"{"id":"f","group":"x","level":"orange","patterns":["@limp"],"raise":[{"to":"green","when":["@pain"]}],"source":"s"}"#,
      item: "discriminator f", problem: "not above"),
    Broken(discriminator: good + "," + good, item: "discriminator limp", problem: "twice"),
    Broken(
      discriminator: #"{"id":"g","group":"x","level":"red","patterns":["dur>=soon"],"source":"s"}"#,
      item: "discriminator g", problem: "soon"),
  ])
  func `errors name the file and the discriminator`(broken: Broken) throws {
    let lexicon = try Shipped.reader().lexicon
    let error = #expect(throws: AssessmentError.self) {
      try TriageProtocol(file: "mine.json", data: data(discriminator: broken.discriminator), lexicon: lexicon)
    }
    #expect(error?.file == "mine.json" && error?.item == broken.item)
    #expect(error?.problem.contains(broken.problem) == true, "\(String(describing: error))")
  }

  @Test func `levels may not be missing and the default may not be calm`() throws {
    let lexicon = try Shipped.reader().lexicon
    #expect(throws: AssessmentError.self) {
      try TriageProtocol(
        file: "mine.json",
        data: data(discriminator: Self.good, levels: #"{"urgency":"red","target_minutes":0,"action":"do"}"#),
        lexicon: lexicon)
    }
    #expect(throws: AssessmentError.self) {
      try TriageProtocol(
        file: "mine.json", data: data(discriminator: Self.good, fallback: "blue"), lexicon: lexicon)
    }
    let malformed = #expect(throws: AssessmentError.self) {
      try TriageProtocol(file: "mine.json", data: Data("{".utf8), lexicon: lexicon)
    }
    #expect(malformed?.code == .malformed)
  }

  @Test func `ABCDE extends VTL and is never less urgent`() throws {
    let vtl = try Shipped.engine()
    let abcde = try TriageProtocol(
      file: "abcde.json", data: Shipped.protocolData("abcde"), lexicon: Shipped.reader().lexicon,
      bases: ["vtl": Shipped.vtl()])
    let engine = try TriageEngine(
      protocol: abcde, reader: Shipped.reader(), toxins: Shipped.toxins(), vitals: Shipped.vitals())
    for text in ["gums pale and quiet", "just a booster", "one fit, now fine", "limping on three legs"] {
      let intake = Intake(text, species: .dog)
      #expect(engine.assess(intake).urgency >= vtl.assess(intake).urgency)
    }
    #expect(throws: AssessmentError.self) {
      try TriageProtocol(
        file: "abcde.json", data: Shipped.protocolData("abcde"), lexicon: Shipped.reader().lexicon)
    }
  }

  @Test func `at least 150 discriminators over ten groups ship`() throws {
    let discriminators = try Shipped.vtl().discriminators
    #expect(discriminators.count >= 150)
    #expect(Set(discriminators.map(\.group)).count >= 10)
  }
}
