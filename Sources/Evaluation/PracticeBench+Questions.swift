import Clinical
import FoundationEssentials

extension PracticeBench {
  /// One command that is timed.
  private struct Probe {
    let name: String
    let arguments: [String]
    /// What every citation's patient must be; nil where any will do.
    var patientID: String?
    var answers = true
  }

  /// Cold questions to both practices, and the floor: a process that does nothing.
  ///
  /// The commands take turns, so that what else the machine does at a moment burdens all of them alike.
  func latencies(small: BenchPractice, large: BenchPractice, askedAt: Timestamp) throws -> [BenchReport.Latency] {
    var probes = [Probe(name: "vetnet --version", arguments: ["--version"], answers: false)]
    let moment = ["--asked-at", PracticeTimeZone.utc.iso8601(askedAt), "--json"]
    for (name, practice) in [("small", small), ("large", large)] {
      probes.append(
        Probe(
          name: "ask, \(name), whole practice",
          arguments: ["ask", configuration.question] + moment + practice.options))
      probes.append(
        Probe(
          name: "ask, \(name), list of patients",
          arguments: ["ask", configuration.listQuestion] + moment + practice.options))
      probes.append(
        Probe(
          name: "ask, \(name), one patient",
          arguments: ["ask", configuration.patientQuestion, "--patient", configuration.patientID] + moment
            + practice.options, patientID: configuration.patientID))
    }
    var runs = [[MeasuredProcess.Outcome]](repeating: [], count: probes.count)
    var citations = [Int?](repeating: nil, count: probes.count)
    for repetition in 0...configuration.repetitions {
      for (index, probe) in probes.enumerated() {
        let outcome = try vetnet.run(probe.arguments)
        if probe.answers {
          citations[index] = try checkedCitations(outcome, probe)
        } else if outcome.status != 0 {
          throw Failure(description: "'\(probe.name)' exited with \(outcome.status)")
        }
        // The first time fills the system's cache and isn't counted.
        if repetition > 0 { runs[index].append(outcome) }
      }
    }
    let medians = runs.map { Self.median($0.map(\.seconds)) }
    return probes.indices.map { index in
      let milliseconds = runs[index].map { $0.seconds * 1000 }
      return BenchReport.Latency(
        name: probes[index].name, arguments: Array(probes[index].arguments.prefix { $0 != "--asked-at" }),
        milliseconds: milliseconds, median: medians[index] * 1000, low: milliseconds.min() ?? 0,
        high: milliseconds.max() ?? 0, peakMemoryMegabytes: Double(runs[index].map(\.peakMemory).max() ?? 0) / 1e6,
        citations: citations[index], ratio: medians[index] / max(medians[0], 1e-9))
    }
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// - Returns: how many citations there are; none is a failure, and so are another patient's.
  private func checkedCitations(_ outcome: MeasuredProcess.Outcome, _ probe: Probe) throws -> Int {
    struct Answer: Decodable {
      struct Citation: Decodable {
        let patient_id: String
        let quote: String
      }
      let citations: [Citation]
    }
    guard outcome.status == 0, let answer = try? JSONDecoder().decode(Answer.self, from: Data(outcome.output)) else {
      throw Failure(
        description:
          "'\(probe.name)' exited with \(outcome.status): \(String(decoding: outcome.errors.prefix(500), as: UTF8.self))"
      )
    }
    guard !answer.citations.isEmpty, answer.citations.allSatisfy({ !$0.quote.isEmpty }) else {
      throw Failure(description: "'\(probe.name)' cited nothing: ask something that the record answers")
    }
    guard answer.citations.allSatisfy({ probe.patientID == nil || $0.patient_id == probe.patientID }) else {
      throw Failure(description: "'\(probe.name)' cited another patient's notes")
    }
    return answer.citations.count
  }
}
