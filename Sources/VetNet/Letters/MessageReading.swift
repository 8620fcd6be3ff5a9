import Clinical
import Store
import TextAnalysis

/// What an owner's message says of itself: who sent it, and which of its words are an animal's name, with slips and in small letters.
struct MessageReading {
  /// A patient whom some words mean.
  struct Hit {
    let patient: Stored<Patient>
    let kind: IncomingItem.Candidate.Evidence
    let words: String
    /// Whether they stand where names stand.
    var isPointedAt = false
  }

  private(set) var hits: [Hit] = []
  /// Ids of the clients who sent it; names of owners without an id.
  private(set) var owners: Set<String> = []
  /// Patients whose name stands in the message as somebody's own name only.
  private(set) var peoplesNames: Set<Int64> = []
  /// Whether somebody wrote who is no client, as far as they say.
  private(set) var isStranger = false

  private struct Token {
    let text: String
    /// As names are compared.
    let key: String
    let isPointedAt: Bool
    var isPersons = false
  }

  private var tokens: [Token]

  init(_ letter: LetterCandidates, owner: String?, known: [Int64: Set<IncomingItem.Candidate.Evidence>]) throws {
    tokens = letter.lines.flatMap(Self.tokens)
    let connection = letter.connection
    var senders = letter.reachedClients().map(\.client)
    senders += namedClients(letter.clients)
    let author = owner?.nameWords ?? []
    if senders.isEmpty { senders = titledClients(letter.clients) }
    if senders.isEmpty, author.count > 1 {
      let key = author.joined()
      let alike = letter.clients.filter { client in
        let name = client.value.name.nameWords.joined()
        return EditDistance.between(key, name, limit: EditDistance.limit(for: name)) != nil
      }
      senders = alike
      for client in alike { try addAnimals(of: client.value, .misspelt, "…", connection) }
      let surnames = Set(letter.clients.compactMap { $0.value.name.nameWords.last })
      isStranger = alike.isEmpty && !letter.clients.isEmpty && author.last.map { !surnames.contains($0) } ?? false
    }
    owners = Set(senders.map(\.value.id))
    if owners.isEmpty, saysNew(letter.text) { isStranger = true }
    for index in tokens.indices where author.contains(tokens[index].key) { tokens[index].isPersons = true }
    try readNames(of: senders.map(\.value), connection)
    try readNames(among: try connection.patients.patients(ofSpecies: [], limit: .max), known)
  }

  // MARK: Who sent it

  /// Clients whose whole name stands in the message, in whatever letters; its words are nobody's animal then.
  private mutating func namedClients(_ clients: [Stored<Client>]) -> [Stored<Client>] {
    var byName: [String: [Stored<Client>]] = [:]
    for client in clients {
      let words = client.value.name.nameWords
      if words.count > 1 { byName[words.joined(separator: " "), default: []].append(client) }
    }
    var found: [Stored<Client>] = []
    for start in tokens.indices {
      for count in 2...4 where start + count <= tokens.count {
        let range = start..<(start + count)
        guard let named = byName[tokens[range].map(\.key).joined(separator: " ")] else { continue }
        for index in range { tokens[index].isPersons = true }
        for client in named where !found.contains(where: { $0.rowID == client.rowID }) { found.append(client) }
      }
    }
    return found
  }

  /// Clients with a surname that stands behind a title, in whatever letters, or for the whole family: "mr zhang", "the Müllers".
  private mutating func titledClients(_ clients: [Stored<Client>]) -> [Stored<Client>] {
    let bySurname = Dictionary(grouping: clients) { $0.value.name.nameWords.last ?? "" }
    var found: [Stored<Client>] = []
    for index in tokens.indices.dropFirst() {
      let before = tokens[index - 1].key
      var surname = tokens[index].key
      // "the Müllers"
      let isFamily = before == "the" && surname.hasSuffix("s")
      if isFamily { surname.removeLast() }
      guard isFamily || LetterCandidates.titles.contains(before), let named = bySurname[surname] else { continue }
      tokens[index].isPersons = true
      for client in named where !found.contains(where: { $0.rowID == client.rowID }) { found.append(client) }
    }
    return found
  }

  private mutating func addAnimals(
    of client: Client, _ kind: IncomingItem.Candidate.Evidence, _ words: String, _ connection: Connection
  ) throws {
    for animal in try Self.animals(of: client, connection) {
      hits.append(Hit(patient: animal, kind: kind, words: words))
    }
  }

  private static func animals(of client: Client, _ connection: Connection) throws -> [Stored<Patient>] {
    try connection.patients.patients(ownerNamed: client.name, listsAll: true).filter {
      $0.value.ownerID == nil || $0.value.ownerID == client.id
    }
  }

  private func saysNew(_ text: String) -> Bool {
    let text = text.lowercased()
    return Self.newcomers.contains { text.contains($0) }
  }

  /// How people write who have not been before.
  private static let newcomers = [
    "new client", "new customer", "new to you", "new to the practice", "register", "never been to you",
    "not been to you", "haven't been to you", "first time with you", "just moved", "not on your books",
  ]

  // MARK: Names

