public import Clinical

/// What somebody at home can look for: a finding of the triage protocol, asked as on the telephone.
public struct WarningSign: Hashable, Sendable {
  /// The finding's id in the protocol.
  public let id: String
  public let level: Urgency
  public let question: String
}

extension CaseAssessor {
  /// The findings that make an animal of a kind urgent or worse and that have a question an owner can answer, the gravest first, then
  /// in the order of the protocol.
  ///
  /// - Parameters:
  ///   - species: whose findings.
  ///   - sex: leaves out what the other has.
  /// - Returns: red and orange ones.
  public func warningSigns(in species: Species, sex: Sex) -> [WarningSign] {
    let signs = triage.triageProtocol.discriminators.compactMap { discriminator -> WarningSign? in
      guard discriminator.level >= .orange, discriminator.species?.contains(species) ?? true,
        discriminator.sexes.map({ $0.contains(sex) || sex == .unknown }) ?? true,
        guidedQuestions.wording(of: discriminator.id) != nil, let question = question(discriminator, of: species)
      else { return nil }
      return WarningSign(id: discriminator.id, level: discriminator.level, question: question)
    }
    return signs.enumerated().sorted { ($1.element.level, $0.offset) < ($0.element.level, $1.offset) }.map(\.element)
  }
}
