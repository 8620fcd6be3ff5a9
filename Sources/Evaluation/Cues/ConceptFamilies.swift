/// Finds forms of a row that one can stand for: variants, families with a class, products of two classes, both orders, other rows.
struct ConceptFamilies {
  private(set) var vocabulary: ConceptVocabulary

  /// Of an open row so many of its words have to be meant before it stands for all of them.
  private static let leastShare = 0.2
  /// A product of two rows, and a row within a row, saves at least two forms.
  private static let leastProduct = 3

  init(_ rows: [ConceptRow]) { vocabulary = ConceptVocabulary(rows) }

  /// Forms that another form of their row is found in, one change each.
  func covered(_ row: ConceptRow, _ place: Int) -> [ConceptEdit] {
    if row.isMask { return [] }
    let split = row.forms.map(Self.split)
    var gone: Set<Int> = []
    // The longest first; of two that cover each other the first stays.
    for form in split.indices.sorted(by: { (split[$1].count, $1) < (split[$0].count, $0) })
    where split.indices.contains(where: {
      $0 != form && !gone.contains($0) && vocabulary.covers(split[$0], split[form])
    }) { gone.insert(form) }
    return gone.sorted().map { ConceptEdit(row: place, removes: [row.forms[$0]], add: nil, reason: .covered) }
  }

  /// Forms that are one without the fillers between their words.
  func variants(_ row: ConceptRow, _ place: Int) -> [ConceptEdit] {
    if row.isMask { return [] }
    let groups = Dictionary(grouping: row.forms) { vocabulary.withoutFillers(Self.split($0)).joined(separator: " ") }
    return groups.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map {
      ConceptEdit(row: place, removes: $0.value, add: $0.key, reason: .merged)
    }
  }

  /// Forms that differ in one word of a class, or of an open row of which enough words are meant.
  mutating func families(_ row: ConceptRow, _ place: Int) -> [ConceptEdit] {
    var members: [String: [String: [String: String]]] = [:]
    for form in row.forms {
      let words = Self.split(form)
      for hole in words.indices where words.count > 1 && !words[hole].hasPrefix("@") {
        for name in vocabulary.rows(with: words[hole]) {
          var frame = words
          frame[hole] = "@" + name
          members[frame.joined(separator: " "), default: [:]][name, default: [:]][words[hole]] = form
        }
      }
    }
    let candidates = members.flatMap { frame, ofName in
      ofName.compactMap { name, forms -> Candidate? in
        let all = vocabulary.words[name]?.count ?? 0
        let isClosed = vocabulary.closed.contains(name)
        let least = isClosed ? 2 : max(2, Int((Self.leastShare * Double(all)).rounded(.up)))
        guard forms.count >= least, isClosed || !row.isMask, !vocabulary.reaches(name, row.id) else { return nil }
        return Candidate(form: frame, members: Set(forms.values), isClosed: isClosed, breadth: all)
      }
    }
    return disjoint(candidates, row, place)
  }

  /// Forms of two words that are a product of two rows, in one order or in both.
  mutating func products(_ row: ConceptRow, _ place: Int) -> [ConceptEdit] {
    if row.isMask { return [] }
    var members: [[String]: Set<[String]>] = [:]
    for words in row.forms.map(Self.split) where words.count == 2 && !words.contains(where: { $0.hasPrefix("@") }) {
      for first in vocabulary.rows(with: words[0]) {
        for second in vocabulary.rows(with: words[1]) where first != second {
          members[[first, second], default: []].insert(words)
        }
      }
    }
    var candidates: [Candidate] = []
    for (names, forms) in members {
      let reversed = (members[names.reversed()] ?? []).filter { names[0] < names[1] && !$0.isEmpty }
      let all = forms.union(reversed)
      let sides = [
        Set(forms.map { $0[0] } + reversed.map { $0[1] }), Set(forms.map { $0[1] } + reversed.map { $0[0] }),
      ]
      let isBroad = zip(sides, names).allSatisfy { side, name in
        let least = max(2, Int((Self.leastShare * Double(vocabulary.words[name]?.count ?? 0)).rounded(.up)))
        return side.count >= least && !vocabulary.reaches(name, row.id)
      }
      guard isBroad, all.count >= Self.leastProduct else { continue }
      candidates.append(
        Candidate(
          form: names.map { "@" + $0 }.joined(separator: reversed.isEmpty ? " " : " & "),
          members: Set(all.map { $0.joined(separator: " ") }), isClosed: false,
          breadth: names.reduce(0) { $0 + (vocabulary.words[$1]?.count ?? 0) }))
    }
    return disjoint(candidates, row, place)
  }

  /// Forms of two words that stand there in both orders.
  func orders(_ row: ConceptRow, _ place: Int) -> [ConceptEdit] {
    let all = Set(row.forms)
    return row.forms.compactMap { form in
      let words = Self.split(form)
      let turned = words.reversed().joined(separator: " ")
      guard words.count == 2, words[0] < words[1], all.contains(turned) else { return nil }
      return ConceptEdit(
        row: place, removes: [form, turned], add: words.joined(separator: " & "), reason: .merged)
    }
  }

  /// Forms that another row has too, which then stands in their place.
  mutating func inclusions(_ rows: [ConceptRow]) -> [ConceptEdit] {
    var edits: [ConceptEdit] = []
    let sets = rows.map { Set($0.forms) }
    for (place, row) in rows.enumerated() where !row.isFiller && !row.isMask && !row.isClass {
      var left = sets[place]
      let others = rows.indices.filter { $0 != place && !rows[$0].isFiller && !rows[$0].isMask && !rows[$0].isClass }
        .map { ($0, sets[$0].intersection(left).count) }
        .filter { $0.1 >= Self.leastProduct }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      for (other, _) in others {
        let shared = sets[other].intersection(left)
        let least = Int((Self.leastShare * Double(sets[other].count)).rounded(.up))
        guard shared.count >= max(Self.leastProduct, least), !vocabulary.reaches(rows[other].id, row.id) else {
          continue
        }
        left.subtract(shared)
        let form = "@" + rows[other].id
        vocabulary.note(row.id, names: form)
        edits.append(ConceptEdit(row: place, removes: shared.sorted(), add: form, reason: .merged))
      }
    }
    return edits
  }

  /// What several forms may become.
  private struct Candidate {
    let form: String
    let members: Set<String>
    let isClosed: Bool
    /// Words of the rows that it names: of two that stand for as many, the narrower is tried first.
    let breadth: Int
  }

  /// Candidates that share no form, those that stand for the most first.
  private mutating func disjoint(_ candidates: [Candidate], _ row: ConceptRow, _ place: Int) -> [ConceptEdit] {
    var taken: Set<String> = []
    let sorted = candidates.sorted {
      ($1.members.count, $0.isClosed ? 0 : 1, $0.breadth, $0.form)
        < ($0.members.count, $1.isClosed ? 0 : 1, $1.breadth, $1.form)
    }
    var edits: [ConceptEdit] = []
    for candidate in sorted where candidate.members.isDisjoint(with: taken) {
      let names = ConceptVocabulary.names(candidate.form)
      // Another change of this round may name this row already.
      guard !names.contains(where: { vocabulary.reaches($0, row.id) }) else { continue }
      vocabulary.note(row.id, names: candidate.form)
      taken.formUnion(candidate.members)
      edits.append(
        ConceptEdit(row: place, removes: candidate.members.sorted(), add: candidate.form, reason: .merged))
    }
    return edits
  }

  private static func split(_ form: String) -> [String] { form.split(separator: " ").map(String.init) }
}