  /// The names of the sender's own animals, however they are written; one who has a single animal means that one.
  private mutating func readNames(of senders: [Client], _ connection: Connection) throws {
    for client in senders {
      let animals = try Self.animals(of: client, connection)
      for animal in animals { hits.append(Hit(patient: animal, kind: .owner, words: client.name)) }
      let living = animals.filter { $0.value.deceasedAt == nil }
      if living.count == 1 { hits.append(Hit(patient: living[0], kind: .only, words: client.name)) }
      for animal in animals {
        let name = animal.value.name.nameWords
        for (index, token) in tokens.enumerated() where !token.isPersons {
          if isName(name, at: index) {
            hits.append(Hit(patient: animal, kind: .name, words: token.text, isPointedAt: true))
          } else if name.count == 1, Self.isSlip(token.key, of: name[0]) {
            hits.append(Hit(patient: animal, kind: .misspelt, words: token.text, isPointedAt: true))
          }
        }
      }
    }
  }

  /// Names of anybody's animal: in small letters only where names stand, with a slip only where no animal has the name as written.
  private mutating func readNames(
    among patients: [Stored<Patient>], _ known: [Int64: Set<IncomingItem.Candidate.Evidence>]
  ) throws {
    let already = Set(hits.filter { $0.kind != .owner && $0.kind != .only }.map(\.patient.rowID))
    let names = Dictionary(grouping: patients) { $0.value.name.nameWords.joined(separator: " ") }
    for (index, token) in tokens.enumerated() where token.isPointedAt && !token.isPersons {
      if let exact = names[token.key] {
        hits += exact.filter { !already.contains($0.rowID) }.map {
          Hit(patient: $0, kind: .name, words: token.text, isPointedAt: true)
        }
        continue
      }
      guard already.isEmpty, token.key.count > 3, !Self.isPlain(token.key) else { continue }
      for (name, animals) in names where !name.contains(" ") && Self.isSlip(token.key, of: name) {
        hits += animals.map { Hit(patient: $0, kind: .misspelt, words: token.text, isPointedAt: index > 0) }
      }
    }
    for patient in patients where known[patient.rowID]?.contains(.name) == true {
      let name = patient.value.name.nameWords
      let places = tokens.indices.filter { isName(name, at: $0) }
      if !places.isEmpty, places.allSatisfy({ tokens[$0].isPersons }) { peoplesNames.insert(patient.rowID) }
    }
  }

  private func isName(_ name: [String], at index: Int) -> Bool {
    !name.isEmpty && index + name.count <= tokens.count && tokens[index..<(index + name.count)].map(\.key) == name
  }

  /// Whether a word sounds like a name, or is one slip of the hand from it.
  private static func isSlip(_ word: String, of name: String) -> Bool {
    guard word != name, name.count > 3, word.count > 2 else { return false }
    if sound(word) == sound(name) { return true }
    guard name.count > 4, word.count > 3 else { return false }
    return EditDistance.between(word, name, limit: EditDistance.limit(for: name)) != nil
  }

  /// How a name sounds, roughly: `Millie` as `Milly`, `Phoebe` as `Foebe`.
  private static func sound(_ word: String) -> String {
    var text = word
    for (written, heard) in sounds { text = text.replacing(written, with: heard) }
    var result = ""
    for letter in text where letter != result.last { result.append(letter) }
    return result
  }

  private static let sounds = [
    ("ph", "f"), ("ie", "i"), ("ey", "i"), ("ee", "i"), ("y", "i"), ("ck", "k"), ("c", "k"), ("z", "s"), ("w", "v"),
  ]

  /// Words of every message that are a letter away from somebody's name.
  private static func isPlain(_ word: String) -> Bool { plain.contains(word) || Species(mention: word) != nil }

  private static let plain: Set<String> = [
    "about", "after", "again", "also", "away", "back", "been", "before", "better", "could", "daily", "dear", "does",
    "doing", "done", "down", "eating", "even", "ever", "food", "from", "getting", "good", "hello", "help", "here",
    "hope", "just", "kind", "last", "left", "like", "little", "look", "lots", "many", "more", "morning", "much",
    "never", "night", "only", "over", "please", "quite", "really", "right", "since", "some", "still", "taking", "thank",
    "thanks", "that", "then", "there", "they", "thing", "this", "today", "told", "very", "want", "week", "well", "were",
    "what", "when", "where", "which", "while", "will", "with", "would", "yesterday", "your", "boy", "girl",
  ]

  // MARK: Words

  private static func tokens(of line: Substring) -> [Token] {
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’" || $0 == "-") }.map(String.init)
    return words.enumerated().map { index, word in
      let isPossessive = WordForm.endsInPossessive(Array(word.utf8))
      let text = isPossessive ? WordForm.withoutPossessive(word) : word
      let before = index > 0 ? words[index - 1].lowercased() : ""
      // "luna the whippet"
      let isExplained = index + 1 < words.count && words[index + 1].lowercased() == "the"
      let isCapital = index > 0 && text.first?.isUppercase == true && text.contains(where: \.isLowercase)
      return Token(
        text: text, key: text.nameWords.joined(),
        isPointedAt: isPossessive || isCapital || isExplained || index == 0 && words.count <= 3
          || beforeNames.contains(before)
          || Species(mention: before) != nil)
    }
  }

  /// Words behind which owners write their animal's name.
  private static let beforeNames: Set<String> = [
    "about", "re", "called", "named", "name", "for", "my", "our", "poor", "boy", "girl", "with", "bring", "bringing",
    "brought", "is", "has", "regarding", "patient", "pet", "and", "on",
  ]
}
