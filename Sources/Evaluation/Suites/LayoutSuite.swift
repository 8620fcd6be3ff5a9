public import Clinical
import FoundationEssentials
public import VetNet

/// The suite `layouts`: whether a mapping that nobody was asked about reads another program's columns for what they are.
public struct LayoutSuite: Sendable {
  /// A column with what it is.
  struct Label: Sendable {
    let layout: String
    let file: String
    /// Kind of the table; one file may be two tables.
    let kind: String
    /// Nil for a column that says nothing VetNet keeps.
    let field: String?
    let heading: String
  }

  /// What was made of a column, as a line of `--predictions`.
  public struct Prediction: Sendable, Encodable {
    public let id: String
    /// Kind and field of each reading of it.
    public let read: [String]
    public let isRight: Bool

    private enum CodingKeys: String, CodingKey {
      case id, read
      case isRight = "right"
    }
  }

  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// In the order of the labels.
    public let predictions: [Prediction]
    /// Per layout: how many of its columns, the ones to be left alone among them, are right, and how many doubts it has.
    public let layouts: [(name: String, right: Int, columns: Int, doubts: Int)]
  }

  public static let metricNames = ["columns", "tables", "left_unread"]

  let labels: [Label]
  /// Layout to the folder of its tables.
  let folders: [(name: String, path: String)]

  /// Reads labels: tables `NAME.tsv` with file, kind, field (`-` for a column to be left alone) and columns (joined by bars),
  /// each beside the folder `NAME` of the export.
  ///
  /// - Parameter paths: such tables, or folders of them.
  /// - Throws: ``EvaluationError`` for what is missing or has a cell that is no label.
  public init(_ paths: [String]) throws(EvaluationError) {
    var labels: [Label] = []
    var folders: [(name: String, path: String)] = []
    for path in try Self.tables(paths) {
      let folder = String(path.dropLast(".tsv".count))
      let name = String(folder.split(separator: "/").last ?? "")
      guard FileManager.default.fileExists(atPath: folder) else {
        throw EvaluationError(file: path, line: nil, problem: "has no folder '\(name)' beside it")
      }
      folders.append((name, folder))
      guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
      else { throw EvaluationError(file: path, line: nil, problem: "can't be read as UTF-8") }
      let rows: [DataTable.Row]
      do throws(DataTableError) {
        rows = try DataTable(name: path, text: text, required: ["file", "kind", "field", "columns"]).rows
      } catch {
        throw EvaluationError(file: path, line: nil, problem: "\(error)")
      }
      for row in rows {
        let field = row["field"] == "-" ? nil : row["field"]
        labels += row.list("columns").map {
          Label(layout: name, file: row["file"], kind: row["kind"], field: field, heading: $0)
        }
      }
    }
    guard !labels.isEmpty else { throw EvaluationError(file: paths.first ?? "", line: nil, problem: "has no labels") }
    self.labels = labels
    self.folders = folders
  }

  private static func tables(_ paths: [String]) throws(EvaluationError) -> [String] {
    var tables: [String] = []
    for path in paths {
      if path.hasSuffix(".tsv") {
        tables.append(path)
      } else if let names = try? FileManager.default.contentsOfDirectory(atPath: path) {
        tables += names.filter { $0.hasSuffix(".tsv") }.sorted().map { "\(path)/\($0)" }
      } else {
        throw EvaluationError(file: path, line: nil, problem: "can't be read")
      }
    }
    return tables
  }

  /// Proposes a mapping for each layout and compares it with the labels.
  ///
  /// - Parameters:
  ///   - reader: the shipped tables.
  ///   - today: the day on which the exports are looked at.
  ///   - seed: for intervals and tests.
  /// - Returns: the report, and what was made of each column.
  /// - Throws: ``PracticeError`` for a layout that can't be read.
  public func run(_ reader: LayoutReader, today: CalendarDate, seed: UInt64) throws -> Outcome {
    var readings: [String: Set<String>] = [:]
    var tables: Set<String> = []
    var doubts: [String: Int] = [:]
    for folder in folders {
      let guess = try reader.guess([folder.path], today: today)
      doubts[folder.name] = guess.doubts.count
      for table in guess.tables {
        let place = "\(folder.name)/\(table.file)"
        tables.insert("\(place)/\(table.kind)")
        for (field, headings) in table.columns {
          for heading in headings { readings["\(place)/\(heading)", default: []].insert("\(table.kind) \(field)") }
        }
      }
    }
    let predictions = labels.map { label in
      let place = "\(label.layout)/\(label.file)/\(label.heading)"
      let read = readings[place, default: []]
      return Prediction(
        id: place, read: read.sorted(),
        isRight: label.field.map { read.contains("\(label.kind) \($0)") } ?? read.isEmpty)
    }
    let isLabelled = labels.map { $0.field != nil }
    let right = predictions.map(\.isRight)
    let known = labels.map { reader.field(ofHeading: $0.heading, kind: $0.kind) }
    let metrics: [String: MetricValues] = [
      "columns": .share(right, where: isLabelled), "left_unread": .share(right, where: isLabelled.map { !$0 }),
      "tables": .share(labels.map { tables.contains("\($0.layout)/\($0.file)/\($0.kind)") }),
    ]
    let baseline = zip(labels, known).map { label, field in label.field == field }
    let report = SuiteReport(
      suite: "layouts", n: labels.count, systems: ["default": metrics],
      baselines: [
        "known headings, kinds given": [
          "columns": .share(baseline, where: isLabelled),
          "left_unread": .share(baseline, where: isLabelled.map { !$0 }),
        ]
      ], versions: reader.versions, seed: seed)
    let layouts = folders.map { folder in
      let own = zip(labels, right).filter { $0.0.layout == folder.name }
      return (folder.name, own.count { $0.1 }, own.count, doubts[folder.name] ?? 0)
    }
    return Outcome(report: report, predictions: predictions, layouts: layouts)
  }
}
