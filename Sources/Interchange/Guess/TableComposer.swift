import Clinical

/// Makes a table of a mapping of what was guessed: parts put together, codes given meanings, units and the order of dates said.
struct TableComposer {
  private let sample: SampledTable
  private let tables: GuessTables
  /// That of the export's other tables, where they agree.
  private let usualOrder: DateOrder?
  /// What stands for the day on which an animal died that is only known to be dead.
  private let today: CalendarDate
  /// What a person has answered, by the doubt's id.
  private let answers: [String: String]
  private(set) var doubts: [ImportGuess.Doubt] = []

  /// Under this a column is worth a look.
  private static let sure = 0.45

  init(
    _ sample: SampledTable, _ tables: GuessTables, usualOrder: DateOrder?, today: CalendarDate,
    answers: [String: String]
  ) {
    self.sample = sample
    self.tables = tables
    self.usualOrder = usualOrder
    self.today = today
    self.answers = answers
  }

  // MARK: Doubts

  /// What a person answered to a question; where nobody did, the default, and a doubt of it.
  private mutating func decide(
    _ subject: String, _ text: String, choices: [String], default value: String
  ) -> String {
    let id = "\(sample.name)/\(subject)"
    if let answer = answers[id], choices.contains(answer) { return answer }
    doubts.append(ImportGuess.Doubt(file: sample.name, id: id, text: text, choices: choices, taken: value))
    return value
  }

  private mutating func doubt(_ subject: String, _ text: String) {
    doubts.append(
      ImportGuess.Doubt(file: sample.name, id: "\(sample.name)/\(subject)", text: text, choices: [], taken: nil))
  }

  private func heading(_ column: Int) -> String { "'\(sample.columns[column].heading.shortened)'" }

  mutating func table(_ found: TableGuess) -> MappedTable {
    let guess = asked(found)
    var table = started(guess.kind)
    var parts = guess.columns
    for (field, columns) in join(&parts, guess.kind) { table.columns[field] = headings(columns) }
    addCodes(guess, to: &table)
    addDeaths(guess, to: &table)
    addUnits(guess, to: &table)
    addDefaults(to: &table)
    settleDates(of: &table)
    return table
  }

  /// The guess without the unsure columns that a person says are something else.
  private mutating func asked(_ guess: TableGuess) -> TableGuess {
    var guess = guess
    for (field, sureness) in guess.sureness.sorted(by: { $0.key < $1.key }) where sureness < Self.sure {
      guard let column = guess.columns[field]?.first else { continue }
      let answer = decide(
        "columns/\(field)", "\(heading(column)) is taken for \(field): \(guess.reasons[field] ?? "")",
        choices: ["yes", "no"], default: "yes")
      if answer == "no" { guess.columns[field] = nil }
    }
    return guess
  }

  /// A table of owners out of a table of animals that has them in its rows.
  mutating func owners(beside guess: TableGuess, _ others: ValueFit.Others) -> (table: MappedTable, columns: Set<Int>)?
  {
    let names =
      guess.columns["owner_name"] ?? (guess.columns["owner_given"] ?? []) + (guess.columns["owner_family"] ?? [])
    guard let id = guess.columns["owner_id"], !names.isEmpty else { return nil }
    let free = Set(sample.columns.indices).subtracting(guess.columns.values.joined())
    let fields = (tables.fields[.clients] ?? []).filter { ["phone", "email", "address"].contains($0.name) }
    let rest = TableGuess.assign(sample, .clients, fields, tables, others, among: free)
    var table = started(.clients)
    table.columns = rest.columns.mapValues(headings)
    table.columns["id"] = headings(id)
    table.columns["name"] = headings(names)
    return (table, Set(rest.columns.values.joined()))
  }

  private func started(_ kind: MappedKind) -> MappedTable {
    var table = MappedTable(file: sample.name, kind: kind)
    table.form.encoding = sample.encoding
    table.form.delimiter = sample.head.delimiter
    return table
  }

  private func headings(_ columns: [Int]) -> [String] { columns.map { sample.columns[$0].heading } }

