import FoundationEssentials
import Network
import Presentation
import VetNet

/// What came of a job over many practices, as JSON and in words.
struct NetworkOutput {
  let result: NetworkResult
  /// By name, with why.
  let failures: [String: String]
  var seconds: [String: Double] = [:]
  var peakKilobytes = 0

  struct Planned: Encodable {
    let goal: String
    let of: [String]
  }

  private struct Failed: Encodable {
    let name: String
    let reason: String
  }

  private struct Line<Content: Encodable>: Encodable {
    let message_type = "summary"
    let failed: [Failed]
    let peak_kilobytes: Int
    let content: Content

    private enum CodingKeys: String, CodingKey { case message_type, failed, peak_kilobytes }

    func encode(to encoder: any Encoder) throws {
      try content.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(message_type, forKey: .message_type)
      try container.encode(failed, forKey: .failed)
      if peak_kilobytes > 0 { try container.encode(peak_kilobytes, forKey: .peak_kilobytes) }
    }
  }

  private struct Indexed: Encodable {
    struct Practice: Encodable {
      let practice: String
      let notes: Int
      let model: String?
      let failures: [String: String]
      let seconds: Double?
      let notes_per_second: Int?
    }
    let practices: [Practice]
  }

  private struct Model: Encodable {
    let path: String
    let rank: Int
    let singular_values: [Float]
    let provenance: SharedModelProvenance
  }

  private struct Similar: Encodable {
    let model: String
    let hits: [SharedCase]
  }

  /// Prints it; the exit code says whether some could not be done.
  func show(_ invocation: Invocation) throws -> ExitCode {
    let terminal = invocation.terminal
    switch result {
    case .indexed(let practices):
      let rows = practices.practices.map { practice in
        let spent = seconds[practice.practice]
        return Indexed.Practice(
          practice: practice.practice, notes: practice.notes, model: practice.model, failures: practice.failures,
          seconds: spent, notes_per_second: spent.flatMap { $0 > 0 ? Int(Double(practice.notes) / $0) : nil })
      }
      try line(Indexed(practices: rows), invocation) {
        rows.map { row in
          "\(row.practice): \(row.notes) notes indexed\(row.notes_per_second.map { " (\($0) a second and worker)" } ?? ""), model: \(row.model ?? "")"
        }
      }
      for row in rows {
        for (note, why) in row.failures.sorted(by: { $0.key < $1.key }) {
          terminal.say("\(row.practice): \(note): \(why)")
        }
      }
      if rows.contains(where: { !$0.failures.isEmpty }) { return .someInputRejected }
    case .model(let provenance, let values, let rank, let path):
      try line(Model(path: path, rank: rank, singular_values: values, provenance: provenance), invocation) {
        [
          "\(path): rank \(rank), \(provenance.buckets) terms of at least \(provenance.least) practices, from \(provenance.passages) passages of \(provenance.practices.count) practices"
        ]
      }
    case .similar(let found):
      try line(Similar(model: found.model, hits: found.cases), invocation) {
        found.cases.enumerated().flatMap { place, item in
          [
            "\(place + 1). \(item.practice) · \(item.noteID) · \(item.species) · \(item.year) · score \(String(format: item.score))",
            "   “\(item.quote.shortened(to: 400))”",
          ]
        }
      }
      if found.cases.isEmpty { terminal.say("No case of these practices resembles this.") }
    case .pooled(let pooled): try line(pooled, invocation) { Self.table(pooled) }
    case .evaluated(let reports): try show(reports, terminal, asJSON: invocation.wantsJSON)
    }
    if !failures.isEmpty, !invocation.wantsJSON {
      terminal.say("Not done: \(failures.keys.sorted().joined(separator: ", "))")
    }
    return failures.isEmpty ? .ok : .someInputRejected
  }

  private func line(_ content: some Encodable, _ invocation: Invocation, _ words: () -> [String]) throws {
    guard invocation.wantsJSON else {
      for line in words() { invocation.terminal.print(line) }
      return
    }
    let failed = failures.sorted { $0.key < $1.key }.map { Failed(name: $0.key, reason: $0.value) }
    try invocation.terminal.printJSON(Line(failed: failed, peak_kilobytes: peakKilobytes, content: content))
  }

  private static func table(_ pooled: PooledFigures) -> [String] {
    pooled.visitTypes.flatMap { type -> [String] in
      let minutes = type.minutes.map { "\(String(format: $0)) min" } ?? "–"
      let missed = type.noShowShare.map { "\(String(format: $0 * 100)) % not there" } ?? ""
      return [
        "\(type.visitType): \(minutes) in the middle, \(type.visits) visits of \(type.practices) practices; \(missed)"
      ]
        + type.rows.map { row in
          let own = row.ownMinutes.map { String(format: $0) } ?? "–"
          let drawn = row.minutes.map { String(format: $0) } ?? "–"
          return "  \(row.practice.padded(to: 24)) \(row.visits) visits: \(own) alone, \(drawn) with the others"
        }
    }
  }

  private func show(_ reports: SuiteReports, _ terminal: Terminal, asJSON: Bool) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for suite in reports.suites {
      if asJSON {
        // The suite's own JSON, as it is.
        let name = String(decoding: try encoder.encode(suite.name), as: UTF8.self)
        terminal.print("{\"name\":\(name),\"report\":\(suite.report)}")
        continue
      }
      let report = try? JSONValue(line: Array(suite.report.utf8))
      let metrics = report?["systems"]?["default"]?.fields ?? [:]
      let shown = metrics.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
        value["value"].map { "\(name) \($0.line)" }
      }
      terminal.print("\(suite.name): n \(report?["n"]?.line ?? "?"), \(shown.joined(separator: ", "))")
    }
  }
}

extension JSONValue {
  /// Of an object; none of anything else.
  fileprivate var fields: [String: JSONValue] { if case .object(let values) = self { values } else { [:] } }
}

extension String {
  /// A number with one digit behind the point.
  fileprivate init(format number: Double) {
    self = "\((number * 10).rounded() / 10)"
  }
}
