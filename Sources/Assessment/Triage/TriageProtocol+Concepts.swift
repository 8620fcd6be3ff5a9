package import Clinical

extension TriageProtocol {
  /// The concepts by which a discriminator can give a case that level or a more urgent one: those that must stand in a text or be
  /// denied there, and those beside which nothing is lowered; not those that keep a finding from counting or soften it.
  ///
  /// - Parameters:
  ///   - level: the least.
  ///   - lexicon: that the protocol was read with.
  /// - Returns: their names.
  package func concepts(behind level: Urgency, in lexicon: ConceptLexicon) -> Set<String> {
    var patterns = neverLowerWhen
    for discriminator in discriminators {
      let raised = discriminator.raise.filter { $0.to >= level }
      guard discriminator.level >= level || !raised.isEmpty else { continue }
      patterns += discriminator.patterns + raised.flatMap(\.when)
    }
    var found: Set<Int> = []
    for pattern in patterns {
      found.formUnion(pattern.contexts + pattern.circumstances)
      for term in pattern.terms {
        switch term {
        case .concept(let concept), .denied(let concept): found.insert(concept)
        case .quantity, .number: break
        }
      }
    }
    return Set(found.map { lexicon.names[$0] })
  }
}
