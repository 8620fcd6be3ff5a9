package import Clinical

extension DrugSet: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(texts: operands)
    packer.add(set: ids)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    operands = try unpacker.texts()
    ids = try unpacker.set()
  }
}

extension Packer {
  fileprivate mutating func add(species: some Sequence<Species>) { add(texts: species.map(\.rawValue)) }

  /// Months, which are no negative number; -1 for none.
  fileprivate mutating func add(months: Int?) { add(Int64(months ?? -1)) }
}

extension Unpacker {
  fileprivate mutating func species() throws(PackingError) -> [Species] {
    try list { unpacker throws(PackingError) in try unpacker.choice() }
  }

  fileprivate mutating func months() throws(PackingError) -> Int? {
    let months = Int(try value(Int64.self))
    return months < 0 ? nil : months
  }
}

extension Formulary.Interaction: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: parties) { $1.pack(into: &$0) }
    packer.add(species: species.sorted { $0.rawValue < $1.rawValue })
    level.pack(into: &packer)
    packer.add(effect)
    packer.add(advice)
    reference.pack(into: &packer)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    parties = try unpacker.list { unpacker throws(PackingError) in try DrugSet(from: &unpacker) }
    species = Set(try unpacker.species())
    level = try unpacker.choice()
    effect = try unpacker.text()
    advice = try unpacker.text()
    reference = try SourceReference(from: &unpacker)
  }
}

extension Formulary.SpeciesCaution: Packable {
  package func pack(into packer: inout Packer) {
    drugs.pack(into: &packer)
    packer.add(species: species)
    packer.add(texts: breeds)
    packer.add(months: monthsBelow)
    level.pack(into: &packer)
    packer.add(text)
    reference.pack(into: &packer)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    drugs = try DrugSet(from: &unpacker)
    species = try unpacker.species()
    breeds = try unpacker.texts()
    monthsBelow = try unpacker.months()
    level = try unpacker.choice()
    text = try unpacker.text()
    reference = try SourceReference(from: &unpacker)
  }
}

extension Formulary.DiseaseCaution: Packable {
  package func pack(into packer: inout Packer) {
    drugs.pack(into: &packer)
    packer.add(texts: problems)
    packer.add(species: species.sorted { $0.rawValue < $1.rawValue })
    level.pack(into: &packer)
    packer.add(text)
    reference.pack(into: &packer)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    drugs = try DrugSet(from: &unpacker)
    problems = try unpacker.texts()
    species = Set(try unpacker.species())
    level = try unpacker.choice()
    text = try unpacker.text()
    reference = try SourceReference(from: &unpacker)
  }
}

extension Formulary.CrossReaction: Packable {
  package func pack(into packer: inout Packer) {
    reacted.pack(into: &packer)
    given.pack(into: &packer)
    packer.add(text)
    reference.pack(into: &packer)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    reacted = try DrugSet(from: &unpacker)
    given = try DrugSet(from: &unpacker)
    text = try unpacker.text()
    reference = try SourceReference(from: &unpacker)
  }
}

extension Formulary.Monitoring: Packable {
  package func pack(into packer: inout Packer) {
    drugs.pack(into: &packer)
    packer.add(species: species.sorted { $0.rawValue < $1.rawValue })
    packer.add(checks)
    packer.add(texts: tests)
    packer.add(months: months)
    reference.pack(into: &packer)
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    drugs = try DrugSet(from: &unpacker)
    species = Set(try unpacker.species())
    checks = try unpacker.text()
    tests = try unpacker.texts()
    months = try unpacker.months()
    reference = try SourceReference(from: &unpacker)
  }
}
