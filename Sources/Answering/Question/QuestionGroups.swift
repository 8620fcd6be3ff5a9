import Clinical
import Extraction
import TextAnalysis

/// Makes the groups of a question out of its words.
struct GroupContext {
  /// What each written word is used for, beside being the topic.
  let frame: QuestionFrame
  /// Analysed, stop words kept.
  let tokens: [Token]
  let expansions: [Expansion]
  /// By the table for questions.
  let synonyms: [Expansion]
  /// By what the things it names are called and related to.
  let links: [ConceptMap.Link]

  private var text: String { frame.text }
  private var written: [Token] { frame.written }
  private var framing: [QuestionLexicon.Role?] { frame.framing }
  /// The kinds of fact each written word asks for.
  private var kinds: [Set<FactKind>] { frame.kinds }

  /// The group that some neighbouring words make; nil when they only frame the question.
  func group(of members: Range<Int>) -> Question.Group? {
    let topical = members.filter { framing[$0] == nil || [.weak, .body, .plain].contains(framing[$0]) }
    guard let first = topical.first, let last = members.last else { return nil }
    let range = written[members.lowerBound].range.lowerBound..<written[last].range.upperBound
    let own = tokens.filter { range.contains($0.range.lowerBound) && $0.range.upperBound <= range.upperBound }
    var alternatives = Self.ownAlternatives(own)
    // Of a phrase that one table knows, the other's words for a part are none: a cat flu jab is not any jab.
    let known = knownRanges.filter {
      range.contains($0.lowerBound) && $0.upperBound <= range.upperBound
    }
    func isWhole(_ part: Range<Int>) -> Bool {
      known.contains(part) && known.allSatisfy { $0.count <= part.count || !$0.overlaps(part) }
    }
    let fitting = expansions.filter { isWhole($0.range) }
    for expansion in fitting {
      // A drug asks for its class only by its own row; a class asks for many.
      let isLoose = expansion.kind == .drug && fitting.allSatisfy { $0.kind != .drug || $0.row == expansion.row }
      alternatives.append(
        Question.Group.Alternative(
          terms: expansion.terms, weight: isLoose ? Self.looseCloseness : Self.closeness(of: expansion),
          reason: "\(expansion.row): \(expansion.phrase)",
          isLoose: isLoose))
    }
    for expansion in synonyms where isWhole(expansion.range) {
      alternatives.append(
        Question.Group.Alternative(
          terms: expansion.terms, weight: expansion.weight, reason: "\(expansion.row): \(expansion.phrase)",
          isGuess: expansion.weight < Self.termWeight))
    }
    var related: [Question.Group.Alternative] = []
    for link in links where isWhole(link.range) {
      let alternative = Question.Group.Alternative(
        terms: link.terms, weight: link.weight, reason: "\(link.row): \(link.phrase)",
        isGuess: link.weight < Self.termWeight, isSecondChoice: link.isName, isContrary: link.isContrary)
      if link.isAsked { alternatives.append(alternative) } else { related.append(alternative) }
    }
    // A kind holds for the whole phrase only: a blood transfusion is no blood test.
    let groupKinds = topical.dropFirst().reduce(kinds[first]) { $0.intersection(kinds[$1]) }
    guard !alternatives.isEmpty || !groupKinds.isEmpty else { return nil }
    let isWeak = topical.allSatisfy { framing[$0] == .weak }
    let isOrdinary = topical.allSatisfy { framing[$0] == .body || framing[$0] == .plain }
    let force: Question.Force = isWeak ? .weak : groupKinds.isEmpty && !isOrdinary ? .specific : .generic
    var group = Question.Group(
      text: text.slice(utf8: range).map(String.init) ?? "", alternatives: alternatives, kinds: groupKinds, force: force)
    group.isOrdinary = isWeak || isOrdinary
    group.isFrame = isWeak
    group.related = related
    group.range = range
    group.isDrug = alternatives.contains(where: \.isLoose) || fitting.contains { $0.kind == .brand }
    return group
  }

  /// The ranges of words that some table knows as a whole.
  var knownRanges: [Range<Int>] { (expansions + synonyms).map(\.range) + links.map(\.range) }

  /// "Phenobarb level" is what stands beside phenobarbital in a list of results, without the word level.
  func thingMeasured(_ members: Range<Int>) -> [Question.Group.Alternative]? {
    guard let last = members.last, members.count > 1 else { return nil }
    // "Serum phenobarbital" too.
    let isFluid = frame.words[members.lowerBound].isOne(of: .fluid)
    let isMeasure = frame.words[last].isOne(of: .measurement)
    let named = (members.lowerBound + (isFluid ? 1 : 0))..<(isMeasure ? last : last + 1)
    guard isFluid || isMeasure, !named.isEmpty, let thing = group(of: named), thing.force == .specific,
      !thing.isOrdinary
    else { return nil }
    return thing.alternatives.filter { !$0.isLoose && !$0.isGuess }.map { alternative in
      Question.Group.Alternative(
        terms: alternative.terms, weight: alternative.weight * Self.unnamedMeasure,
        reason: alternative.reason ?? "'\(thing.text)' measured")
    }
  }

  private static let unnamedMeasure = 0.98

  /// The words themselves: all of them together, or, where shorthand has readings, each reading.
  private static func ownAlternatives(_ tokens: [Token]) -> [Question.Group.Alternative] {
    guard !tokens.isEmpty else { return [] }
    let positions = Set(tokens.map(\.position))
    if positions.count == 1 {
      // Shorthand stands for all of its words together ("FIV"), unless it joins several things ("V/D").
      let readings = tokens.dropFirst().map(\.text)
      let joined = tokens[0].text.contains("/") ? readings.map { [$0] } : readings.isEmpty ? [] : [readings]
      return ([[tokens[0].text]] + joined).map { Question.Group.Alternative(terms: $0, weight: 1, reason: nil) }
    }
    var firstOfPosition: [Int: String] = [:]
    for token in tokens where firstOfPosition[token.position] == nil { firstOfPosition[token.position] = token.text }
    let terms = positions.sorted().compactMap { firstOfPosition[$0] }
    return [Question.Group.Alternative(terms: terms, weight: 1, reason: nil)]
  }

  private static let looseCloseness = 0.5
  /// From this weight on what the table for questions has is a term.
  private static let termWeight = 0.75

  /// For ranking a whole collection an expansion counts little; that a sentence about furosemide is about "the water tablet" is
  /// all but certain.
  private static func closeness(of expansion: Expansion) -> Double { 0.65 + 0.35 * expansion.weight }
}
