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

  /// Every course with what it rests on.
  private func states(_ chart: PatientChart) -> [String] {
    let drugs = chart.drugs.all.map { course in
      let rests = [course.begun, course.latest, course.regimen, course.end].map { $0?.note.id ?? "-" }
      return "\(course.drug) \(rests) \(course.noteCount)"
    }
    let problems = chart.problems.all.map { course in
      let stages = course.stages.map { "\($0.state) \($0.begun.note.id) \($0.latest.note.id)" }
      let found = course.found?.note.id ?? "-"
      return "\(course.name) \(stages) \(course.mentions.map(\.id)) \(found) \(course.isChronic)"
    }
    let prevention = chart.prevention.all.map { course in
      "\(course.label) \(course.latest?.note.id ?? "-") \(course.dues.map(\.note.id))"
    }
    let now = Timestamp(seconds: 400 * 86_400)
    let standings = chart.prevention.standings(at: now, zone: .utc).map { standing in
      let due = PreventionDue(standing, zone: .utc)
      return "\(standing.label) \(standing.state) \(standing.latest.note.id) \(due.map { "\($0.day)" } ?? "-")"
    }
    let awaited = chart.investigations.awaited.map { "\($0.item.note.id) \($0.came?.note.id ?? "-")" }
    return drugs + problems + prevention + standings + awaited
  }

  /// The words that any state of a problem or protection rests on.
  private func rests(_ chart: PatientChart) -> [RecordedFact] {
    let problems = chart.problems.all.flatMap { course in
      course.stages.flatMap { [$0.begun, $0.latest] } + [course.found].compactMap(\.self)
    }
    return problems + chart.prevention.all.flatMap { [$0.latest].compactMap(\.self) + $0.dues }
      + chart.investigations.awaited.flatMap { [$0.item] + [$0.came].compactMap(\.self) }
  }

  /// A result that is awaited, pending or there.
  private func test(_ text: String, using generator: inout SplitMix64) -> Fact {
    let names = ["culture", "T4"]
    let results: [TestResult?] = [nil, .pending, .positive]
    let name = names[Int.random(in: 0..<names.count, using: &generator)]
    let isAwaited = Bool.random(using: &generator)
    return Fact(
      isAwaited
        ? .pendingResult(subject: nil) : .lab(LabResult(result: results.randomElement(using: &generator) ?? nil)),
      name: name, range: 0..<text.utf8.count)
  }

  /// One of all that a note may say of a vaccine or a parasite treatment.
  private func prevention(_ text: String, using generator: inout SplitMix64) -> Fact {
    let actions: [TreatmentAction?] = [nil, .given, .declined, .due, .overdue, .notGiven]
    let dues: [String?] = [nil, "12/3/71", "soon"]
    let prevention = Prevention(
      event: DrugEvent(action: actions.randomElement(using: &generator) ?? nil),
      due: dues.randomElement(using: &generator) ?? nil)
    let isVaccine = Bool.random(using: &generator)
    let start = Int.random(in: 0..<text.utf8.count, using: &generator)
    return Fact(
      isVaccine ? .vaccination(prevention) : .parasiteControl(prevention),
      name: isVaccine ? "rabies" : "worming",
      range: start..<Int.random(in: (start + 1)...text.utf8.count, using: &generator),
      assertion: Assertion(
        polarity: Polarity.allCases.randomElement(using: &generator) ?? .present,
        temporality: Temporality.allCases.randomElement(using: &generator) ?? .current))
  }

  /// One of all that a note may say of a problem.
  private func problem(_ text: String, using generator: inout SplitMix64) -> Fact {
    let names = ["otitis", "FIV", "cystitis"]
    let start = Int.random(in: 0..<text.utf8.count, using: &generator)
    let isOthers = Int.random(in: 0..<8, using: &generator) == 0
    return Fact(
      .problem(FindingDetail(system: "infectious", isChronic: Bool.random(using: &generator))),
      name: names[Int.random(in: 0..<names.count, using: &generator)],
      range: start..<Int.random(in: (start + 1)...text.utf8.count, using: &generator),
      assertion: Assertion(
        polarity: Polarity.allCases.randomElement(using: &generator) ?? .present,
        temporality: Temporality.allCases.randomElement(using: &generator) ?? .current,
        experiencer: isOthers ? .other : .patient))
  }

  @Test func `a later word ends or changes a course, and the earlier stays with it`() throws {
    func event(_ action: TreatmentAction, _ frequency: Frequency? = nil) -> Fact {
      var event = DrugEvent(action: action)
      event.dosage.frequency = frequency
      return Fact(.drug(event), name: "amlodipine", range: 0..<1)
    }
    let notes = (1...4).map { note("n\($0)", day: $0) }
    let facts = [
      "n1": [event(.started, .every24Hours)], "n2": [event(.changed, .every12Hours)], "n3": [event(.stopped)],
      "n4": [event(.started, .every24Hours)],
    ]
    let courses = PatientChart(notes: notes, facts: facts).drugs
    #expect(courses.all.map { $0.begun?.note.id } == ["n1", "n4"])
    #expect(courses.all.map { $0.regimen?.note.id } == ["n2", "n4"])
    #expect(courses.all.map { $0.end?.note.id } == ["n3", nil])
    let now = Timestamp(seconds: 5 * 86_400)
    #expect(courses.current(at: now).map { $0.begun?.note.id } == ["n4"] && courses.ended.isEmpty)
    let before = PatientChart(notes: Array(notes.prefix(3)), facts: facts).drugs
    #expect(before.current(at: now).isEmpty && before.ended.map { $0.end?.note.id } == ["n3"])
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
        facts[id]? += (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
          guard let drug = drugs.randomElement(using: &generator),
            let action = TreatmentAction.allCases.randomElement(using: &generator)
          else { return nil }
          var event = DrugEvent(action: action)
          event.dosage.frequency = Bool.random(using: &generator) ? .every12Hours : nil
          return Fact(.drug(event), name: drug, range: 0..<1)
        }
        facts[id]? += (0..<Int.random(in: 0...3, using: &generator)).map { _ in problem(id, using: &generator) }
        facts[id]? += (0..<Int.random(in: 0...2, using: &generator)).map { _ in prevention(id, using: &generator) }
        facts[id]? += (0..<Int.random(in: 0...2, using: &generator)).map { _ in test(id, using: &generator) }
      }
      let chart = PatientChart(notes: notes, facts: facts)
      #expect(PatientChart(notes: notes.shuffled(using: &generator), facts: facts).reactions == chart.reactions)
      #expect(
        states(PatientChart(notes: notes.shuffled(using: &generator), facts: facts)) == states(chart))
      #expect(rests(chart).allSatisfy { $0.fact.range.upperBound <= $0.note.text.utf8.count })
      #expect(rests(chart).allSatisfy { facts[$0.note.id]?.contains($0.fact) == true })
      guard let removed = notes.indices.randomElement(using: &generator) else { continue }
      var fewer = notes
      let gone = fewer.remove(at: removed)
      let rest = PatientChart(notes: fewer, facts: facts)
      #expect(PatientChart(notes: fewer + [gone], facts: facts).reactions == chart.reactions)
      #expect(states(PatientChart(notes: fewer + [gone], facts: facts)) == states(chart))
      #expect(rest.drugs.all.allSatisfy { $0.latest.note.id != gone.id && $0.begun?.note.id != gone.id })
      #expect(rests(rest).allSatisfy { $0.note.id != gone.id })
      // Amended: other words at the same place in time.
      var amended = facts
      amended[gone.id] = [
        problem(gone.id, using: &generator), prevention(gone.id, using: &generator), test(gone.id, using: &generator),
      ]
      let changed = states(PatientChart(notes: notes, facts: amended))
      #expect(states(PatientChart(notes: fewer + [gone], facts: amended)) == changed)
      #expect(rest.reactions.allSatisfy { course in course.evidence.allSatisfy { $0.noteID != gone.id } })
    }
  }
}
