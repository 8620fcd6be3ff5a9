public import Training
public import VetNet

extension NamesSuite {
  /// What learns from the notes of several files, each practice by its register.
  ///
  /// - Parameters:
  ///   - suites: notes with their names marked.
  ///   - models: the tables of the rules; the weights that were learned before change nothing.
  /// - Returns: what fits, and says what leaving out each practice gives.
  /// - Throws: ``PracticeError`` for a table that can't be used.
  public static func fitter(_ suites: [NamesSuite], models: ModelDirectory) throws -> NameFitter {
    NameFitter(try suites.flatMap { try $0.examples(models: models) })
  }

  /// Each word as the rules leave it, and whether it belongs to a name; words of ways to reach somebody are left out.
  private func examples(models: ModelDirectory) throws -> [NameFitter.Example] {
    let written = WrittenWords(cases.map(\.text))
    return try cases.flatMap { item in
      let names = item.names
      return try remover(of: item, models: models, written: written)
        .evidence(item.text, about: item.people + item.animals).compactMap { evidence in
          let marked = names.first { $0.start <= evidence.range.lowerBound && evidence.range.lowerBound < $0.end }
          return marked?.kind == .contact
            ? nil
            : NameFitter.Example(
              practice: item.register ?? "no register", evidence: evidence, isName: marked != nil)
        }
    }
  }
}
