public import Clinical
public import Foundation

/// A way to triage, read from a file in `Models/triage`: levels with waiting times and actions, discriminators, what counts as
/// normal, and what to ask. VTL and ABCDE ship with VetNet; a practice may write its own or extend one.
///
///     let vtl = try TriageProtocol(file: "vtl.json", data: data, lexicon: lexicon)
public struct TriageProtocol: Sendable {
  public struct Level: Hashable, Sendable {
    public let urgency: Urgency
    public let targetMinutes: Int
    /// What reception does now.
    public let action: String
  }

  struct Normal: Sendable {
    let id: String
    let letter: ABCDELetter
    let status: ABCDEStatus
    let patterns: [Pattern]
  }

  struct Question: Sendable {
    /// When it is asked; what is empty asks for nothing.
    struct Condition: Sendable {
      let unknownLetters: [ABCDELetter]
      let groups: [String]
      let species: Set<Species>
      let sexes: Set<Sex>
      let missing: [String]
      let patterns: [Pattern]
    }

    let id: String
    let text: String
    let when: Condition
    let isUrgent: Bool
  }

  public let id: String
  public let title: String
  public let version: String
  public let source: String
  private var rules = Rules()

  /// What a protocol rules, all of which another may take over.
  private struct Rules: Sendable {
    var levels: [Urgency: Level] = [:]
    var discriminators: [Discriminator] = []
    /// The level of a case in which nothing was recognised, and why.
    var fallback = (urgency: Urgency.yellow, reason: "")
    var neverLowerWhen: [Pattern] = []
    var normals: [Normal] = []
    var signs: [Normal] = []
    var questions: [Question] = []
    var letterLevels: [ABCDEStatus: [ABCDELetter: Urgency]] = [:]
  }

  public var levels: [Urgency: Level] { rules.levels }
  public var discriminators: [Discriminator] { rules.discriminators }
  /// The level of a case in which nothing was recognised.
  var defaultUrgency: Urgency { rules.fallback.urgency }
  var defaultReason: String { rules.fallback.reason }
  var neverLowerWhen: [Pattern] { rules.neverLowerWhen }
  var normals: [Normal] { rules.normals }
  /// What speaks of a letter without giving a level.
  var signs: [Normal] { rules.signs }
  var questions: [Question] { rules.questions }
  /// Levels the primary survey gives by itself.
  var letterLevels: [ABCDEStatus: [ABCDELetter: Urgency]] { rules.letterLevels }

  /// Reads and checks a protocol.
  ///
  /// - Parameters:
  ///   - file: its name, for errors.
  ///   - data: the whole file.
  ///   - lexicon: the concepts its patterns name.
  ///   - bases: protocols that this one may extend, by id. It takes over all of theirs, and replaces discriminators, normals and
  ///     questions of the same id.
  /// - Throws: ``AssessmentError`` naming the file and the entry.
  public init(file: String, data: Data, lexicon: ConceptLexicon, bases: [String: TriageProtocol] = [:])
    throws(AssessmentError)
  {
    let raw = try Self.raw(file, data)
    id = raw.head.id
    title = raw.head.title
    version = raw.head.version
    source = raw.head.source
    let compiler = ProtocolCompiler(file: file, lexicon: lexicon, data: data)
    if let name = raw.head.extends {
      guard let base = bases[name] else {
        throw AssessmentError(code: .unknownBase, file: file, problem: "extends '\(name)', which is not there")
      }
      rules = base.rules
    }
    try addLevels(raw, compiler)
    rules.neverLowerWhen += try compiler.patterns(raw.rules.neverLowerWhen ?? [], "never_lower_when", scope: .text)
    try addDiscriminators(raw.rules.discriminators ?? [], compiler)
    try addNormals(raw, compiler)
    for question in raw.rules.questions ?? [] {
      let compiled = try compiler.question(question)
      rules.questions.removeAll { $0.id == compiled.id }
      rules.questions.append(compiled)
    }
    try addLetterLevels(raw.rules.letterLevels ?? [:], compiler)
    if discriminators.isEmpty { throw compiler.invalid("discriminators", "are missing") }
  }

