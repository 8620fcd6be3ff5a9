import Clinical
import Extraction

/// Answers what an organism is resistant or sensitive to with the laboratory's lines that say so.
struct SusceptibilityAnswer {
  private static let sameThing = 0.75

  let question: Question
  let finder: EvidenceFinder

  /// The lines of the report that is about what the question names, the latest of several; nil where nothing like that is asked.
  func units() -> [EvidenceUnit]? {
    guard !question.isYesOrNo,
      question.roles.isDisjoint(with: [.why, .who, .advice, .others, .next, .count]), let asked,
      // What an animal is sensitive to is no germ's matter.
      asked == .resistant || !question.has(.he)
    else { return nil }
    let reports = Dictionary(grouping: finder.units.filter { $0.note.kind == .lab && !$0.isOfOtherPatient }) {
      $0.note.id
    }
    let matches = finder.matches()
    func named(_ id: String) -> Int {
      let groups = matches.filter { $0.unit.note.id == id }.flatMap { match in
        match.own.indices.filter { finder.groups[$0].force != .weak && match.own[$0] >= Self.sameThing }
      }
      return Set(groups).count
    }
    let telling = reports.values.compactMap { units -> (units: [EvidenceUnit], named: Int)? in
      guard let note = units.first?.note,
        question.period.map({ $0.contains(note.recordedAt) }) ?? true
      else { return nil }
      let lines = units.filter { tells($0, asked) }
      return lines.isEmpty ? nil : (lines, named(note.id))
    }
    // Of several reports the one that names most of the question, then the latest.
    return telling.max { lhs, rhs in
      guard lhs.named == rhs.named else { return lhs.named < rhs.named }
      return lhs.units[0].position < rhs.units[0].position
    }?.units
  }

  private enum Asked { case resistant, susceptible }

  private var asked: Asked? {
    let text = question.text.lowercased()
    if question.has(.resistant) || text.contains("not respond") || text.contains("not work") {
      return .resistant
    }
    return question.has([.sensitive, .sensitivity]) ? .susceptible : nil
  }

  /// "Resistant: enrofloxacin", "R: fusidic acid", "gentamicin S, enrofloxacin R": with a drug beside the word or letter.
  private func tells(_ unit: EvidenceUnit, _ asked: Asked) -> Bool {
    guard unit.facts.contains(where: { $0.kind == .drug }) else { return false }
    let tokens = unit.text.split { $0.isWhitespace || ",;:.()".contains($0) }
    let words = tokens.map { question.classes.word($0.lowercased()) }
    let letter = asked == .resistant ? "R" : "S"
    let isDenied = unit.text.lowercased().contains("no resistan") || unit.text.lowercased().contains("not resistant")
    if asked == .resistant, isDenied { return false }
    let hasLetter = tokens.indices.contains { index in
      // "R ear" is a side.
      tokens[index] == letter && !(index + 1 < tokens.count && words[index + 1].isOne(of: .sided))
    }
    return hasLetter || words.has(asked == .resistant ? .resistant : .sensitive)
  }
}
