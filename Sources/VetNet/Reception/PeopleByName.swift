import Clinical
import Store

// Staff and rooms by name wherever an id is taken.

extension Practice.Workplace {
  /// The one member of staff that some words mean: an id, a name, or words of a name ("Marsh", "Dr Marsh", "helen").
  ///
  /// - Throws: ``PracticeError`` listing those whom the words fit where they are several, and everybody where they are none.
  func staffMember(_ reference: String) throws -> StaffMember {
    let all = try reporting { try connection.staff.list() }.map(\.value)
    return all[try Self.one(reference, "staff member", among: all.map { ($0.id, $0.name) })]
  }

  /// The one room or device that some words mean, in the same ways.
  func resource(_ reference: String) throws -> Resource {
    let all = try reporting { try connection.resources.list() }.map(\.value)
    return all[try Self.one(reference, "room or device", among: all.map { ($0.id, $0.name) })]
  }

  static func one(
    _ reference: String, _ what: String, among all: [(id: String, name: String)]
  ) throws -> Int {
    let found = meant(reference, among: all)
    if found.count == 1 { return found[0] }
    let listed = (found.isEmpty ? Array(all.indices) : found).map { "\(all[$0].id) (\(all[$0].name))" }
      .joined(separator: ", ")
    if !found.isEmpty {
      throw PracticeError(.invalidArgument, "'\(reference)' fits several", hint: "Give the id: \(listed).")
    }
    throw PracticeError(
      .notFound, "there is no \(what) '\(reference)'", hint: listed.isEmpty ? nil : "There are \(listed).")
  }

  /// What stands before names and is part of none.
  private static let courtesies: Set<String> = ["dr", "mr", "mrs", "ms", "miss", "prof"]

  /// The places of those that some words mean: by id, else by the whole name, else by words of it, else by their beginnings.
  static func meant(_ reference: String, among all: [(id: String, name: String)]) -> [Int] {
    let exact = all.indices.filter { all[$0].id == reference }
    if !exact.isEmpty { return exact }
    let byID = all.indices.filter { all[$0].id.lowercased() == reference.lowercased() }
    if !byID.isEmpty { return byID }
    let typed = reference.nameWords
    let words = typed.filter { !courtesies.contains($0) }
    guard !words.isEmpty else { return [] }
    let names = all.map { Set($0.name.nameWords) }
    let whole = all.indices.filter {
      all[$0].name.isSameName(as: reference) || all[$0].name.nameWords.filter { !courtesies.contains($0) } == words
    }
    if !whole.isEmpty { return whole }
    let byWords = all.indices.filter { names[$0].isSuperset(of: words) }
    if !byWords.isEmpty { return byWords }
    return all.indices.filter { index in words.allSatisfy { word in names[index].contains { $0.hasPrefix(word) } } }
  }
}
