public import Briefing
public import Clinical

/// What a section of an encounter was decided to be, and whether that still is about what is proposed.
public struct DecidedSection: Sendable {
  public let decision: EncounterDecision
  /// The proposal is another one by now: somebody has to look again.
  public let isStale: Bool
}

/// An encounter as it stands, with its reading and what was decided.
public struct ShownEncounter: Sendable {
  public let encounter: Encounter
  public let patient: Patient
  /// Of the narrative beside the record as it is; nil for one that is signed.
  public let reading: EncounterReading?
  /// The last decision about each section.
  public let decided: [EncounterSection: DecidedSection]
  /// All that was decided, in order.
  public let decisions: [EncounterDecision]
  /// Of one that is signed, where its note is there.
  public let note: NoteHistory?

  /// The sections that have to be decided on before an encounter may reach a state.
  public func open(for state: EncounterState) -> [EncounterSection] {
    guard let reading else { return [] }
    // What only shows values or the record adds nothing to the note, and asks for no decision.
    return reading.sections.filter { !$0.words.isEmpty }.map(\.section).filter { section in
      section.neededFor <= state && decided[section].map(\.isStale) ?? true
    }
  }

  /// What the note will say: what was accepted or written, in the order of the sections. Empty while nothing is.
  public var noteText: String {
    EncounterSection.allCases.compactMap { section -> String? in
      guard let words = decided[section]?.decision.words, words.contains(where: { !$0.isWhitespace }) else {
        return nil
      }
      return words
    }.joined(separator: "\n")
  }
}

/// An encounter in a list.
public struct ListedEncounter: Sendable {
  public let encounter: Encounter
  public let patient: Patient
}

/// What an owner takes home, with whose it is.
public struct SummarizedEncounter: Sendable {
  public let encounter: Encounter
  public let patient: Patient
  public let summary: OwnerSummary
}

/// What was proposed for one encounter and what became of it: a labelled case.
public struct EncounterCase: Sendable {
  public let encounter: Encounter
  public let patient: Patient
  public let decisions: [EncounterDecision]
  /// The note's text as it is now; nil where none is signed.
  public let note: String?
}

extension Encounter {
  /// Whether a text can be the id of an encounter: so long that no two are made alike.
  static func isID(_ text: String) -> Bool {
    let rest = text.utf8.dropFirst(4)
    return text.hasPrefix("enc-") && (20...40).contains(rest.count)
      && rest.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// An id that nobody else makes: 100 random bits.
  static func newID() -> String {
    let letters = Array("abcdefghjkmnpqrstvwxyz0123456789".utf8)
    var generator = SystemRandomNumberGenerator()
    let made = (0..<20).map { _ in letters[Int(generator.next() % UInt64(letters.count))] }
    return "enc-" + String(decoding: made, as: UTF8.self)
  }
}
