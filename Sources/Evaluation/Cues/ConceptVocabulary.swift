import TextAnalysis

/// What the words of forms are to each other: which stand for others, and which belong to a row that forms may name.
struct ConceptVocabulary {
  /// The single words of each row, as it writes them.
  private(set) var words: [String: Set<String>] = [:]
  /// The rows with a word as it is, with one of its stem, and with a beginning.
  private var rowsOfWord: [String: [String]] = [:]
  private var rowsOfStem: [String: [String]] = [:]
  private var beginnings: [(start: String, row: String)] = []
  let closed: Set<String>
  let fillers: Set<String>
  private let denials: Set<String>
  /// The rows that the forms of each row name.
  private var named: [String: Set<String>] = [:]
  private let stemmer = Stemmer()

  /// Fillers that may stand between two words of a form.
  private static let longestGap = 3

  init(_ rows: [ConceptRow]) {
    closed = Set(rows.filter(\.isClass).map(\.id))
    fillers = Set(rows.first(where: \.isFiller)?.forms ?? [])
    for row in rows where !row.isFiller && !row.isMask {
      let single = Set(row.forms.filter { !$0.contains(" ") && !$0.hasPrefix("@") })
      words[row.id] = single
      for word in single {
        rowsOfWord[word, default: []].append(row.id)
        if word.hasSuffix("*") {
          beginnings.append((String(word.dropLast()), row.id))
        } else if !word.hasPrefix("="), word.utf8.count > 2 {
          rowsOfStem[stemmer.stem(word), default: []].append(row.id)
        }
      }
    }
    for row in rows { named[row.id] = Set(row.forms.flatMap(Self.names)) }
    var denials: Set<String> = ["no", "nothing", "stopped", "@not", "@cant"]
    for id in ["not", "cant"] { denials.formUnion(words[id] ?? []) }
    for id in closed where !(words[id] ?? []).isDisjoint(with: denials) { denials.insert("@" + id) }
    self.denials = denials
  }

  /// The rows that have a word which stands for the given one of a form, in the order of their names.
  func rows(with word: String) -> [String] {
    if word == "&" || word.hasPrefix("@") { return [] }
    var found = Set(rowsOfWord[word] ?? [])
    // What matches itself alone belongs where it stands so.
    if word.hasPrefix("=") { return found.sorted() }
    for (start, row) in beginnings where word.hasPrefix(start) { found.insert(row) }
    if !word.hasSuffix("*"), word.utf8.count > 2 { found.formUnion(rowsOfStem[stemmer.stem(word)] ?? []) }
    return found.sorted()
  }

  /// The rows that a form names.
  static func names(_ form: String) -> [String] {
    form.split(separator: " ").filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
  }

  /// Whether the forms of a row name another, or name one that does.
  func reaches(_ row: String, _ other: String) -> Bool {
    row == other || (named[row] ?? []).contains { reaches($0, other) }
  }

  /// Remembers that a row's forms will name another.
  mutating func note(_ row: String, names form: String) { named[row, default: []].formUnion(Self.names(form)) }

  /// Whether wherever `form` stands, `other` stands within it, in a row that is no mask; never where `form` denies what the other says.
  func covers(_ other: [String], _ form: [String]) -> Bool {
    guard !other.contains("&"), other.count <= form.count, other != form else { return false }
    return form.indices.contains { start in
      guard stands(other[0], for: form[start]) else { return false }
      var place = start + 1
      for word in other.dropFirst() {
        var gap = 0
        while place < form.count, !stands(word, for: form[place]) {
          guard gap < Self.longestGap, fillers.contains(form[place]) else { return false }
          gap += 1
          place += 1
        }
        guard place < form.count else { return false }
        place += 1
      }
      return (form[..<start] + form[place...]).allSatisfy { !denials.contains($0) && $0 != "&" }
    }
  }

  /// Whether a word of a form is found in every word of a text in which the other one is.
  private func stands(_ word: String, for other: String) -> Bool {
    if word == other { return true }
    if word.hasPrefix("@") { return rows(with: other).contains(String(word.dropFirst())) }
    if word.hasPrefix("=") || other.hasPrefix("@") || other == "&" { return false }
    let bare = other.hasPrefix("=") ? String(other.dropFirst()) : other
    if word.hasSuffix("*") { return bare.hasPrefix(word.dropLast()) }
    guard !bare.hasSuffix("*"), bare.utf8.count > 2 else { return word == bare }
    return word == bare || stemmer.stem(word) == stemmer.stem(bare)
  }

  /// A form without the fillers between its first and its last word.
  func withoutFillers(_ form: [String]) -> [String] {
    guard form.count > 2, !form.contains("&") else { return form }
    return [form[0]] + form[1..<(form.count - 1)].filter { !fillers.contains($0) } + [form[form.count - 1]]
  }

  /// Words that a form may have in a text: of what it names, and of beginnings, the first.
  func instance(of form: String) -> String {
    form.split(separator: " ").compactMap { part -> String? in
      if part == "&" { return nil }
      if part.hasPrefix("@") { return words[String(part.dropFirst())]?.min().map { instance(of: $0) } }
      return String(part.drop { $0 == "=" }).replacing("*", with: "")
    }.joined(separator: " ")
  }
}
