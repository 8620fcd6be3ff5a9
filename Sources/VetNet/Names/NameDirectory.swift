import Clinical
import Store

/// The names that a practice itself has on file: its clients, staff and animals, and where they live. What is written in notes is compared
/// with them however it is typed.
struct NameDirectory: Sendable {
  /// Several words that are one name: "Will Hopper", "Rope Walk".
  struct Phrase: Hashable, Sendable {
    let words: [String]
    let kind: RemovedName.Kind
    /// A street, whose last word may be any that streets have: "Gasworks Rd".
    let isStreet: Bool
  }

  private(set) var people: Set<String> = []
  private(set) var places: Set<String> = []
  private(set) var animals: Set<String> = []
  /// First letters of the names of those who write in notes, small.
  private(set) var initials: Set<String> = []
  /// Names of those who write in notes.
  private(set) var writers: Set<String> = []
  /// Names of several words, by the first.
  private(set) var phrases: [String: Set<Phrase>] = [:]
  /// Each name of five letters and more with one letter left out: a slip of one letter gives one of them.
  private var slips: [String: RemovedName.Kind] = [:]

  /// - Parameters:
  ///   - people: full names, with titles or without.
  ///   - staff: those among the people who sign by their initials.
  ///   - places: addresses.
  ///   - animals: names of animals.
  ///   - rules: whose titles and kinds of street are no names.
  init(
    people: [String], staff: [String] = [], places: [String] = [], animals: [String] = [], rules: NameRules
  ) {
    func words(_ names: [String], longerThan shortest: Int) -> [String] {
      names.flatMap { name in
        Self.withoutLetters(name).flatMap { word in
          [word] + (word.contains("-") ? word.split(separator: "-").map(String.init) : [])
        }
      }.filter { word in
        let small = word.lowercased()
        return word.count > shortest && !rules.has(small, in: .title) && !rules.has(small, in: .particle)
      }
    }
    initials = Set(
      staff.map { name in
        String(
          Self.withoutLetters(name).filter { !rules.has($0.lowercased(), in: .title) }.compactMap(\.first)
        ).lowercased()
      }.filter { $0.count > 1 })
    self.people = Set(words(people + staff, longerThan: 1).map(\.foldedName))
    writers = Set(words(staff, longerThan: 1).map(\.foldedName))
    // "Captain" is a name where it is an animal's.
    self.animals = Set(animals.flatMap(Self.split).filter { $0.count > 1 }.map(\.foldedName))
    self.places = Set(
      words(places, longerThan: 2).filter { word in
        let small = word.lowercased()
        return !rules.has(small, in: .street) && !rules.has(small, in: .site) && !rules.isKnown(small)
      }.map(\.foldedName))
    for name in people + staff { addPhrases(ofPerson: name, rules) }
    for address in places { addPhrases(of: address, rules) }
    for (names, kind) in [
      (self.places, RemovedName.Kind.place), (self.animals, .animal), (self.people, .person),
    ] {
      for name in names where name.count >= 5 {
        for slip in Self.withoutOne(name) { slips[slip] = kind }
        slips[name] = kind
      }
    }
  }

  /// What a folded word is the name of, as it is on file; nil for none.
  func kind(of folded: String) -> RemovedName.Kind? {
    if people.contains(folded) { return .person }
    if places.contains(folded) { return .place }
    return animals.contains(folded) ? .animal : nil
  }

  /// What a folded word is the name of, one letter being wrong, missing or too many.
  func kind(nearTo folded: String) -> RemovedName.Kind? {
    guard folded.count >= 5 else { return nil }
    if let kind = slips[folded] { return kind }
    for slip in Self.withoutOne(folded) {
      if let kind = slips[slip] { return kind }
    }
    return nil
  }

  /// The words of a name, numbers left out.
  static func split(_ name: String) -> [String] {
    name.split { !$0.isLetter && $0 != "'" && $0 != "’" && $0 != "-" }.map(String.init)
  }

  /// The words of a name without the letters of degrees and memberships behind it: "Ann Hill MRCVS".
  private static func withoutLetters(_ name: String) -> [String] {
    let words = split(name)
    let isShouted = !words.contains { $0.contains(where: \.isLowercase) }
    if isShouted { return words }
    let end = words.lastIndex { $0.contains(where: \.isLowercase) } ?? words.endIndex - 1
    return Array(words[...end])
  }

  /// "Saoirse Ní Bhriain" whole, and by first and last name; parts of a double name may be typed apart.
  private mutating func addPhrases(ofPerson name: String, _ rules: NameRules) {
    let parts = Self.withoutLetters(name).filter { !rules.has($0.lowercased(), in: .title) }
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return }
    let apart = last.split(separator: "-").map(String.init)
    for words in [parts, [first, last], [last, first]] + (apart.count > 1 ? [apart, [first] + apart] : []) {
      addPhrase(words, .person)
    }
  }

  /// Each part of an address that has several words.
  private mutating func addPhrases(of address: String, _ rules: NameRules) {
    for part in address.split(separator: ",") {
      // "12b" leaves a letter alone.
      let words = Self.split(String(part)).filter { $0.count > 1 }
      guard words.count > 1, let last = words.last else { continue }
      addPhrase(words, .place)
      let isStreet = rules.has(last.lowercased(), in: .street)
      if isStreet { addPhrase(Array(words.dropLast()), .place, isStreet: true) }
    }
  }

  private mutating func addPhrase(_ words: [String], _ kind: RemovedName.Kind, isStreet: Bool = false) {
    let folded = words.map(\.foldedName)
    guard let first = folded.first, !folded.contains("") else { return }
    phrases[first, default: []].insert(Phrase(words: folded, kind: kind, isStreet: isStreet))
  }

  private static func withoutOne(_ word: String) -> [String] {
    word.indices.map { index in
      var shorter = word
      shorter.remove(at: index)
      return shorter
    }
  }
}

extension Practice.Index {
  /// All names on file, and those of the authors of notes.
  func nameDirectory(_ rules: NameRules, authors: Set<String>) throws -> NameDirectory {
    try reporting {
      let clients = try connection.clients.list().map(\.value)
      let staff = try connection.staff.list().map(\.value.name)
      let locations = try connection.locations.list().map(\.value.name)
      let patients = try connection.patients.list().map(\.value)
      return NameDirectory(
        people: clients.map(\.name) + patients.compactMap(\.ownerName),
        staff: Array(Set(staff).union(authors)).sorted(),
        places: clients.compactMap(\.address) + locations, animals: patients.map(\.name), rules: rules)
    }
  }
}