  /// The fields of a mapping, of which programs keep parts in columns of their own.
  private mutating func join(_ parts: inout [String: [Int]], _ kind: MappedKind) -> [String: [Int]] {
    func put(_ field: String, _ names: [String]) {
      let columns = names.flatMap { parts.removeValue(forKey: $0) ?? [] }
      if !columns.isEmpty { parts[field] = columns }
    }
    if let given = parts["given_name"], let family = parts["family_name"] { parts["name"] = given + family }
    let whole = parts["name"] ?? (parts["given_name"] ?? []) + (parts["family_name"] ?? [])
    if !whole.isEmpty { parts["name"] = whole }
    if parts["owner_name"] == nil { put("owner_name", ["owner_given", "owner_family"]) }
    put("sex", ["sex", "neutered"])
    if parts["weight_kg"] != nil { put("weight_kg", ["weight_kg", "weight_unit"]) }
    if parts["recorded_at"] != nil { put("recorded_at", ["recorded_at", "recorded_time"]) }
    if parts["received_at"] != nil { put("received_at", ["received_at", "received_time"]) }
    if parts["start"] != nil { put("start", ["start", "start_time"]) }
    put("end", ["end_date", "end_time"])
    if let dead = parts["dead"], parts["deceased_at"] == nil || saysDead(dead[0]) {
      parts["deceased_at", default: []] += dead
    }
    return parts.filter { kind.fields.contains($0.key) }
  }

  /// An animal that a column says is dead, without a day, counts as dead from today on: it must get no reminder.
  private mutating func addDeaths(_ guess: TableGuess, to table: inout MappedTable) {
    guard let index = guess.columns["dead"]?.first,
      table.columns["deceased_at"]?.contains(sample.columns[index].heading) == true
    else { return }
    var unknown: [String] = []
    for (word, _) in sample.columns[index].codes ?? [] {
      let isDead = isDead(word, index)
      if isDead == nil { unknown.append(word) }
      table.values["deceased_at", default: [:]][word] = isDead == true ? "\(today)" : ""
    }
    let dated = guess.columns["deceased_at"]?.first.map { ", where \(heading($0)) is empty" } ?? ""
    doubt("deceased_at", "\(heading(index)) says which animals died but not when: \(today) stands for the day\(dated)")
    if !unknown.isEmpty {
      doubt("deceased_at/words", "deceased_at: what \(Self.shown(unknown)) means isn't known: taken for alive")
    }
  }

  /// Whether a word of a column means that the animal died; nil for one that isn't known. "Deceased" says so whatever the
  /// heading; a bare yes says what the heading asks.
  private func isDead(_ word: String, _ column: Int) -> Bool? {
    let asksAlive = tables.words.split(sample.columns[column].heading).contains {
      tables.words.likeness($0, "alive") > 0
    }
    if let flag = tables.codes.meaning(of: word, in: "flag")?.value { return (flag == "yes") != asksAlive }
    return tables.codes.meaning(of: word, in: "dead").map { $0.value == "yes" }
  }

  private func saysDead(_ column: Int) -> Bool {
    (sample.columns[column].codes ?? []).contains { isDead($0.word, column) == true }
  }

  private static func shown(_ words: [String]) -> String {
    words.prefix(5).map { "'\($0.shortened)'" }.joined(separator: ", ")
      + (words.count > 5 ? " and \(words.count - 5) more" : "")
  }

  // MARK: Codes

  private mutating func addCodes(_ guess: TableGuess, to table: inout MappedTable) {
    for field in tables.fields[guess.kind] ?? [] {
      guard let index = guess.columns[field.name]?.first else { continue }
      switch field.values {
      case .code(let list): addCodes(of: index, field.name, list, to: &table)
      case .sex:
        if let neutered = guess.columns["neutered"]?.first {
          addSexes(index, neutered, to: &table)
        } else {
          addCodes(of: index, field.name, "sex", to: &table)
        }
      default: break
      }
    }
  }

  private mutating func addCodes(of index: Int, _ field: String, _ list: String, to table: inout MappedTable) {
    let isFree = list == "visit_type" || list == "channel"
    for (word, count) in sample.columns[index].codes ?? [] {
      if tables.codes.isUnderstood(word, in: list) || tables.vocabulary.isNothing(word, isCell: true) { continue }
      let meaning = tables.codes.meaning(of: word, in: list)
      if let meaning, meaning.isSure {
        if meaning.value != word { table.values[field, default: [:]][word] = meaning.value }
        continue
      }
      // A practice may have visit types of its own.
      guard !isFree else { continue }
      let asIs = "leave it"
      let answer = decide(
        "values/\(field)/\(word)",
        "\(field): '\(word.shortened)' (\(count) rows) "
          + (meaning.map { "may mean \($0.value)" } ?? "isn't known: say what it means under [table.values.\(field)]"),
        choices: tables.codes.values(of: list) + [asIs], default: meaning?.value ?? asIs)
      if answer != asIs { table.values[field, default: [:]][word] = answer }
    }
  }

