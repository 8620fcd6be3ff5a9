import Clinical
import Extraction
import TextAnalysis

/// Answers for the level of a drug in the blood ("pheno level", "drug levels from August") from results and samples, never from
/// doses.
struct LevelAnswer {
  enum Outcome {
    case found([EvidenceUnit])
    /// The record gives the drug, and tells of no level nor of a sample for one.
    case silent
  }

  /// Names and brands of one drug are at least so close.
  private static let sameDrug = 0.75
  /// A value stands within so many words of the drug's name.
  private static let reach = 8
  private static let seriesLength = 8

  let question: Question
  let finder: EvidenceFinder

  /// Nil where no level is asked for, or of nothing that is given.
  func outcome() -> Outcome? {
    guard !question.isYesOrNo, question.has([.level, .trough]),
      question.roles.isDisjoint(with: [.why, .who, .advice, .permission, .others, .next, .side, .extreme])
    else { return nil }
    let matches = finder.matches().filter { !$0.unit.isOfOtherPatient }
    let asked = finder.groups.indices.filter { index in
      finder.groups[index].force == .specific
        && matches.contains { match in
          match.own[index] >= Self.sameDrug
            && match.parts.contains { $0.group == index && $0.fact?.kind == .drug }
        }
    }
    // One drug, or a word for several.
    guard asked.count == 1, let group = asked.first else { return nil }
    let named = matches.filter { $0.own[group] >= Self.sameDrug }
    let values = named.filter { isValue($0, of: group) }.map(\.unit)
    let samples = named.map(\.unit).filter { SampleAnswer.tellsOfSample($0, question.classes) }
    if let period = question.period {
      let inside = values.filter { period.contains($0.note.recordedAt) }
      if !inside.isEmpty { return .found(Array(inside.suffix(Self.seriesLength))) }
      let awaited = samples.filter {
        period.contains($0.note.recordedAt) && SampleAnswer.tellsOfAwaited($0, question.classes)
      }
      return awaited.isEmpty ? nil : .found(Array(awaited.suffix(2)))
    }
    guard let latest = values.last else { return samples.last.map { .found([$0]) } ?? (asksForBlood ? .silent : nil) }
    let isSeries =
      (question.asksForSeries || question.asks(for: .trend) || question.asks(for: .list))
      && !question.asks(for: .last) && !question.asks(for: .current)
    if isSeries { return .found(Array(values.suffix(Self.seriesLength))) }
    if question.asks(for: .first) { return .found([values[0]]) }
    // What was sent since is not back.
    let since = samples.last.flatMap { $0.note.recordedAt > latest.note.recordedAt ? $0 : nil }
    return .found(values.filter { $0.note.id == latest.note.id } + (since.map { [$0] } ?? []))
  }

  /// "Which concentration of insulin is he on" may mean the bottle.
  private var asksForBlood: Bool {
    let text = question.text.lowercased()
    return question.has([.fluid, .trough, .bloods])
      || !(question.has(.bottle) || text.contains("level of"))
  }

  /// A laboratory value of it, a concentration behind its name, or a number behind the word level.
  private func isValue(_ match: Match, of group: Int) -> Bool {
    let unit = match.unit
    guard let part = match.parts.first(where: { $0.group == group }), part.fact?.assertion.temporality != .hypothetical
    else { return false }
    if unit.facts.contains(where: { $0.kind == .lab && $0.value != nil && $0.range.overlaps(part.range) }) {
      return true
    }
    let words = question.classes.words(in: unit)
    guard let place = words.firstIndex(where: { $0.range.overlaps(part.range) }) else { return false }
    let near = Array(words[place..<min(words.count, place + Self.reach)])
    let text =
      unit.note.text.slice(utf8: words[place].range.lowerBound..<(near.last?.range.upperBound ?? unit.range.upperBound))
      .map { $0.lowercased().filter { !$0.isWhitespace } } ?? ""
    let hasNumber = near.contains { $0.text.first?.isNumber == true }
    // Suspensions and solutions are of so many mg/ml, too.
    let isReported = unit.note.kind == .lab
    let isConcentration = (Self.concentrations + (isReported ? ["mg/ml"] : [])).contains { unit in
      text.ranges(of: unit).contains { range in
        range.lowerBound > text.startIndex && text[text.index(before: range.lowerBound)].isNumber
          && !text[range.upperBound...].hasPrefix("l/kg")
      }
    }
    if isBareNumber(behind: part.range, unit, words[(place + 1)...]) { return true }
    return hasNumber && (isConcentration || near.prefix(4).has([.level, .trough]))
  }

  /// "Pheno 24.5, Br 1410": a number alone right behind the name; a dose has its unit or how often.
  private func isBareNumber(behind name: Range<Int>, _ unit: EvidenceUnit, _ words: ArraySlice<ClassedWord>) -> Bool {
    // "Cont phenobarb 30" is a dose.
    guard unit.note.kind == .lab || unit.facts.contains(where: { $0.kind == .lab && $0.value != nil }) else {
      return false
    }
    guard let number = words.first(where: { $0.range.lowerBound >= name.upperBound }),
      number.range.lowerBound - name.upperBound <= 2, number.text.allSatisfy({ $0.isNumber || $0 == "." }),
      number.text.first?.isNumber == true
    else { return false }
    let rest = unit.note.text.slice(utf8: number.range.upperBound..<unit.range.upperBound) ?? ""
    return rest.first.map { ",;)".contains($0) || ($0 == "." && rest.dropFirst().first?.isNumber != true) } ?? true
  }

  private static let concentrations = [
    "ug/ml", "µg/ml", "μg/ml", "mcg/ml", "mg/l", "ng/ml", "umol/l", "µmol/l", "μmol/l", "nmol/l", "ug/l", "ng/l",
    "pmol/l", "pg/ml",
  ]
}
