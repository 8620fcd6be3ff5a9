import Clinical
import Foundation

/// Turns the words of a protocol file into values, or says which entry can't be.
struct ProtocolCompiler {
  let file: String
  let lexicon: ConceptLexicon
  /// The file, to find lines in.
  let data: Data

  func invalid(_ item: String, _ problem: String) -> AssessmentError {
    AssessmentError(code: .invalid, file: file, item: item, problem: problem, line: line(of: item))
  }

  /// The line on which an item such as `discriminator gdv` begins: the first that names its id, or the key of its list.
  private func line(of item: String) -> Int? {
    let words = item.split(separator: " ")
    guard let last = words.last else { return nil }
    let name = words.count > 1 ? words.dropFirst().joined(separator: " ") : String(last)
    let text = String(decoding: data, as: UTF8.self)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let place = line.firstRange(of: "\"\(name)\"") else { continue }
      if words.count == 1 || line[..<place.lowerBound].contains("\"id\"") || line.contains("\"urgency\"") {
        return index + 1
      }
    }
    return nil
  }

  func urgency(_ word: String, _ item: String) throws(AssessmentError) -> Urgency {
    guard let urgency = Urgency(rawValue: word) else { throw invalid(item, "has the unknown urgency '\(word)'") }
    return urgency
  }

  func patterns(
    _ sources: [String], _ item: String, scope: Pattern.Scope = .window(Pattern.defaultWindow)
  ) throws(AssessmentError) -> [Pattern] {
    var result: [Pattern] = []
    for source in sources {
      do {
        result.append(try Pattern(source, lexicon: lexicon, defaultScope: scope))
      } catch {
        throw invalid(item, "'\(source)': \(error.problem)")
      }
    }
    return result
  }

  func species(_ names: [String]?, _ item: String) throws(AssessmentError) -> Set<Species>? {
    guard let names, names != ["all"] else { return nil }
    var result: Set<Species> = []
    for name in names {
      guard let species = Species(rawValue: name) else { throw invalid(item, "has the unknown species '\(name)'") }
      result.insert(species)
    }
    return result
  }

  func sexes(_ names: [String]?, _ item: String) throws(AssessmentError) -> Set<Sex>? {
    guard let names else { return nil }
    var result: Set<Sex> = []
    for name in names {
      guard let sex = Sex(rawValue: name) else { throw invalid(item, "has the unknown sex '\(name)'") }
      result.insert(sex)
    }
    return result
  }

  func letter(_ name: String, _ item: String) throws(AssessmentError) -> ABCDELetter {
    guard let letter = ABCDELetter(rawValue: name) else { throw invalid(item, "has the unknown letter '\(name)'") }
    return letter
  }

  func discriminator(_ raw: RawTriageProtocol.Discriminator) throws(AssessmentError) -> Discriminator {
    let item = "discriminator \(raw.id)"
    guard !raw.id.isEmpty else { throw invalid(item, "needs an id") }
    guard !raw.patterns.isEmpty else { throw invalid(item, "needs patterns") }
    guard let source = raw.source, !source.isEmpty else { throw invalid(item, "needs a source") }
    let level = try urgency(raw.level, item)
    var letters: [ABCDELetter: ABCDEStatus] = [:]
    for (name, status) in raw.letters ?? [:] {
      guard let known = ABCDEStatus(rawValue: status), known == .abnormal || known == .critical else {
        throw invalid(item, "has the status '\(status)'; abnormal and critical are possible")
      }
      letters[try letter(name, item)] = known
    }
    let raise = try modifiers(raw.raise, item)
    for modifier in raise where modifier.to <= level {
      throw invalid(item, "raises to \(modifier.to.rawValue), which is not above \(level.rawValue)")
    }
    let lower = try modifiers(raw.lower, item)
    for modifier in lower where modifier.to >= level {
      throw invalid(item, "lowers to \(modifier.to.rawValue), which is not below \(level.rawValue)")
    }
    var floor: Urgency?
    if let word = raw.floor {
      let named = try urgency(word, item)
      guard named <= level else { throw invalid(item, "has a floor above its level") }
      floor = named
    }
    return Discriminator(
      id: raw.id, group: raw.group, level: level, letters: letters, species: try species(raw.species, item),
      sexes: try sexes(raw.sexes, item), source: source, examples: raw.examples ?? [],
      negativeExamples: raw.negativeExamples ?? [], countsForOthers: raw.countsForOthers ?? false,
      patterns: try patterns(raw.patterns, item),
      unless: try patterns(raw.unless ?? [], item, scope: .text), raise: raise, lower: lower, floor: floor)
  }

  private func modifiers(_ raw: [RawTriageProtocol.Modifier]?, _ item: String) throws(AssessmentError)
    -> [Discriminator.Modifier]
  {
    var result: [Discriminator.Modifier] = []
    for modifier in raw ?? [] {
      result.append(
        Discriminator.Modifier(
          to: try urgency(modifier.to, item), when: try patterns(modifier.when, item, scope: .text)))
    }
    return result
  }

  func normal(_ raw: RawTriageProtocol.Normal) throws(AssessmentError) -> TriageProtocol.Normal {
    let item = "normal \(raw.id)"
    guard let status = ABCDEStatus(rawValue: raw.status ?? "normal"), status != .notStated else {
      throw invalid(item, "has the status '\(raw.status ?? "")'; normal, abnormal and critical are possible")
    }
    return TriageProtocol.Normal(
      id: raw.id, letter: try letter(raw.letter, item), status: status, patterns: try patterns(raw.patterns, item))
  }

  func question(_ raw: RawTriageProtocol.Question) throws(AssessmentError) -> TriageProtocol.Question {
    let item = "question \(raw.id)"
    guard !raw.text.isEmpty else { throw invalid(item, "needs a text") }
    var letters: [ABCDELetter] = []
    for name in raw.when.unknown ?? [] { letters.append(try letter(name, item)) }
    for name in raw.when.missing ?? [] where !["weight", "species", "age", "sex", "history"].contains(name) {
      throw invalid(item, "asks for the unknown field '\(name)'")
    }
    return TriageProtocol.Question(
      id: raw.id, text: raw.text,
      when: TriageProtocol.Question.Condition(
        unknownLetters: letters, groups: raw.when.groups ?? [],
        species: try species(raw.when.species ?? [], item) ?? [], sexes: try sexes(raw.when.sexes ?? [], item) ?? [],
        missing: raw.when.missing ?? [], patterns: try patterns(raw.when.patterns ?? [], item)),
      isUrgent: raw.when.urgent ?? false)
  }
}
