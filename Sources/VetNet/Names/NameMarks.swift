/// Which code points of a text belong to names.
struct NameMarks {
  private var kinds: [RemovedName.Kind?]
  private let scalars: [UnicodeScalar]

  init(_ text: String, _ words: [NameWords.Word]) {
    scalars = Array(text.unicodeScalars)
    kinds = [RemovedName.Kind?](repeating: nil, count: scalars.count)
  }

  mutating func add(_ range: Range<Int>, _ kind: RemovedName.Kind) {
    for place in range where kinds[place] == nil { kinds[place] = kind }
  }

  /// A word; the ending of a possessive stays.
  mutating func add(_ word: NameWords.Word, _ kind: RemovedName.Kind) {
    add(word.range.lowerBound..<(word.range.lowerBound + word.bareLength), kind)
  }

  func has(_ word: NameWords.Word) -> Bool { kind(of: word) != nil }

  func kind(of word: NameWords.Word) -> RemovedName.Kind? { kinds[word.range.lowerBound] }

  /// The names in order; parts of one name with nothing but spaces or a full stop between them are one.
  var spans: [(range: Range<Int>, kind: RemovedName.Kind)] {
    var spans: [(range: Range<Int>, kind: RemovedName.Kind)] = []
    var place = 0
    while place < kinds.count {
      guard let kind = kinds[place] else {
        place += 1
        continue
      }
      var end = place + 1
      while end < kinds.count, kinds[end] == kind { end += 1 }
      if let last = spans.last, last.kind == kind, isGap(last.range.upperBound..<place) {
        spans[spans.count - 1].range = last.range.lowerBound..<end
      } else {
        spans.append((place..<end, kind))
      }
      place = end
    }
    return spans
  }

  /// Whether two parts of a name have nothing of their own between them; in "St Brendan's Hospital" a possessive's ending.
  private func isGap(_ range: Range<Int>) -> Bool {
    let gap = String(String.UnicodeScalarView(scalars[range]))
    if ["'s ", "’s ", "' ", "’ ", "."].contains(gap) { return true }
    return range.count <= 2 && gap.contains(" ") && gap.allSatisfy { " .,".contains($0) }
  }
}

extension NameWords.Word {
  /// Code points without a possessive's ending.
  var bareLength: Int { range.count - (small.unicodeScalars.count - bare.unicodeScalars.count) }
}

/// What is known by how it is typed: addresses of mail and pages, telephone numbers, postcodes, numbers of chips and cards.
enum TypedNames {
  static func mark(_ text: String, _ marks: inout NameMarks) {
    func add(_ ranges: [Range<String.Index>], _ kind: RemovedName.Kind) {
      let scalars = text.unicodeScalars
      for range in ranges {
        let start = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
        marks.add(start..<(start + scalars.distance(from: range.lowerBound, to: range.upperBound)), kind)
      }
    }
    add(text.ranges(of: /[\w.+\-]+@[\w\-]+(\.[\w\-]+)*/), .contact)
    add(text.ranges(of: /(https?:\/\/|www\.)[^\s,;]+/), .contact)
    // The social networks' way of naming somebody.
    add(
      text.matches(of: /(^|[\s(])(@[A-Za-z][\w.]{2,})/).map { $0.output.2 }.map { $0.startIndex..<$0.endIndex },
      .contact)
    add(text.ranges(of: /\b[A-Za-z]{1,2}\d[A-Za-z\d]?\s+\d[A-Za-z]{2}\b/), .place)
    add(text.ranges(of: /\b(?i:hwy|highway|route|rte|interstate)\.?\s\d{1,4}\b/), .place)
    add(text.ranges(of: /\(?\b\d{3}\)?[.\- ]{1,2}\d{3}[.\-]\d{4}\b/), .contact)
    add(numbers(in: text), .contact)
  }

  /// Nine digits and more, and five behind a word for a telephone; dates and doses have fewer.
  private static func numbers(in text: String) -> [Range<String.Index>] {
    let long = text.ranges(of: /(\+|\b|\()\d(?:[ \-.()\/]{0,2}\d){8,}/).filter { range in
      // Dates with their times, and lists of measurements.
      let words = text[range]
      return words.firstMatch(of: /\d{1,4}[\-\/.]\d{1,2}[\-\/.]\d{2,4}/) == nil && words.firstMatch(of: /\d\.\d/) == nil
    }
    let named = text.matches(
      of:
        /\b(?i:tel|telephone|phone|ph|mob|mobile|cell|landline|call|ring|text|fax)\b[.:]?\s*(?:no\.?|number|on|is|:|-)?\s*(\+?\d(?:[ \-]?\d){4,})/
    ).map { $0.output.1 }.map { $0.startIndex..<$0.endIndex }
    return long + named
  }
}