  private static func raw(_ file: String, _ data: Data) throws(AssessmentError) -> RawTriageProtocol {
    do {
      return try JSONDecoder().decode(RawTriageProtocol.self, from: data)
    } catch let error as DecodingError {
      throw malformed(file, error)
    } catch {
      throw AssessmentError(code: .malformed, file: file, problem: "is no JSON")
    }
  }

  private mutating func addLevels(_ raw: RawTriageProtocol, _ compiler: ProtocolCompiler) throws(AssessmentError) {
    for level in raw.rules.levels ?? [] {
      let urgency = try compiler.urgency(level.urgency, "levels")
      guard level.targetMinutes >= 0, !level.action.isEmpty else {
        throw compiler.invalid("level \(level.urgency)", "needs target_minutes of 0 or more and an action")
      }
      rules.levels[urgency] = Level(urgency: urgency, targetMinutes: level.targetMinutes, action: level.action)
    }
    for urgency in Urgency.allCases where levels[urgency] == nil {
      throw compiler.invalid("levels", "lack \(urgency.rawValue)")
    }
    guard let fallback = raw.rules.default else { return }
    rules.fallback = (try compiler.urgency(fallback.urgency, "default"), fallback.reason)
    guard defaultUrgency >= .yellow else {
      throw compiler.invalid("default", "must be yellow or more urgent: unknown is not normal")
    }
  }

  private mutating func addNormals(_ raw: RawTriageProtocol, _ compiler: ProtocolCompiler) throws(AssessmentError) {
    for normal in raw.rules.normals ?? [] {
      let compiled = try compiler.normal(normal)
      rules.normals.removeAll { $0.id == compiled.id }
      rules.normals.append(compiled)
    }
    for sign in raw.rules.signs ?? [] {
      let compiled = try compiler.normal(sign)
      guard compiled.status != .normal else { throw compiler.invalid("sign \(sign.id)", "needs abnormal or critical") }
      rules.signs.removeAll { $0.id == compiled.id }
      rules.signs.append(compiled)
    }
  }

  private mutating func addLetterLevels(
    _ raw: [String: [String: String]], _ compiler: ProtocolCompiler
  ) throws(AssessmentError) {
    for (status, byLetter) in raw {
      guard let status = ABCDEStatus(rawValue: status) else {
        throw compiler.invalid("letter_levels", "has the unknown status '\(status)'")
      }
      for (letter, level) in byLetter {
        guard let letter = ABCDELetter(rawValue: letter) else {
          throw compiler.invalid("letter_levels", "has the unknown letter '\(letter)'")
        }
        rules.letterLevels[status, default: [:]][letter] = try compiler.urgency(level, "letter_levels")
      }
    }
  }

  private mutating func addDiscriminators(_ raw: [RawTriageProtocol.Discriminator], _ compiler: ProtocolCompiler)
    throws(AssessmentError)
  {
    var own: Set<String> = []
    for discriminator in raw {
      let compiled = try compiler.discriminator(discriminator)
      guard own.insert(compiled.id).inserted else {
        throw compiler.invalid("discriminator \(compiled.id)", "stands there twice")
      }
      rules.discriminators.removeAll { $0.id == compiled.id }
      rules.discriminators.append(compiled)
    }
  }

  private static func malformed(_ file: String, _ error: DecodingError) -> AssessmentError {
    let context: DecodingError.Context
    var missing = ""
    switch error {
    case .keyNotFound(let key, let found):
      context = found
      missing = "lacks '\(key.stringValue)'"
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    @unknown default:
      return AssessmentError(code: .malformed, file: file, problem: "can't be read")
    }
    let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    return AssessmentError(
      code: .malformed, file: file, item: place, problem: missing.isEmpty ? "has another type than expected" : missing)
  }
}
