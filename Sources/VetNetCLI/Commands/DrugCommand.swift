import Clinical
import Formulary
import Presentation
import VetNet

enum DrugCommand {
  static let command = Command(
    "drug", "shows what the formulary holds on a drug",
    positionals: [Positional("NAME", "a generic name, a brand, an owner's word, or a class", repeating: true)],
    options: [
      Option("--species", "SPECIES", "only what holds for this species"),
      Option("--with", "NAME", "only interactions with this drug or its class"),
    ],
    examples: [
      Example("vetnet drug Rimadyl", "class, names, cautions, interactions, what to monitor"),
      Example("vetnet drug permethrin --species cat", "what it does to cats"),
      Example("vetnet drug meloxicam --with prednisolone", "whether the two should meet"),
    ],
    discussion: """
      Rows are marked * where nobody has checked them against a reference; what no row says is unknown, not safe. The \
      formulary holds no doses: they stand on the label. Not for owners.
      """
  ) { invocation in
    let models = try invocation.models()
    let formulary = try models.formulary()
    let version = try models.formularyVersion()
    let species = try invocation.species()
    let name = invocation.arguments.positionals.joined(separator: " ")
    guard !name.isEmpty else { throw UsageError("'vetnet drug' needs a name") }
    let other = try invocation.arguments.value("--with").map { try drug($0, in: formulary) }
    switch try match(name, in: formulary) {
    case .drugClass(let drugClass, let members):
      try show(drugClass, members, version, invocation)
    case .drugs(let drugs):
      let sheets = drugs.map { DrugSheet($0, in: formulary, species: species, with: other) }
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(DrugOutput(asked: name, drugs: sheets, drug_class: nil, formulary: version))
      } else {
        for (index, sheet) in sheets.enumerated() {
          if index > 0 { invocation.terminal.print() }
          for line in DrugText(width: invocation.terminal.width).lines(sheet, isPair: other != nil) {
            invocation.terminal.print(line)
          }
        }
        invocation.terminal.print("\(version). \(DrugText.legend)")
      }
    }
    return .ok
  }

  private static func match(_ name: String, in formulary: Formulary) throws -> Formulary.Match {
    if let match = formulary.match(name) { return match }
    throw PracticeError(
      .notFound, "the formulary has no drug '\(name)'",
      hint: Suggestions.nearest(to: name.lowercased(), among: formulary.names.map { $0.lowercased() })
        .map { "Maybe \($0)?" })
  }

  private static func drug(_ name: String, in formulary: Formulary) throws -> Formulary.Drug {
    guard case .drugs(let drugs) = try match(name, in: formulary), let first = drugs.first else {
      throw UsageError("--with '\(name)' is a class; name a drug")
    }
    return first
  }

  private static func show(
    _ drugClass: Formulary.DrugClass, _ members: [Formulary.Drug], _ version: String, _ invocation: Invocation
  ) throws {
    if invocation.wantsJSON {
      let output = DrugOutput.Class(id: drugClass.id, names: drugClass.names, members: members.map(\.generic))
      try invocation.terminal.printJSON(
        DrugOutput(asked: drugClass.id, drugs: [], drug_class: output, formulary: version))
      return
    }
    let names = members.map(\.generic).joined(separator: ", ")
    for line in "\(drugClass.names.first ?? drugClass.id): \(names)".wrapped(to: invocation.terminal.width) {
      invocation.terminal.print(line)
    }
    invocation.terminal.print("\(version).")
  }
}

/// The JSON of `drug`: one sheet a drug that has the name, or the members of a class.
struct DrugOutput: Encodable {
  struct Class: Encodable {
    let id: String
    let names: [String]
    let members: [String]
  }

  let asked: String
  let drugs: [DrugSheet]
  let drug_class: Class?
  let formulary: String
}
