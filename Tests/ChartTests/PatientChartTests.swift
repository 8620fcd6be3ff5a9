import Chart
import Clinical
import Extraction
import Testing
import VetNetTestSupport

/// The chart is a fold: the order in which notes came to be on file is nothing, and no reaction is forgotten.
struct PatientChartTests {
  private func note(_ id: String, day: Int) -> ClinicalNote {
    ClinicalNote(
      id: id, patientID: "P1", recordedAt: Timestamp(seconds: Int64(day) * 86_400), author: "V", kind: .consult,
      text: id)
  }

  private func fact(
    _ name: String, _ label: ReactionLabel, of treatment: Treatment.Kind = .drug, probability: Double = 0.9
  ) -> Fact {
    Fact(
      .reaction(ReactionMention(label, of: treatment, named: 0..<1, probability: probability)), name: name, range: 0..<2
    )
  }

  @Test func `a reaction stands beside later harmless uses, never behind them`() throws {
    let notes = [note("a", day: 1), note("b", day: 2), note("c", day: 3)]
    let chart = PatientChart(
      notes: notes,
      facts: [
        "a": [fact("meloxicam", .reaction)], "b": [fact("meloxicam", .tolerated)],
        "c": [fact("ketamine", .avoid), fact("propofol", .tolerated)],
      ])
    let meloxicam = try #require(chart.reactions.first { $0.treatment == "meloxicam" })
    #expect(meloxicam.state == .reaction)
    #expect(meloxicam.evidence.map(\.noteID) == ["a"] && meloxicam.laterTolerations.map(\.noteID) == ["b"])
    #expect(chart.warnings.map(\.treatment) == ["ketamine", "meloxicam"])
    #expect(chart.reactions.first { $0.treatment == "propofol" }?.state == .tolerated)
    #expect(meloxicam.evidence.first?.passage == 0..<2 && meloxicam.evidence.first?.focus == 0..<1)
  }

  @Test func `what is unsure is on the chart and warns nobody unasked`() {
    let chart = PatientChart(notes: [note("a", day: 1)], facts: ["a": [fact("meloxicam", .reaction, probability: 0.3)]])
    #expect(chart.warnings.isEmpty)
    #expect(chart.suspicions.map(\.treatment) == ["meloxicam"])
  }

  @Test func `a form and an unsure ban warn nobody unasked`() {
    let tablet = fact("tablet", .reaction, of: .product)
    let chart = PatientChart(
      notes: [note("a", day: 1)], facts: ["a": [tablet, fact("corticosteroid", .avoid, probability: 0.7)]])
    #expect(chart.suspicions.count == 2 && chart.warnings.isEmpty)
  }

  @Test func `another animal's reactions and other facts are none of the chart`() {
    var others = fact("meloxicam", .reaction)
    others.assertion.experiencer = .other
    let drug = Fact(.drug(DrugEvent()), name: "meloxicam", range: 0..<1)
    #expect(PatientChart(notes: [note("a", day: 1)], facts: ["a": [others, drug]]).reactions.isEmpty)
  }

  @Test func `notes added, moved away and retracted give the chart that is built from nothing`() {
    var generator = SplitMix64(seed: 17)
    let drugs = ["meloxicam", "vaccine", "anaesthesia"]
    for _ in 0..<200 {
      var notes: [ClinicalNote] = []
      var facts: [String: [Fact]] = [:]
      for number in 0..<Int.random(in: 0...8, using: &generator) {
        let id = "n\(number)"
        notes.append(note(id, day: Int.random(in: 1...4, using: &generator)))
        facts[id] = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
          guard let drug = drugs.randomElement(using: &generator),
            let label = ReactionLabel.allCases.randomElement(using: &generator)
          else { return nil }
          return fact(drug, label, probability: Double.random(in: 0.2...1, using: &generator))
        }
      }
      let chart = PatientChart(notes: notes, facts: facts)
      #expect(PatientChart(notes: notes.shuffled(using: &generator), facts: facts).reactions == chart.reactions)
      guard let removed = notes.indices.randomElement(using: &generator) else { continue }
      var fewer = notes
      let gone = fewer.remove(at: removed)
      let rest = PatientChart(notes: fewer, facts: facts)
      #expect(PatientChart(notes: fewer + [gone], facts: facts).reactions == chart.reactions)
      #expect(rest.reactions.allSatisfy { course in course.evidence.allSatisfy { $0.noteID != gone.id } })
    }
  }
}
