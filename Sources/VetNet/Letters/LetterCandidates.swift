import Clinical
import Interchange
import Store
import TextAnalysis

/// Finds the patients whom a letter, or a message, may be about, by its own words.
struct LetterCandidates {
  /// Who wrote it.
  enum Manner {
    /// A colleague, who writes names as names are written.
    case letter
    /// An owner: in small letters, with slips, about their own animals. The species and the name are what they gave beside the text.
    case message(species: Species?, owner: String?)
  }

  let connection: Connection
  let text: String
  private let subjects: [String]
  let lines: [Substring]
  let clients: [Stored<Client>]
  let manner: Manner

  /// How much each kind of evidence says alone; what is said by several adds up as if they were independent. Judged, not fitted.
  private static let weights: [IncomingItem.Candidate.Evidence: Double] = [
    .microchip: 0.97, .id: 0.9, .name: 0.4, .owner: 0.35, .email: 0.5, .phone: 0.5, .breed: 0.2, .species: 0.1,
    .misspelt: 0.3, .only: 0.3,
  ]
  /// What a name in the line that says whom the letter is about adds.
  private static let inSubject = 0.35
  /// What is left where the letter speaks of another species, or has another animal's chip.
  private static let contradicted = 0.35
  /// What is left where somebody else than the owner wrote, as far as the message says.
  private static let ofAnother = 0.28
  /// What is left of one who is dead: few owners write of them.
  private static let ofTheDead = 0.5
  /// In words.
  private static let longestName = 3
  private static let shown = 8

  /// - Parameters:
  ///   - connection: to the practice file.
  ///   - text: the letter's, with its sender.
  ///   - subjects: lines that say whom it is about.
  ///   - clients: everybody on file, for numbers and addresses; may be empty.
  ///   - manner: who wrote it.
  init(
    _ connection: Connection, text: String, subjects: [String], clients: [Stored<Client>], manner: Manner = .letter
  ) {
    self.manner = manner
    self.connection = connection
    self.text = text
    self.subjects = subjects
    self.clients = clients
    lines = text.split(separator: "\n")
  }

  struct Found {
    let patient: Patient
    var evidence: Set<IncomingItem.Candidate.Evidence>
    var words: [String] = []
    var isInSubject = false

    mutating func add(_ kind: IncomingItem.Candidate.Evidence, _ words: String) {
      evidence.insert(kind)
      if !self.words.contains(words), self.words.count < 4 { self.words.append(words) }
    }
  }

  /// The likeliest first, at most eight.
  func ranked() throws -> [(found: Found, certainty: Double)] {
    var found: [Int64: Found] = [:]
    func note(
      _ patients: [Stored<Patient>], _ kind: IncomingItem.Candidate.Evidence, _ words: String, inSubject: Bool = false
    ) {
      for patient in patients {
        found[patient.rowID, default: Found(patient: patient.value, evidence: [])].add(kind, words)
        if inSubject { found[patient.rowID]?.isInSubject = true }
      }
    }
    for number in numbers(ofDigits: 15) {
      note(try connection.patients.patients(microchip: number), .microchip, number)
    }
    for (name, isSubject) in names() {
      note(try connection.patients.patients(named: name), .name, name, inSubject: isSubject)
      if name.contains(where: \.isNumber) { note(try connection.patients.patients(id: name), .id, name) }
    }
    for (client, kind, words) in reachedClients() {
      note(
        try connection.patients.patients(ownerNamed: client.value.name, listsAll: true)
          .filter { $0.value.ownerID == nil || $0.value.ownerID == client.value.id }, kind, words)
    }
    for (surname, words) in titled() {
      note(try connection.patients.patients(ownerNamed: surname, listsAll: true), .owner, words)
    }
    var species = mentionedSpecies
    var senders: Set<String> = []
    var isStranger = false
    if case .message(let given, let owner) = manner {
      if let given { species = [given] }
      let sender = try MessageReading(self, owner: owner, known: found.mapValues(\.evidence))
      for hit in sender.hits { note([hit.patient], hit.kind, hit.words, inSubject: hit.isPointedAt) }
      for row in sender.peoplesNames { found[row]?.evidence.remove(.name) }
      senders = sender.owners
      isStranger = sender.isStranger
    }
    let spoken = Set(text.nameWords)
    let chips = Set(numbers(ofDigits: 15))
    found = found.filter { !$0.value.evidence.isEmpty }
    return found.values.map { entry -> (found: Found, certainty: Double) in
      var entry = entry
      let patient = entry.patient
      if let owner = patient.ownerName?.nameWords.last, owner.count > 1, spoken.contains(owner),
        patient.name.nameWords != [owner]
      {
        entry.evidence.insert(.owner)
      }
      if species.contains(patient.species) { entry.evidence.insert(.species) }
      if let breed = patient.breed?.nameWords, !breed.isEmpty, spoken.isSuperset(of: breed) {
        entry.evidence.insert(.breed)
      }
      if case .message = manner {
        judge(&entry, senders: senders, isStranger: isStranger)
      }
      return (entry, certainty(of: &entry, species: species, chips: chips))
    }
    .filter { $0.certainty >= 0.2 }
    .sorted { ($1.certainty, $0.found.patient.id) < ($0.certainty, $1.found.patient.id) }
    .prefix(Self.shown).map { $0 }
  }

