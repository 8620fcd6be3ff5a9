import Clinical

/// Sentences made for a cue: what it says of a target that stands where its row looks.
struct CueCarriers {
  struct Carrier: Hashable {
    let text: String
    /// UTF-8 bytes.
    let target: Range<Int>
  }

  /// A word or two for each class that a cue may name.
  private let samples: [String: [String]]
  private static let signs = [
    "num": "3", "year": "2021", "any": "big", "minus": "-", "plus": "+", "dash": "-", "hyphen": "-", "query": "?",
    "question": "?", "start": "", "end": "", "line": "",
  ]
  /// What a sentence is about where its row names no class.
  private static let plain = ["vomiting", "otitis"]
  private static let ofClass = [
    "drug": "metacam", "procedure": "ultrasound", "event": "dental", "vaccine": "lepto", "disease": "hepatitis",
    "pathogen": "lepto", "lasting": "diabetes", "assay": "pcr", "contagion": "strangles",
  ]

  init(classes: DataTable) {
    var samples: [String: [String]] = [:]
    for row in classes.rows {
      let words = row.list("words").filter { !$0.hasPrefix("*") }
      samples[row["class"], default: []] += [words.first, words.dropFirst(words.count / 2).first].compactMap { $0 }
    }
    self.samples = samples
  }

  /// Sentences in which the cue stands before its target, behind it, or both, as the row's direction asks.
  ///
  /// - Parameters:
  ///   - cue: as the table writes it.
  ///   - direction: of its row.
  ///   - about: the classes that the row is about.
  /// - Returns: a sentence or two for each class that it is about.
  func carriers(of cue: String, direction: String, about: String) -> [Carrier] {
    let named = about.split(separator: " ").filter { !$0.hasPrefix("!") }
    let targets = named.isEmpty ? Self.plain : named.compactMap { Self.ofClass[String($0)] }
    var result: [Carrier] = []
    for (index, target) in targets.enumerated() {
      let words = instance(of: cue, taking: index)
      let ends = cue.hasSuffix("<end>") ? "." : ""
      let starts = cue.hasPrefix("<line>") ? "\n" : cue.hasPrefix("<start>") ? ", " : " "
      func add(_ before: String, _ after: String) {
        let start = before.utf8.count
        result.append(Carrier(text: before + target + after, target: start..<(start + target.utf8.count)))
      }
      switch direction {
      case "heading": add("\(words): ", " and pain")
      case "pre": add("seen today\(starts == " " ? ", " : starts)\(words)\(ends) ", ".")
      case "post": add("has ", "\(starts)\(words)\(ends)")
      default:
        add("seen today\(starts == " " ? ", " : starts)\(words)\(ends) ", ".")
        add("has ", "\(starts)\(words)\(ends)")
      }
    }
    return result
  }

  private func instance(of cue: String, taking index: Int) -> String {
    cue.split(separator: " ").compactMap { part -> String? in
      guard part.hasPrefix("<"), part.hasSuffix(">"), part.count > 2 else { return String(part) }
      let name = String(part.dropFirst().prefix { $0 != ">" && $0 != "?" })
      if let sign = Self.signs[name] { return sign.isEmpty ? nil : sign }
      guard let words = samples[name], !words.isEmpty else { return nil }
      return words[index % words.count]
    }.joined(separator: " ")
  }
}
