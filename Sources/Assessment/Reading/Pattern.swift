import Clinical

/// A combination of concepts, as the rule files write it: `@gums @blue ~7`.
///
/// - `@c` stands in the text and counts (isn't denied, past, of another animal); `!@c` is denied in the text.
/// - `+@c` stands and counts anywhere in the text; `?@c` the same, also of the past ("had pups last week"); `-@c` does not stand in the same sentence (with `~t`: anywhere).
/// - `~7` all within seven content words of one sentence (the default is eight), `~s` one sentence, `~t` anywhere.
/// - `>` between terms: in this order.
/// - `num=31..120`: a bare number from 31 to 120, such as breaths counted; one with a unit of time or amount is none.
/// - `dur>=2d`, `dur<24h`: lasting or recurring for so long; `for>=5m`: lasting; `ago>=6h`, `count>=3`. Units m, h, d, w.
/// - `words<5`: fewer than five content words in the sentence: where hardly more than a name is said, that name is the complaint.
/// - `species=cat|dog`, `sex=male|female|entirefemale|spayed`, `age<16w`, `known=@c`, `breed=@c`: of the patient.
struct Pattern: Hashable, Sendable {
  enum Term: Hashable, Sendable {
    case concept(Int)
    case denied(Int)
    case quantity([SpokenQuantity.Kind], Comparison, Double)
    case number(ClosedRange<Double>)
  }

  enum Comparison: Hashable, Sendable {
    case atLeast, below

    func holds(_ value: Double, _ limit: Double) -> Bool { self == .atLeast ? value >= limit : value < limit }
  }

  enum Requirement: Hashable, Sendable {
    case species([Species])
    case sex(SexGroup)
    /// Days.
    case age(Comparison, Double)
    case known(Int)
    case breed(Int)
  }

  enum SexGroup: String, Hashable, Sendable {
    case male, female
    case entireFemale = "entirefemale"
    case spayed
  }

  enum Scope: Hashable, Sendable {
    /// Content words from the first term's first to the last term's first.
    case window(Int)
    case sentence
    case text
  }

  var source: String
  var terms: [Term] = []
  var contexts: [Int] = []
  var circumstances: [Int] = []
  var exclusions: [Int] = []
  var requirements: [Requirement] = []
  var arrangement: Arrangement

  static let defaultWindow = 8
}

/// What is wrong with a pattern.
struct PatternError: Error, Equatable {
  let problem: String
}

extension Pattern {
  /// - Throws: ``PatternError`` for unknown concepts, species, units, or a pattern that asks for nothing.
  init(_ source: String, lexicon: ConceptLexicon, defaultScope: Scope = .window(Pattern.defaultWindow))
    throws(PatternError)
  {
    self.source = source
    arrangement = Arrangement(scope: defaultScope)
    func concept(_ name: Substring) throws(PatternError) -> Int {
      guard let index = lexicon.index(of: String(name)) else {
        throw PatternError(problem: "unknown concept '\(name)'")
      }
      return index
    }
    for part in source.split(separator: " ") {
      switch part.first {
      case "@": terms.append(.concept(try concept(part.dropFirst())))
      case "!" where part.hasPrefix("!@"): terms.append(.denied(try concept(part.dropFirst(2))))
      case "+" where part.hasPrefix("+@"): contexts.append(try concept(part.dropFirst(2)))
      case "?" where part.hasPrefix("?@"): circumstances.append(try concept(part.dropFirst(2)))
      case "-" where part.hasPrefix("-@"): exclusions.append(try concept(part.dropFirst(2)))
      default:
        if try arrangement.takes(part) { continue }
        if let requirement = try Self.requirement(part, concept) {
          requirements.append(requirement)
        } else {
          terms.append(try Self.quantity(part))
        }
      }
    }
    if terms.isEmpty && contexts.isEmpty && circumstances.isEmpty && requirements.isEmpty {
      throw PatternError(problem: "empty pattern")
    }
  }

  private static func requirement(
    _ part: Substring, _ concept: (Substring) throws(PatternError) -> Int
  ) throws(PatternError) -> Requirement? {
    if part.hasPrefix("species=") {
      var species: [Species] = []
      for name in part.dropFirst("species=".count).split(separator: "|") {
        let words = name.split(separator: "_").joined(separator: " ")
        guard let known = Species(rawValue: words) else { throw PatternError(problem: "unknown species '\(name)'") }
        species.append(known)
      }
      return .species(species)
    }
    if part.hasPrefix("sex=") {
      guard let sex = SexGroup(rawValue: String(part.dropFirst(4))) else {
        throw PatternError(problem: "'\(part)' names no sex")
      }
      return .sex(sex)
    }
    if part.hasPrefix("known=@") { return .known(try concept(part.dropFirst(7))) }
    if part.hasPrefix("breed=@") { return .breed(try concept(part.dropFirst(7))) }
    if part.hasPrefix("age<") { return .age(.below, try hours(part.dropFirst(4)) / 24) }
    if part.hasPrefix("age>=") { return .age(.atLeast, try hours(part.dropFirst(5)) / 24) }
    return nil
  }

  private static func number(_ part: Substring) throws(PatternError) -> Term? {
    guard part.hasPrefix("num=") else { return nil }
    let limits = part.dropFirst(4).split(separator: ".").compactMap { Double($0) }
    guard limits.count == 2, limits[0] <= limits[1] else { throw PatternError(problem: "'\(part)' is no range") }
    return .number(limits[0]...limits[1])
  }

  private static func quantity(_ part: Substring) throws(PatternError) -> Term {
    if let number = try number(part) { return number }
    let kinds: [(String, [SpokenQuantity.Kind])] = [
      ("dur", [.duration, .since]), ("for", [.duration]), ("ago", [.ago]), ("count", [.count]),
    ]
    for (name, kind) in kinds {
      for (sign, comparison) in [(">=", Comparison.atLeast), ("<", .below)] where part.hasPrefix(name + sign) {
        let value = part.dropFirst(name.count + sign.count)
        if kind == [.count] {
          guard let count = Double(value) else { throw PatternError(problem: "'\(value)' is no number") }
          return .quantity(kind, comparison, count)
        }
        return .quantity(kind, comparison, try hours(value))
      }
    }
    throw PatternError(problem: "'\(part)' can't be read")
  }

  private static let hoursPerUnit: [(String, Double)] = [
    ("mo", 24 * 30.44), ("m", 1 / 60), ("h", 1), ("d", 24), ("w", 168), ("y", 24 * 365.25),
  ]

  private static func hours(_ text: Substring) throws(PatternError) -> Double {
    for (unit, hours) in hoursPerUnit where text.hasSuffix(unit) {
      if let value = Double(text.dropLast(unit.count)) { return value * hours }
    }
    throw PatternError(problem: "'\(text)' is no span of time")
  }
}
