/// Two facts of one patient's notes that can't both be so.
public struct Contradiction: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// An operation that is done once, on the left in one note and on the right in another.
    case side
    /// An allergy in one note, none known in a later one.
    case allergy
    /// Neutered in one note, in season or pregnant later.
    case neutering
    /// The same drug at two doses on the same day.
    case dose
  }

  /// A fact with its note.
  public struct Side: Hashable, Sendable {
    /// The place of the note in the list that was given.
    public let note: Int
    public let fact: Fact

    public init(note: Int, fact: Fact) {
      self.note = note
      self.fact = fact
    }
  }

  public let kind: Kind
  /// The earlier one.
  public let first: Side
  public let second: Side

  public init(kind: Kind, first: Side, second: Side) {
    self.kind = kind
    self.first = first
    self.second = second
  }
}

extension Contradiction {
  /// Operations of which an animal has one, so that a second side is an error and not a second operation, are not told from
  /// those it may have on both: a contradiction of sides asks for a look, it does not decide.
  private static let operations: Set<String> = [
    "cruciate surgery", "enucleation", "femoral head excision", "fracture repair", "aural haematoma",
  ]

  /// What contradicts what in one patient's notes.
  ///
  /// - Parameter notes: the facts of each note, in time order, with the day it was written (any number that grows by one a
  ///   day).
  /// - Returns: for each kind and thing the first pair, in the order of the later note.
  /// - Complexity: O(facts).
  public static func all(in notes: [(day: Int, facts: [Fact])]) -> [Contradiction] {
    var result: [Contradiction] = []
    var told: Set<String> = []
    var sides: [String: Side] = [:]
    var allergy: Side?
    var neutered: Side?
    var doses: [String: (day: Int, side: Side)] = [:]
    func tell(_ kind: Kind, _ name: String, _ first: Side, _ second: Side) {
      if told.insert("\(kind) \(name)").inserted {
        result.append(Contradiction(kind: kind, first: first, second: second))
      }
    }
    for (index, note) in notes.enumerated() {
      for fact in note.facts where fact.assertion.experiencer == .patient && fact.assertion.temporality != .hypothetical
      {
        let this = Side(note: index, fact: fact)
        let isPresent = fact.assertion.polarity == .present
        switch fact.kind {
        case .allergy:
          if isPresent { allergy = allergy ?? this } else if let allergy { tell(.allergy, "", allergy, this) }
        case .procedure where isPresent && operations.contains(fact.name):
          guard let side = fact.attributes["side"], side != "both" else { continue }
          if let known = sides[fact.name] {
            if known.fact.attributes["side"] != side { tell(.side, fact.name, known, this) }
          } else {
            sides[fact.name] = this
          }
        case .procedure where isPresent && neuterings.contains(fact.name):
          neutered = neutered ?? this
        case .finding where isPresent && fact.assertion.temporality == .current && fertile.contains(fact.name):
          if let neutered { tell(.neutering, fact.name, neutered, this) }
        case .drug where isPresent && fact.assertion.temporality == .current:
          guard let value = fact.value, let unit = fact.unit, fact.attributes["frequency"] != nil else { continue }
          let name = "\(fact.name) \(unit)"
          if let known = doses[name], known.day == note.day, known.side.note != index,
            known.side.fact.value != value, fact.attributes["action"] != "changed"
          {
            tell(.dose, name, known.side, this)
          }
          doses[name] = (note.day, this)
        default: break
        }
      }
    }
    return result
  }

  private static let neuterings: Set<String> = ["spay", "neutering"]
  private static let fertile: Set<String> = ["oestrus", "pregnancy"]
}