  /// The species that the text names, in one word or in two: a guinea pig is no pig.
  private var mentionedSpecies: Set<Species> {
    let words = text.split { !$0.isLetter }
    var found: Set<Species> = []
    var index = 0
    while index < words.count {
      if index + 1 < words.count, let both = Species(mention: "\(words[index]) \(words[index + 1])") {
        found.insert(both)
        index += 2
      } else {
        if let one = Species(mention: words[index]) { found.insert(one) }
        index += 1
      }
    }
    return found
  }

  /// What an owner's message says against a patient: it is somebody else's, or dead.
  private func judge(_ entry: inout Found, senders: Set<String>, isStranger: Bool) {
    let owner = entry.patient.ownerID ?? entry.patient.ownerName.map { $0.nameWords.joined(separator: " ") } ?? ""
    if !senders.isEmpty, !senders.contains(owner) {
      // Another of the same surname wrote.
      entry.evidence.remove(.owner)
      entry.evidence.insert(.otherOwner)
    } else if isStranger, entry.evidence.isDisjoint(with: [.owner, .phone, .email, .microchip, .id]) {
      entry.evidence.insert(.otherOwner)
    }
    if entry.patient.deceasedAt != nil { entry.evidence.insert(.died) }
  }

  private func certainty(of entry: inout Found, species: Set<Species>, chips: Set<String>) -> Double {
    var missing = 1.0
    for kind in entry.evidence { missing *= 1 - (Self.weights[kind] ?? 0) }
    if entry.isInSubject { missing *= 1 - Self.inSubject }
    var certainty = 1 - missing
    if !species.isEmpty, !species.contains(entry.patient.species), entry.patient.species != .other {
      certainty *= Self.contradicted
      if case .message = manner { entry.evidence.insert(.otherSpecies) }
    }
    if entry.evidence.contains(.otherOwner) { certainty *= Self.ofAnother }
    if entry.evidence.contains(.died) { certainty *= Self.ofTheDead }
    if !chips.isEmpty, let chip = entry.patient.microchip, !chips.contains(chip), !entry.evidence.contains(.microchip) {
      certainty *= Self.contradicted
    }
    // Nothing is ever certain without a person.
    return min(0.99, certainty)
  }

  // MARK: What stands in the letter

  /// Words, and up to three together, that are written like names, each with whether it stands where the letter says whom it is about.
  private func names() -> [(name: String, isSubject: Bool)] {
    var names: [String: Bool] = [:]
    for line in lines { collect(String(line), isSubject: false, into: &names) }
    for subject in subjects { collect(subject, isSubject: true, into: &names) }
    return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func collect(_ line: String, isSubject: Bool, into names: inout [String: Bool]) {
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’" || $0 == "-") }.map { word in
      WordForm.endsInPossessive(Array(word.utf8)) ? WordForm.withoutPossessive(String(word)) : String(word)
    }
    for start in words.indices {
      guard let first = words[start].first, first.isUppercase || first.isNumber, words[start].count > 1 else {
        continue
      }
      for count in 1...Self.longestName where start + count <= words.count {
        let name = words[start..<(start + count)].joined(separator: " ")
        guard name.count <= 60 else { break }
        names[name] = names[name] == true || isSubject
      }
    }
  }

  /// Surnames behind a title: "Mrs Tranter".
  private func titled() -> [(surname: String, words: String)] {
    var found: [String: String] = [:]
    for line in lines + subjects.map({ $0[...] }) {
      let words = line.split { !($0.isLetter || $0 == "'" || $0 == "’" || $0 == "-") }.map(String.init)
      for (index, word) in words.enumerated().dropLast() where Self.titles.contains(word.lowercased()) {
        let name = words[(index + 1)...].prefix(3).prefix {
          $0.first?.isUppercase == true || Self.particles.contains($0)
        }
        guard let surname = name.last else { continue }
        found[surname] = "\(word) \(name.joined(separator: " "))"
        if name.count > 1 { found[name.joined(separator: " ")] = "\(word) \(name.joined(separator: " "))" }
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  static let titles: Set<String> = [
    "mr", "mrs", "ms", "miss", "mx", "herr", "herrn", "frau", "family", "familie",
  ]
  private static let particles: Set<String> = ["van", "von", "der", "de", "la", "le", "du"]

  /// Numbers of so many digits, also in groups.
  private func numbers(ofDigits count: Int) -> [String] {
    var numbers: Set<String> = []
    for line in lines {
      var digits = ""
      for character in line + "." {
        if let value = character.wholeNumberValue, character.isASCII {
          digits += String(value)
        } else if character != " " && character != "-" || digits.isEmpty {
          if digits.count == count { numbers.insert(digits) }
          digits = ""
        }
      }
    }
    return numbers.sorted()
  }

  /// Owners whose number or address stands in the letter.
  func reachedClients() -> [(client: Stored<Client>, kind: IncomingItem.Candidate.Evidence, words: String)] {
    let lower = text.lowercased()
    let digits = lines.map { $0.filter(\.isNumber) }.filter { $0.count >= 7 }
    return clients.compactMap { client in
      if let email = client.value.email?.lowercased(), email.contains("@"), lower.contains(email) {
        return (client, .email, email)
      }
      for phone in client.value.phones.map({ $0.number.filter(\.isNumber) }) where phone.count >= 7 {
        // Without the zero that a country code replaces.
        let core = phone.hasPrefix("0") ? String(phone.dropFirst()) : phone
        if digits.contains(where: { $0.contains(core) }) { return (client, .phone, "…\(phone.suffix(4))") }
      }
      return nil
    }
  }
}
