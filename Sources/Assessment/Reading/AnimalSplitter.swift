public import Clinical
import Extraction
import TextAnalysis

/// One of several animals that a message is about.
public struct MessageAnimal: Hashable, Sendable {
  /// As the message calls it: `Milo`, `the cat`.
  public let label: String
  /// Nil where the message doesn't say.
  public let species: Species?
  /// UTF-8 bytes of the message that are about this animal or about all, ascending.
  public let ranges: [Range<Int>]

  /// The message with what is about others made blank, at the same length in bytes, so that places in it are places in the
  /// message.
  func text(of message: String) -> String {
    var bytes = Array(message.utf8)
    var index = 0
    for range in ranges + [bytes.count..<bytes.count] {
      while index < range.lowerBound {
        if bytes[index] != 0x0A { bytes[index] = 0x20 }
        index += 1
      }
      index = max(index, range.upperBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Parts a message that names several animals to be seen by animal.
///
/// A part begins with a clause whose subject is an animal of the writer's: a name ("Milo is", "Dora not at all", "Rex:"), or a
/// kind with "my", "our" or "the" ("the cat has"). It goes on to the next such clause; what stands before the first, and
/// sentences about both, belong to all. "One of the dogs is fine, the other one has collapsed" names two. Animals that are not the writer's or only compared with ("my other dog", "next door's
/// cat") begin no part: nobody asks for them to be seen, and their signs stay somebody else's.
struct AnimalSplitter {
  let reader: IntakeReader

  /// The animals in the order in which they come up; none unless there are two at least.
  ///
  /// - Complexity: O(words).
  func animals(in text: String) -> [MessageAnimal] {
    let words = reader.words(in: text)
    let bytes = Array(text.utf8)
    let clauses = self.clauses(words, bytes)
    let names = self.names(words, bytes)
    var subjects: [(word: Int, subject: Subject)] = []
    for start in clauses {
      guard let subject = subject(at: start, words, bytes, names) else { continue }
      subjects.append((start, subject))
    }
    subjects = Self.paired(subjects)
    let distinct = Self.distinct(subjects.map(\.subject))
    guard distinct.count > 1 else { return [] }
    return distinct.map { animal in
      var ranges: [Range<Int>] = []
      let first = words[subjects[0].word].range.lowerBound
      if first > 0 { ranges.append(0..<first) }
      for (place, item) in subjects.enumerated() {
        let start = words[item.word].range.lowerBound
        let end = place + 1 < subjects.count ? words[subjects[place + 1].word].range.lowerBound : bytes.count
        let shared = sharedStart(from: item.word, before: end, words) ?? end
        // "The other one" is left out of its own text, where it would say that what follows is somebody else's.
        let own = item.subject.isPartner ? words[item.word + item.subject.length].range.lowerBound : start
        if animal.isSame(as: item.subject) { ranges.append(own..<max(own, shared)) }
        if shared < end { ranges.append(shared..<end) }
      }
      return MessageAnimal(label: animal.label, species: animal.species, ranges: ranges)
    }
  }

  // MARK: - Subjects

  private struct Subject {
    var name: String?
    var species: Species?
    var label: String
    /// "One of them" and "the other one".
    var isPartner = false
    /// Words of a partner up to its verb, from the beginning of the clause.
    var length = 0

    /// Two mentions of one animal: by the same name, or by a kind where one of them has no name.
    func isSame(as other: Subject) -> Bool {
      if let name, let theirs = other.name { return name == theirs }
      return species != nil && species == other.species
    }
  }

  /// Each animal once, a name and a kind that belong together joined.
  private static func distinct(_ subjects: [Subject]) -> [Subject] {
    var result: [Subject] = []
    for subject in subjects {
      if let place = result.firstIndex(where: { $0.isSame(as: subject) }) {
        if result[place].name == nil, subject.name != nil { result[place].label = subject.label }
        result[place].name = result[place].name ?? subject.name
        result[place].species = result[place].species ?? subject.species
      } else {
        result.append(subject)
      }
    }
    return result
  }

  /// Without "the other one" where nobody spoke of "one of them": then it is an animal that is only told of.
  private static func paired(_ subjects: [(word: Int, subject: Subject)]) -> [(word: Int, subject: Subject)] {
    let partners = subjects.filter(\.subject.isPartner)
    guard let one = partners.firstIndex(where: { $0.subject.name == onePartner }),
      let other = partners.lastIndex(where: { $0.subject.name == otherPartner }), one < other
    else { return subjects.filter { !$0.subject.isPartner } }
    let species = partners.lazy.compactMap(\.subject.species).first
    return subjects.map { item in
      var item = item
      if item.subject.isPartner { item.subject.species = item.subject.species ?? species }
      return item
    }
  }

  /// "One of my dogs", "one cat", "the other", "the other one", "the other dog".
  private func partner(from start: Int, at opened: Int, _ words: [IntakeWord], _ bytes: [UInt8]) -> Subject? {
    var index = opened
    if words[index].isOne(of: .determiner), index + 1 < words.count { index += 1 }
    let name: String
    switch bare(words[index], bytes) {
    case "one": name = Self.onePartner
    case "other": name = Self.otherPartner
    default: return nil
    }
    index += 1
    var species: Species?
    while index < words.count, words[index].phrase == words[opened].phrase {
      if let kind = Species(mention: words[index].text) {
        species = kind
      } else if !words[index].isOne(of: .partner) {
        break
      }
      index += 1
    }
    guard index < words.count, words[index].sentence == words[opened].sentence,
      isVerb(index, after: index - 1, words, bytes) || Self.isDoing(words[index].text)
    else { return nil }
    let label = species.map { "\(name) (\($0.rawValue))" } ?? name
    return Subject(name: name, species: species, label: label, isPartner: true, length: index - start)
  }

  /// "Fitting", "collapsed".
  private static func isDoing(_ word: String) -> Bool { word.hasSuffix("ing") || word.hasSuffix("ed") }

  private static let onePartner = "one"
  private static let otherPartner = "the other"

  /// Words that begin a clause: the first of a sentence or phrase, and those behind a joining word.
  private func clauses(_ words: [IntakeWord], _ bytes: [UInt8]) -> [Int] {
    words.indices.filter { index in
      guard index > 0 else { return true }
      let before = words[index - 1]
      return before.phrase != words[index].phrase || before.isOne(of: .joining) || before.isOne(of: .contrast)
    }
  }

  private func subject(at start: Int, _ words: [IntakeWord], _ bytes: [UInt8], _ names: [String: Species?]) -> Subject?
  {
    var index = start
    while index < words.count, words[index].isOne(of: .sentenceopener) { index += 1 }
    guard index < words.count else { return nil }
    if let partner = partner(from: start, at: index, words, bytes) { return partner }
    if words[index].isOne(of: .determiner), index + 1 < words.count,
      let species = Species(mention: words[index + 1].text)
    {
      var next = index + 2
      var name: String?
      if next < words.count, words[next].isName, words[next].phrase == words[index].phrase {
        name = bare(words[next], bytes)
        next += 1
      }
      guard isVerb(next, after: next - 1, words, bytes) else { return nil }
      let label = name == nil ? "the \(words[index + 1].text)" : original(words[next - 1], bytes)
      return Subject(name: name, species: species, label: label)
    }
    let name = bare(words[index], bytes)
    guard let species = names[name], isCapital(words[index], bytes), isVerb(index + 1, after: index, words, bytes)
    else {
      return nil
    }
    return Subject(name: name, species: species, label: original(words[index], bytes))
  }

  /// Whether the subject that ends at `last` does or is something at `index`: a verb, a colon, "Bella's been".
  private func isVerb(_ index: Int, after last: Int, _ words: [IntakeWord], _ bytes: [UInt8]) -> Bool {
    if hasPossessiveEnding(words[last], bytes) {
      return index < words.count && words[index].isOne(of: .participle)
    }
    let end = words[last].range.upperBound
    let beginsSentence = last == 0 || words[last - 1].sentence != words[last].sentence
    if beginsSentence, end < bytes.count, bytes[end] == UInt8(ascii: ":") { return true }
    guard index < words.count, words[index].phrase == words[last].phrase else { return false }
    return words[index].isOne(of: .animalverb)
  }

  /// Names of animals: what is written as a name within a sentence, or is told to be one ("the cat Milo", "Milo:"), with the
  /// kind where it is told.
  private func names(_ words: [IntakeWord], _ bytes: [UInt8]) -> [String: Species?] {
    var found: [String: Species?] = [:]
    var isConfirmed = false
    for (index, word) in words.enumerated() where isCapital(word, bytes) {
      let name = bare(word, bytes)
      guard !reader.lexicon.knows(name), name.utf8.count > 1, Species(mention: name) == nil, !isNoName(name)
      else { continue }
      if index > 0, words[index - 1].isOne(of: .title) { continue }
      // "We've" is none.
      if word.text.utf8.count != word.range.count, !hasPossessiveEnding(word, bytes) { continue }
      let before =
        index > 0 && words[index - 1].phrase == word.phrase ? Species(mention: words[index - 1].text) : nil
      // "Milo the cat", "Milo (cat)".
      var after: Species?
      for ahead in 1...2 where index + ahead < words.count && words[index + ahead].sentence == word.sentence {
        let next = words[index + ahead].text
        if ahead == 1 || words[index + 1].text == "the" || words[index + 1].text == "our" {
          after = after ?? Species(mention: next)
        }
      }
      if before ?? after != nil || word.isName { isConfirmed = true }
      if let species = before ?? after {
        found[name] = .some(species)
      } else if found[name] == nil {
        found[name] = .some(nil)
      }
    }
    // At the beginning of a sentence every word has a capital: one name at least has to be one elsewhere.
    return isConfirmed ? found : [:]
  }

  /// Where a sentence about all begins: "Both are eating", "They share a bowl".
  private func sharedStart(from first: Int, before end: Int, _ words: [IntakeWord]) -> Int? {
    let own = words[first].sentence
    for index in (first + 1)..<max(first + 1, words.count) where words[index].range.lowerBound < end {
      let isStart = words[index].sentence != words[index - 1].sentence && words[index].sentence != own
      if isStart, words[index].isOne(of: .together) { return words[index].range.lowerBound }
    }
    return nil
  }

  // MARK: - Words

  /// What is written with a capital and is no animal's name: a title, a day, a month, a person.
  private func isNoName(_ word: String) -> Bool {
    let closed = reader.wordClasses.closed(of: word)
    return closed.contains(.noname) || closed.contains(.title) || closed.contains(.weekday) || closed.contains(.month)
  }

  private func original(_ word: IntakeWord, _ bytes: [UInt8]) -> String {
    let end = hasPossessiveEnding(word, bytes) ? word.range.upperBound - 2 : word.range.upperBound
    return String(decoding: bytes[word.range.lowerBound..<max(word.range.lowerBound, end)], as: UTF8.self)
  }

  /// The folded word without the ending of "Bella's".
  private func bare(_ word: IntakeWord, _ bytes: [UInt8]) -> String {
    hasPossessiveEnding(word, bytes) ? String(word.text.dropLast()) : word.text
  }

  private func isCapital(_ word: IntakeWord, _ bytes: [UInt8]) -> Bool {
    (0x41...0x5A).contains(bytes[word.range.lowerBound])
  }

  private func hasPossessiveEnding(_ word: IntakeWord, _ bytes: [UInt8]) -> Bool {
    WordForm.endsInPossessive(bytes[word.range])
  }
}
