extension Formulary {
  /// What a name stands for: one drug, several that share a brand, or a class.
  public enum Match: Hashable, Sendable {
    case drugs([Drug])
    case drugClass(DrugClass, members: [Drug])
  }

  /// The drug or class that a name stands for; nil when none has it. Case, hyphens and doubled spaces do not matter.
  ///
  ///     formulary.match("Rimadyl")  // .drugs([carprofen])
  public func match(_ name: String) -> Match? {
    let wanted = Self.folded(name)
    guard !wanted.isEmpty else { return nil }
    // A generic name is meant before a brand that is spelt like it.
    let exact = drugs.filter { Self.folded($0.generic) == wanted || Self.folded($0.id) == wanted }
    if !exact.isEmpty { return .drugs(exact) }
    let named = drugs.filter { $0.otherNames.all.contains { Self.folded($0) == wanted } }
    if !named.isEmpty { return .drugs(named) }
    let found = classes.first { $0.id == wanted || $0.names.contains { Self.folded($0) == wanted } }
    return found.map { found in
      .drugClass(found, members: drugs.filter { $0.classes.contains(found.id) })
    }
  }

  /// Every name that ``match(_:)`` understands, generic names first: for suggestions.
  public var names: [String] {
    drugs.map(\.generic) + drugs.flatMap(\.otherNames.all) + classes.compactMap(\.names.first)
  }

  /// How a drug set reads: `any NSAID, telmisartan`.
  public func words(for set: DrugSet) -> String {
    set.operands.map { operand in
      operand.hasPrefix("class:")
        ? "any \(name(ofClass: String(operand.dropFirst(6))))" : drug(id: operand)?.generic ?? operand
    }.joined(separator: ", ")
  }

  static func folded(_ name: String) -> String {
    name.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "‑" }.joined(separator: " ")
  }
}
