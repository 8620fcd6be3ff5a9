public import Clinical

/// A proposal of how another program's export is read, and what a person should look at.
public struct ImportGuess: Sendable {
  /// Something that the proposal isn't sure of.
  public struct Doubt: Hashable, Sendable {
    public let file: String
    /// Under which an answer to it is given.
    public let id: String
    public let text: String
    /// What a person may answer; none where only the file can be corrected.
    public let choices: [String]
    /// What the proposal has meanwhile.
    public let taken: String?
  }

  /// A field as it was found.
  public struct Field: Hashable, Sendable {
    public let headings: [String]
    /// 0...1: the weight of what speaks for it, no probability.
    public let weight: Double
    public let reason: String
  }

  public let mapping: ImportMapping
  public let doubts: [Doubt]
  /// File to the headings that no table of the mapping reads.
  public let unread: [String: [String]]
  /// Per table of the mapping the fields of `guess-fields.tsv` that were found: parts such as a time apart from its day too.
  public let found: [[String: Field]]

  /// Reads the tables among files, and directly in folders, and proposes a mapping.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - tables: what is known of other programs' words.
  ///   - today: stands for the day on which animals died that are only known to be dead.
  ///   - answers: what a person answered to the doubts of an earlier look, by their ids.
  /// - Throws: ``InterchangeError`` for a path that isn't there, can't be read, or where no table can be made out.
  public init(
    _ paths: [String], tables: GuessTables, today: CalendarDate, answers: [String: String] = [:]
  ) throws(InterchangeError) {
    var doubts: [Doubt] = []
    var samples: [SampledTable] = []
    for file in try ImportDiscovery.tableFiles(paths) {
      switch try SampledTable.read(file) {
      case .success(let table): samples.append(table)
      case .failure(let refusal): doubts.append(.leftOut(file.name, refusal.reason))
      }
    }
    // What an id is depends on whose ids the other tables have, so it is looked at again when those are known.
    var others = ValueFit.Others()
    var guesses: [TableGuess?] = []
    for _ in 0..<3 {
      guesses = samples.map { TableGuess.best($0, tables, others) }
      others = Self.known(samples, guesses)
    }
    let orders = Set(samples.compactMap { if case .known(let order) = $0.dates.order { order } else { nil } })
    var mapped: [MappedTable] = []
    var found: [[String: Field]] = []
    var unread: [String: [String]] = [:]
    let hasClients = guesses.contains { $0?.kind == .clients }
    for (sample, guess) in zip(samples, guesses) {
      guard let guess else {
        doubts.append(
          .leftOut(sample.name, "its columns don't say what the table holds, or none has an id of its own for each row")
        )
        continue
      }
      var composer = TableComposer(
        sample, tables, usualOrder: orders.count == 1 ? orders.first : nil, today: today, answers: answers)
      var used = Set(guess.columns.values.joined())
      if guess.kind == .patients, !hasClients, let owners = composer.owners(beside: guess, others) {
        mapped.append(owners.table)
        found.append([:])
        used.formUnion(owners.columns)
      }
      mapped.append(composer.table(guess))
      found.append(guess.fields(sample))
      doubts += composer.doubts
      unread[sample.name] = sample.columns.indices.filter { !used.contains($0) }.map { sample.columns[$0].heading }
        .filter { !$0.isEmpty }
    }
    guard !mapped.isEmpty else {
      throw InterchangeError(
        .nothingToImport, path: paths.first ?? "", hint: doubts.first?.text ?? "there is no table with a head line")
    }
    mapping = ImportMapping(tables: mapped)
    self.doubts = doubts
    self.unread = unread
    self.found = found
  }

  private static func known(_ samples: [SampledTable], _ guesses: [TableGuess?]) -> ValueFit.Others {
    var others = ValueFit.Others()
    for (sample, guess) in zip(samples, guesses) {
      guard let guess, !guess.kind.isPartOfStaff else { continue }
      if let id = guess.columns["id"]?.first {
        others.ids[guess.kind, default: []].formUnion(sample.columns[id].hashes)
      }
      if let name = guess.columns["name"]?.first {
        others.names[guess.kind, default: []].formUnion(sample.columns[name].hashes)
      }
    }
    return others
  }
}

extension ImportGuess.Doubt {
  fileprivate static func leftOut(_ file: String, _ reason: String) -> Self {
    Self(file: file, id: "\(file)/file", text: "left out: \(reason)", choices: [], taken: nil)
  }
}

extension TableGuess {
  fileprivate func fields(_ sample: SampledTable) -> [String: ImportGuess.Field] {
    columns.reduce(into: [:]) { fields, entry in
      fields[entry.key] = ImportGuess.Field(
        headings: entry.value.map { sample.columns[$0].heading }, weight: sureness[entry.key] ?? 0,
        reason: reasons[entry.key] ?? "")
    }
  }
}
