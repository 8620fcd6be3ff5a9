import Clinical
import Store

/// The names that a practice itself has on file: its clients, staff and animals, and where they live. What is written in notes is compared
/// with them however it is typed.
struct NameDirectory: Sendable {
  private(set) var people: Set<String> = []
  private(set) var places: Set<String> = []
  private(set) var animals: Set<String> = []
  /// First letters of the names of those who write in notes, small.
  private(set) var initials: Set<String> = []
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
    func split(_ name: String) -> [String] {
      name.split { !$0.isLetter && $0 != "'" && $0 != "’" && $0 != "-" }.map(String.init)
    }
    func words(_ names: [String], longerThan shortest: Int) -> [String] {
      names.flatMap { name in
        split(name).flatMap { word in
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
          split(name).filter { !rules.has($0.lowercased(), in: .title) }.compactMap(\.first)
        ).lowercased()
      }.filter { $0.count > 1 })
    self.people = Set(words(people + staff, longerThan: 1).map(\.foldedName))
    // "Captain" is a name where it is an animal's.
    self.animals = Set(animals.flatMap(split).filter { $0.count > 1 }.map(\.foldedName))
    self.places = Set(
      words(places, longerThan: 2).filter { word in
        let small = word.lowercased()
        return !rules.has(small, in: .street) && !rules.has(small, in: .site) && !rules.isKnown(small)
      }.map(\.foldedName))
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

  private static func withoutOne(_ word: String) -> [String] {
    word.indices.map { index in
      var shorter = word
      shorter.remove(at: index)
      return shorter
    }
  }
}

extension Practice {
  /// All names on file.
  func nameDirectory(_ rules: NameRules) throws -> NameDirectory {
    try reporting {
      let clients = try connection.clients.list().map(\.value)
      let staff = try connection.staff.list().map(\.value.name)
      let locations = try connection.locations.list().map(\.value.name)
      let patients = try connection.patients.list().map(\.value)
      return NameDirectory(
        people: clients.map(\.name) + patients.compactMap(\.ownerName), staff: staff,
        places: clients.compactMap(\.address) + locations, animals: patients.map(\.name), rules: rules)
    }
  }
}
