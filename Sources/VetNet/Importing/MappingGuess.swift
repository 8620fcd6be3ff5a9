import Clinical
import Interchange

/// A proposed mapping and what it isn't sure of.
public struct MappingGuess: Sendable, Codable {
  /// A column, or several, as a field was found.
  public struct Field: Sendable, Codable {
    public let name: String
    public let headings: [String]
    /// 0...1: how much speaks for it; no probability.
    public let weight: Double
    public let reason: String

    /// `sure`, `likely` or `unsure`.
    var sureness: String { weight >= 0.7 ? "sure" : weight >= 0.45 ? "likely" : "unsure" }
  }

  /// A table of the proposal.
  public struct Table: Sendable, Codable {
    public let file: String
    /// `patients`, `hours`, …
    public let kind: String
    /// Field to the headings that make it up.
    public let columns: [String: [String]]
    /// What was found, parts such as a time apart from its day too.
    public let fields: [Field]
    /// As they would be read, each an object of JSON, or why it can't be.
    public let firstRows: [String]

    private enum CodingKeys: String, CodingKey {
      case file, kind, columns, fields
      case firstRows = "first_rows"
    }
  }

  /// Something to look at.
  public struct Doubt: Sendable, Codable {
    public let file: String
    /// Under which ``GuessMapping`` takes an answer.
    public let id: String
    public let text: String
    public let choices: [String]
    /// What the proposal has meanwhile.
    public let taken: String?
  }

  /// The mapping file's contents.
  public let text: String
  public let tables: [Table]
  public let doubts: [Doubt]
  /// File to the headings that the proposal doesn't read.
  public let unread: [String: [String]]

  /// For people: each table with its first rows, then what is unsure.
  public var lines: [String] {
    var lines: [String] = []
    for table in tables {
      lines.append("\(table.file): \(table.kind)")
      for (field, headings) in table.columns.sorted(by: { $0.key < $1.key }) {
        let found = table.fields.first { $0.name == field }
        lines.append(
          "  \(field) = \(headings.joined(separator: " + "))"
            + (found.map { " (\($0.sureness): \($0.reason))" } ?? ""))
      }
      for row in table.firstRows { lines.append("  first rows: \(row)") }
    }
    for (file, headings) in unread.sorted(by: { $0.key < $1.key }) where !headings.isEmpty {
      lines.append("\(file): not read: \(headings.joined(separator: ", "))")
    }
    return lines
      + doubts.map { "unsure: \($0.file): \($0.text)\($0.taken.map { ": taken for \($0)" } ?? "")" }
  }
}

extension MappingGuess {
  /// Rows that a person is shown of each table.
  private static let shownRows = 2

  /// Proposes how tables of another program are read.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - models: where what is known of other programs' words lies.
  ///   - zone: of the practice.
  ///   - usualOrder: that of the practice's files, for dates that don't tell.
  ///   - today: at the practice.
  ///   - answers: what a person answered to the doubts of an earlier look, by their ids.
  /// - Throws: ``PracticeError`` for a path that can't be read, and where no table can be made out.
  init(
    _ paths: [String], models: ModelDirectory, zone: PracticeTimeZone, usualOrder: DateOrder?, today: CalendarDate,
    answers: [String: String]
  ) throws {
    let tables = try models.guessTables()
    var reading = Interchange.ImportOptions(
      timeZone: zone, today: today, weights: try models.plausibility().possible("weight"),
      vocabulary: try models.importVocabulary())
    reading.usualDateOrder = usualOrder
    do throws(InterchangeError) {
      let guess = try ImportGuess(paths, tables: tables, today: today, answers: answers)
      let rows = try ImportReader.firstRows(paths, mapping: guess.mapping, count: Self.shownRows, options: reading)
      self.init(guess, firstRows: rows)
    } catch {
      throw PracticeError(.failed, error.description)
    }
  }

  private init(_ guess: ImportGuess, firstRows: [(file: String, kind: MappedKind, rows: [String])]) {
    text = guess.text
    tables = zip(guess.mapping.tables, guess.found).map { table, found in
      let shown = firstRows.first {
        $0.kind == table.kind && $0.file.split(separator: "/").last.map(String.init) == table.file
      }
      return Table(
        file: table.file, kind: table.kind.rawValue, columns: table.columns,
        fields: found.sorted { $0.key < $1.key }.map { name, field in
          Field(name: name, headings: field.headings, weight: field.weight, reason: field.reason)
        },
        firstRows: shown?.rows ?? [])
    }
    doubts = guess.doubts.map { doubt in
      Doubt(file: doubt.file, id: doubt.id, text: doubt.text, choices: doubt.choices, taken: doubt.taken)
    }
    unread = guess.unread
  }
}