  /// The sex in one column and whether the animal is neutered in another: what both together mean.
  private mutating func addSexes(_ sex: Int, _ neutered: Int, to table: inout MappedTable) {
    let isInverse = tables.words.split(sample.columns[neutered].heading).contains { $0 == "entire" || $0 == "intact" }
    var isKnown = true
    for (word, _) in sample.columns[sex].codes ?? [] {
      guard let meaning = tables.codes.meaning(of: word, in: "sex"), let base = Sex(rawValue: meaning.value) else {
        isKnown = false
        continue
      }
      table.values["sex", default: [:]][word] = base.rawValue
      for (state, _) in sample.columns[neutered].codes ?? [] {
        let list = ["flag", "neutered"].first { tables.codes.meaning(of: state, in: $0) != nil }
        guard let list, let answer = tables.codes.meaning(of: state, in: list)?.value else {
          isKnown = false
          continue
        }
        let isNeutered = (answer == "yes") != (isInverse && list == "flag")
        let both: Sex = !isNeutered ? base : base.isMale ? .maleNeutered : base.isFemale ? .femaleSpayed : base
        table.values["sex", default: [:]]["\(word) \(state)"] = both.rawValue
      }
    }
    if !isKnown { doubt("sex", "sex: not every word of \(heading(sex)) and \(heading(neutered)) is known") }
  }

  // MARK: Units, defaults, dates

  private mutating func addUnits(_ guess: TableGuess, to table: inout MappedTable) {
    if let weight = guess.columns["weight_kg"]?.first, guess.columns["weight_unit"] == nil {
      let column = sample.columns[weight]
      if let unit = tables.words.split(column.heading).compactMap({ WeightText.unit(named: $0) }).first {
        table.units["weight_kg"] = unit
      } else if column[.weightWithUnit] < 1 {
        table.units["weight_kg"] = decide(
          "units/weight_kg", "\(heading(weight)) has numbers without a unit", choices: WeightText.units, default: "kg")
      }
    }
    for field in ["duration_minutes", "actual_minutes"] {
      guard let index = guess.columns[field]?.first else { continue }
      let words = tables.words.split(sample.columns[index].heading)
      if words.contains(where: { ["h", "hr", "hrs", "hours"].contains($0) }) { table.units[field] = "h" }
    }
  }

  private mutating func addDefaults(to table: inout MappedTable) {
    switch table.kind {
    case .staff where table.columns["role"] == nil:
      table.always["role"] = decide(
        "always/role", "no column says the role of the staff", choices: StaffMember.Role.allCases.map(\.rawValue),
        default: "veterinarian")
    case .resources where table.columns["kind"] == nil:
      table.always["kind"] = decide(
        "always/kind", "no column says what is a room or a machine", choices: ["room", "theatre", "imaging"],
        default: "room")
    case .appointments where ["duration_minutes", "end", "actual_minutes"].allSatisfy { table.columns[$0] == nil }:
      table.always["duration_minutes"] = decide(
        "always/duration_minutes", "no column says how many minutes a visit is",
        choices: ["10", "15", "20", "30", "45", "60"], default: "15")
    default: break
    }
  }

  private mutating func settleDates(of table: inout MappedTable) {
    let headings = Set(table.kind.dateFields.flatMap { table.columns[$0] ?? [] })
    let columns = sample.columns.filter { headings.contains($0.heading) }
    guard !columns.isEmpty else { return }
    var evidence = DateEvidence()
    for cell in columns.flatMap(\.cells) { evidence.add(cell, line: 0) }
    switch evidence.order {
    case .known(let order): table.form.dateOrder = order
    case .conflicting:
      doubt("date_order", "its dates are of both orders, day first and month first: correct the export")
    case .unknown:
      var reader = DateReader(timeZone: .utc, acceptsLocalForms: true)
      reader.order = .unknown
      let isOpen = columns.flatMap(\.cells).contains {
        if case .failure(.ambiguous) = reader.read($0) { true } else { false }
      }
      guard isOpen else { return }
      let order = decide(
        "date_order",
        "none of its dates tells day from month" + (usualOrder == nil ? "" : "; the other tables' dates do"),
        choices: DateOrder.allCases.map(\.rawValue), default: (usualOrder ?? .dayFirst).rawValue)
      table.form.dateOrder = DateOrder(rawValue: order)
    }
  }
}
