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
    let id: String
    let text: String
    let unknownLetters: [ABCDELetter]
    let groups: [String]
    let species: Set<Species>
    let sexes: Set<Sex>
    let missing: [String]
    let patterns: [Pattern]
    let isUrgent: Bool
  }

  public let id: String
  public let title: String
  public let version: String
  public let source: String
  public private(set) var levels: [Urgency: Level] = [:]
  public private(set) var discriminators: [Discriminator] = []
  /// The level of a case in which nothing was recognised.
  private(set) var defaultUrgency = Urgency.yellow
  private(set) var defaultReason = ""
  private(set) var neverLowerWhen: [Pattern] = []
  private(set) var normals: [Normal] = []
  /// What speaks of a letter without giving a level.
  private(set) var signs: [Normal] = []
  private(set) var questions: [Question] = []
  /// Levels the primary survey gives by itself.
  private(set) var letterLevels: [ABCDEStatus: [ABCDELetter: Urgency]] = [:]

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
    id = raw.id
    title = raw.title
    version = raw.version
    source = raw.source
    let compiler = ProtocolCompiler(file: file, lexicon: lexicon, data: data)
    if let name = raw.extends {
      guard let base = bases[name] else {
        throw AssessmentError(code: .unknownBase, file: file, problem: "extends '\(name)', which is not there")
      }
      takeOver(base)
    }
    try addLevels(raw, compiler)
    neverLowerWhen += try compiler.patterns(raw.neverLowerWhen ?? [], "never_lower_when", scope: .text)
    try addDiscriminators(raw.discriminators ?? [], compiler)
    try addNormals(raw, compiler)
    for question in raw.questions ?? [] {
      let compiled = try compiler.question(question)
      questions.removeAll { $0.id == compiled.id }
      questions.append(compiled)
    }
    try addLetterLevels(raw.letterLevels ?? [:], compiler)
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

  private mutating func takeOver(_ base: TriageProtocol) {
    levels = base.levels
    discriminators = base.discriminators
    defaultUrgency = base.defaultUrgency
    defaultReason = base.defaultReason
    neverLowerWhen = base.neverLowerWhen
    normals = base.normals
    signs = base.signs
    questions = base.questions
    letterLevels = base.letterLevels
  }

  private mutating func addLevels(_ raw: RawTriageProtocol, _ compiler: ProtocolCompiler) throws(AssessmentError) {
    for level in raw.levels ?? [] {
      let urgency = try compiler.urgency(level.urgency, "levels")
      guard level.targetMinutes >= 0, !level.action.isEmpty else {
        throw compiler.invalid("level \(level.urgency)", "needs target_minutes of 0 or more and an action")
      }
      levels[urgency] = Level(urgency: urgency, targetMinutes: level.targetMinutes, action: level.action)
    }
    for urgency in Urgency.allCases where levels[urgency] == nil {
      throw compiler.invalid("levels", "lack \(urgency.rawValue)")
    }
    guard let fallback = raw.default else { return }
    defaultUrgency = try compiler.urgency(fallback.urgency, "default")
    defaultReason = fallback.reason
    guard defaultUrgency >= .yellow else {
      throw compiler.invalid("default", "must be yellow or more urgent: unknown is not normal")
    }
  }

  private mutating func addNormals(_ raw: RawTriageProtocol, _ compiler: ProtocolCompiler) throws(AssessmentError) {
    for normal in raw.normals ?? [] {
      let compiled = try compiler.normal(normal)
      normals.removeAll { $0.id == compiled.id }
      normals.append(compiled)
    }
    for sign in raw.signs ?? [] {
      let compiled = try compiler.normal(sign)
      guard compiled.status != .normal else { throw compiler.invalid("sign \(sign.id)", "needs abnormal or critical") }
      signs.removeAll { $0.id == compiled.id }
      signs.append(compiled)
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
        letterLevels[status, default: [:]][letter] = try compiler.urgency(level, "letter_levels")
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
      discriminators.removeAll { $0.id == compiled.id }
      discriminators.append(compiled)
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
