import Clinical

/// Finds cues of one row that differ in one word of a closed class, and writes the class in its place.
struct CueFamilies {
  /// What several cues may become.
  struct Candidate {
    let cue: String
    /// Places in the row's cues of those it stands for.
    let members: [Int]
    /// How many words the class has: of two that stand for as many, the narrower is tried first.
    let breadth: Int
  }

  private let classesOfWord: [String: [String]]
  private let breadths: [String: Int]
  private static let signs: Set<String> = [
    "num", "year", "any", "end", "start", "line", "minus", "plus", "dash", "hyphen", "query", "question",
  ]

  /// - Parameters:
  ///   - classes: `word-classes.tsv`.
  ///   - cues: of the table: classes that one of them names may stand in others.
  init(classes: DataTable, named cues: [String]) {
    let named = Set(
      cues.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("<") }
        .map { String($0.drop { $0 == "<" }.prefix { $0 != ">" && $0 != "?" }) })
    var classesOfWord: [String: [String]] = [:]
    var breadths: [String: Int] = [:]
    for row in classes.rows where row["use"] == "slot" || named.contains(row["class"]) {
      for word in row.list("words") where !word.hasPrefix("*") { classesOfWord[word, default: []].append(row["class"]) }
      breadths[row["class"], default: 0] += row.list("words").count
    }
    self.classesOfWord = classesOfWord
    self.breadths = breadths
  }

  /// The candidates among the cues of one row, those that stand for the most first.
  func candidates(_ cues: [String]) -> [Candidate] {
    let split = cues.map { $0.split(separator: " ").map(String.init) }
    var wholes: [String: Int] = [:]
    var families: [String: [(word: String, cue: Int)]] = [:]
    for (cue, words) in split.enumerated() {
      wholes[cues[cue]] = cue
      for place in words.indices where words.count > 1 {
        families[Self.frame(words, place, "\u{1}"), default: []].append((words[place], cue))
      }
    }
    var result: [Candidate] = []
    for (frame, members) in families {
      var ofClass: [String: [Int]] = [:]
      for (word, cue) in members {
        for name in classes(of: word) { ofClass[name, default: []].append(cue) }
      }
      let without = wholes[frame.split(separator: " ").filter { $0 != "\u{1}" }.joined(separator: " ")]
      for (name, inClass) in ofClass {
        let isSign = Self.signs.contains(name)
        if inClass.count > 1, !isSign {
          result.append(candidate(frame, "<\(name)>", inClass, name))
        }
        if let without, name != "end", name != "start", name != "line" {
          result.append(candidate(frame, "<\(name)?>", inClass + [without], name))
        }
      }
    }
    return result.filter { !cues.contains($0.cue) }
      .sorted { ($1.members.count, $0.breadth, $0.cue) < ($0.members.count, $1.breadth, $1.cue) }
  }

  private func candidate(_ frame: String, _ slot: String, _ members: [Int], _ name: String) -> Candidate {
    let cue = frame.split(separator: " ").map { $0 == "\u{1}" ? slot : String($0) }.joined(separator: " ")
    return Candidate(cue: cue, members: members.sorted(), breadth: breadths[name] ?? 0)
  }

  private static func frame(_ words: [String], _ place: Int, _ hole: String) -> String {
    var words = words
    words[place] = hole
    return words.joined(separator: " ")
  }

  /// The classes that hold a word; of a class that a cue names itself, that class.
  private func classes(of word: String) -> [String] {
    if word.hasPrefix("<"), word.hasSuffix(">"), !word.hasSuffix("?>") { return [String(word.dropFirst().dropLast())] }
    return classesOfWord[word] ?? []
  }
}
