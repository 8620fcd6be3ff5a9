import Clinical

/// Makes a record of a row: names, types and ranges are checked here, references to other files aren't.
///
/// An error is thrown only for what a record means nothing without: its id, its name, its text, whose and of when it is,
/// a person's role. What else can't be read is left out and reported; see ``Row/optional(_:)``.
struct RecordBuilder {
  let kind: ImportKind
  let derivedIDs: DerivedIdentifiers
  /// In kilograms, what any animal at all may weigh; nil for whatever a file says.
  private let weights: ClosedRange<Double>?

  init(kind: ImportKind, _ context: StreamContext) {
    self.kind = kind
    derivedIDs = context.derivedIDs
    weights = context.options.weights
  }

  func record(from row: Row) throws(FieldError) -> ImportRecord {
    switch kind {
    case .clients: .client(try client(row))
    case .patients: .patient(try patient(row))
    case .locations: .location(try location(row))
    case .staff: .staff(try staffMember(row))
    case .resources: .resource(try resource(row))
    case .notes: try note(row)
    case .intakes: try intake(row)
    case .appointments: try appointment(row)
    }
  }

  private func client(_ row: Row) throws(FieldError) -> Client {
    let id = try requiredID(row)
    let given = try row.phrase("given_name")
    let family = try row.phrase("family_name")
    let parts = [given, family].compactMap { $0 }
    let name =
      try row.phrase("name") ?? (parts.isEmpty ? nil : parts.joined(separator: " "))
      ?? row.lacking("name", hint: "every client needs a name")
    return Client(
      id: id, name: name, phones: row.optional(try row.phones()) ?? [], email: row.optional(try row.phrase("email")),
      address: row.optional(try row.phrase("address")))
  }

  private func patient(_ row: Row) throws(FieldError) -> Patient {
    let id = try requiredID(row)
    let name = try row.phrase("name") ?? row.lacking("name", hint: "every patient needs a name; 'unnamed' will do")
    let word = row.optional(try row.phrase("species"))
    var breed = row.optional(try row.phrase("breed"))
    if word == nil, breed == nil, row.values["species"] == nil {
      row.report.lose(
        .missing("species", hint: "such as dog, cat or rabbit; kept as '\(Species.other.rawValue)'"), onlyIfNew: true)
    }
    let species = species(word, breed: breed, row)
    // The one word a "wallaby" has is kept where people will look for it.
    if let word, breed == nil, (Species(field: word) ?? .other) == .other, word.lowercased() != "other" {
      breed = word
    }
    return Patient(
      id: id, name: name, species: species ?? .other, breed: breed, sex: sex(row),
      dateOfBirth: row.optional(try row.pastDayOrYear("date_of_birth")),
      deceasedAt: row.optional(try row.pastDay("deceased_at")),
      weightKilograms: row.optional(try weight(row)), ownerID: row.optional(try row.identifier("owner_id")),
      ownerName: row.optional(try row.phrase("owner_name")), microchip: row.optional(try microchip(row)))
  }

  private func microchip(_ row: Row) throws(FieldError) -> String? {
    let text = try row.phrase("microchip")
    // Most have no plus: a pattern is made anew each time it is asked.
    if let text, text.utf8.contains(UInt8(ascii: "+")), text.contains(/^\d([.,]\d+)?[Ee]\+\d+$/) {
      throw FieldError(
        "microchip", value: text, "is what a spreadsheet left of a number", hint: "export the column as text")
    }
    return text
  }

  /// What the word says, or the breed where there is no word; an unknown one is `.other`, and counted.
  func species(_ word: String?, breed: String?, _ row: Row) -> Species? {
    if let word {
      if let known = Species(field: word) { return known }
      row.tally.addUnknownWord(word, field: "species", meaning: Species.other.rawValue)
      return .other
    }
    guard let breed else { return nil }
    if let known = Species(describing: breed) { return known }
    row.tally.addMissingWord(field: "species", meaning: Species.other.rawValue)
    return .other
  }

  func sex(_ row: Row) -> Sex {
    guard let word = row.optional(try row.phrase("sex")) else { return .unknown }
    if let sex = Sex(describing: word) { return sex }
    row.tally.addUnknownWord(word, field: "sex", meaning: Sex.unknown.rawValue)
    return .unknown
  }

  /// What no animal of any species weighs is a slip of the key or grams, and no weight.
  func weight(_ row: Row) throws(FieldError) -> Double? {
    guard let weight = try row.number("weight_kg") else { return nil }
    if let weights, !weights.contains(weight) {
      throw FieldError(
        "weight_kg", value: Harmless.number(weight), "can't be a weight in kilograms",
        hint: "kilograms, more than 0 and at most \(Harmless.number(weights.upperBound) ?? "what a bull weighs")")
    }
    return weight
  }

  func requiredID(_ row: Row) throws(FieldError) -> String {
    guard let id = try row.identifier("id") else {
      throw .missing("id", hint: "the id that other rows use for this one")
    }
    return id
  }
}
