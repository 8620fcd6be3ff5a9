import Clinical

/// What a table of unknown meaning may be: its kind, and which column fills which field.
struct TableGuess {
  let kind: MappedKind
  /// Field of `guess-fields.tsv` to the columns, in their order.
  var columns: [String: [Int]]
  /// Field to how sure its first column is, 0...1.
  let sureness: [String: Double]
  /// Field to why.
  let reasons: [String: String]
  let score: Double

  /// Fields that take every column that suits them.
  private static let gatheredFields: Set = ["address", "phone", "text"]
  /// What a column must gain to fill a field, and to be one more of a field.
  private static let least = (first: 0.15, further: 0.35)

  /// The likeliest kind; nil where no kind has what its rows need, or one that has not is far likelier.
  static func best(_ table: SampledTable, _ tables: GuessTables, _ others: ValueFit.Others) -> TableGuess? {
    let parts = table.name.split(separator: ".")
    let stem = tables.words.split(String(parts.first ?? ""))
    var best: TableGuess?
    // A table that is far more like a kind whose rows would lack something is none of the others.
    var lacking = 0.0
    for kind in MappedKind.allCases {
      guard let fields = tables.fields[kind] else { continue }
      let guess = assign(table, kind, fields, tables, others, among: Set(table.columns.indices))
      let named = tables.words.likeness(of: stem, to: tables.fileNames[kind] ?? [], common: [])
      guard guess.hasNeeded else {
        lacking = max(lacking, guess.score + named)
        continue
      }
      let scored = TableGuess(
        kind: kind, columns: guess.columns, sureness: guess.sureness, reasons: guess.reasons,
        score: guess.score + named)
      if scored.score > best?.score ?? 0 { best = scored }
    }
    return lacking > (best?.score ?? 0) + 1 ? nil : best
  }

  /// The fields' best columns among some of the table's.
  static func assign(
    _ table: SampledTable, _ kind: MappedKind, _ fields: [GuessTables.Field], _ tables: GuessTables,
    _ others: ValueFit.Others, among: Set<Int>
  ) -> TableGuess {
    let words = table.columns.map { tables.words.split($0.heading) }
    let common = Self.common(words)
    var headings: Set<String> = []
    let usable = table.columns.indices.filter { index in
      among.contains(index) && !table.columns[index].heading.isEmpty
        && headings.insert(ImportVocabulary.normalize(table.columns[index].heading)).inserted
    }
    let evidence = fields.map { field in
      usable.map { index in
        Evidence(
          likeness: tables.words.likeness(of: words[index], to: field.headings, common: common),
          fit: ValueFit.of(table.columns[index], field.values, tables, others), sort: field.values)
      }
    }
    let gains = evidence.map { $0.map(\.gain) }
    var columns: [String: [Int]] = [:]
    var sureness: [String: Double] = [:]
    var reasons: [String: String] = [:]
    var score = 0.0
    var free = Set(usable.indices)
    for (row, column) in bestAssignment(gains).enumerated() {
      guard let column, gains[row][column] >= least.first else { continue }
      columns[fields[row].name] = [usable[column]]
      sureness[fields[row].name] = gains[row][column]
      reasons[fields[row].name] = evidence[row][column].reason
      score += gains[row][column]
      free.remove(column)
    }
    for (row, field) in fields.enumerated() where gatheredFields.contains(field.name) && columns[field.name] != nil {
      for column in free.sorted() where gains[row][column] >= least.further {
        columns[field.name, default: []].append(usable[column])
        free.remove(column)
      }
      columns[field.name]?.sort()
    }
    return TableGuess(kind: kind, columns: columns, sureness: sureness, reasons: reasons, score: score)
  }

  /// What speaks for a column as a field.
  private struct Evidence {
    /// Of the heading, 0...1.
    let likeness: Double
    let fit: ValueFit
    let sort: ValueSort

    /// A heading proposes and the values may object; without a heading's word only values that are like nothing else count.
    var gain: Double {
      guard fit.value > -0.5 else { return 0 }
      if likeness > 0 { return 0.6 * likeness + 0.4 * fit.value }
      switch sort {
      case .email, .chip, .reference, .nameOf: return fit.value > 0.5 ? 0.35 * fit.value : 0
      case .prose: return fit.value > 0.8 ? 0.2 : 0
      default: return 0
      }
    }

    var reason: String {
      let heading =
        likeness > 0.9 ? "its heading says so" : likeness > 0 ? "its heading is like it" : "not by its heading"
      return fit.reason.isEmpty ? heading : "\(heading), \(fit.reason)"
    }
  }

  /// Words that most headings of the table have.
  private static func common(_ headings: [[String]]) -> Set<String> {
    var counts: [String: Int] = [:]
    for words in headings { for word in Set(words) { counts[word, default: 0] += 1 } }
    return Set(counts.filter { $0.value >= 3 && $0.value * 2 > headings.count }.keys)
  }

  /// Whether a row could be a record: what a mapping can say of every row isn't asked for.
  private var hasNeeded: Bool {
    let has = { (fields: String...) in fields.contains { columns[$0] != nil } }
    switch kind {
    case .clients: return has("id") && has("name", "given_name", "family_name")
    case .staff: return has("id") && has("name", "given_name", "family_name")
    case .appointments:
      return has("start")
        && has("start_time", "duration_minutes", "end_date", "end_time", "actual_minutes", "clinician_id")
    default: return kind.needed.allSatisfy { group in group.contains { columns[$0] != nil } }
    }
  }
}
