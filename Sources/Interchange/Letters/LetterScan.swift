public import Clinical

/// What a letter's own words say of its day and of who wrote it.
public struct LetterScan: Sendable {
  /// Something that a letter says, with the words that say so.
  public struct Found<Value: Sendable & Hashable>: Sendable, Hashable {
    public let value: Value
    /// The line of the letter, shortened.
    public let words: String

    init(_ value: Value, _ words: some StringProtocol) {
      self.value = value
      let line = words.trimmingSpaces()
      self.words = line.count <= 80 ? line : "\(line.prefix(79))…"
    }
  }

  public let date: Found<CalendarDate>?
  /// Whether no day was found because the order of day and month isn't known.
  public let isDayAmbiguous: Bool
  public let author: Found<String>?
  /// Lines that say whom the letter is about: "Re: Bella Marsh", and a message's subject.
  public let subjects: [String]

  /// - Parameters:
  ///   - letter: as it was read.
  ///   - words: what tells.
  ///   - order: which number of 03/04/2026 is the day; nil where the practice never said: then such a day counts for nothing.
  ///   - today: no letter is of a later day.
  public init(_ letter: LetterFile, words: LetterWords, order: DateOrder?, today: CalendarDate) {
    let all = letter.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // What is quoted below an answer is another letter.
    let end = all.firstIndex { Self.quotes($0, words) } ?? all.count
    let lines = all[..<end].filter { !$0.hasPrefix(">") }
    var subjects = letter.subject.map { [$0] } ?? []
    for line in lines where subjects.count < 6 && words.beginning(of: line, .about) != nil { subjects.append(line) }
    self.subjects = subjects
    let sent = letter.sentAt.flatMap { stamp in
      ISODateTime(stamp.date).map { Found($0.local.date, "Date: \(stamp.date)") }
    }
    let days = LetterDays(words: words, order: order, today: today)
    date = sent ?? days.day(of: lines)
    isDayAmbiguous = date == nil && days.hasAmbiguous(in: lines)
    author = Self.signer(of: lines, words) ?? letter.sender.flatMap(Self.displayName) ?? Self.labelled(lines, words)
  }

  private static func quotes(_ line: String, _ words: LetterWords) -> Bool {
    let bare = line.trimmingCharacters("-_* ")
    return words.has(bare, .quoted) || (line.hasPrefix("On ") && line.hasSuffix("wrote:"))
      || (line.hasPrefix("Am ") && line.hasSuffix("schrieb:"))
  }

  // MARK: Who signs

  private static func signer(of lines: [String], _ words: LetterWords) -> Found<String>? {
    for index in lines.indices.reversed() {
      guard let rest = closing(lines[index], words) else { continue }
      let below = lines[(index + 1)...].filter { !$0.trimmingSpaces().isEmpty }.prefix(4)
      let candidates = ([rest] + below).compactMap { line in name(in: line, words).map { ($0, line) } }
      // A first name above the whole name is the same person.
      let whole = candidates.first { $0.0.split(separator: " ").count > 1 }
      if let (name, line) = whole ?? candidates.first { return Found(name, line) }
    }
    return nil
  }

  /// What stands behind a closing on its line; nil for a line that is none.
  private static func closing(_ line: String, _ words: LetterWords) -> String? {
    let text = line.trimmingSpaces()
    guard text.count <= 60 else { return nil }
    if words.has(text, .closing) { return "" }
    guard let comma = text.firstIndex(where: { $0 == "," || $0 == "–" || $0 == "-" }),
      words.has(text[..<comma], .closing)
    else { return nil }
    return text[text.index(after: comma)...].trimmingSpaces()
  }

  /// The name that a line of a signature is, without what the person has earned.
  static func name(in line: String, _ words: LetterWords) -> String? {
    let plain = line.split(separator: "(").first.map(String.init) ?? ""
    guard !plain.contains("@"), !plain.contains(where: \.isNumber) else { return nil }
    var kept: [Substring] = []
    for word in plain.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," || $0 == "|" }) {
      if words.has(word, .qualification) { break }
      kept.append(word)
    }
    let particles: Set<Substring> = ["van", "von", "der", "den", "de", "la", "le", "du", "di", "med", "vet", "med."]
    guard (1...6).contains(kept.count),
      kept.allSatisfy({
        $0.first?.isUppercase == true || particles.contains(Substring($0.lowercased().filter { $0 != "." }))
      })
    else { return nil }
    let name = kept.joined(separator: " ")
    return name.count(where: \.isLetter) >= 2 && name.count <= 60 ? name : nil
  }

  /// `"Jo Low" <jo@example.org>`: Jo Low.
  private static func displayName(_ sender: String) -> Found<String>? {
    let name = (sender.firstIndex(of: "<").map { sender[..<$0] } ?? "").trimmingSpaces().trimmingCharacters("\"' ")
    return name.isEmpty ? nil : Found(name, "From: \(sender)")
  }

  /// "Clinician: Jo Low", or a line of the last that names somebody with what they have earned.
  private static func labelled(_ lines: [String], _ words: LetterWords) -> Found<String>? {
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), words.has(line[..<colon], .signer),
        let name = name(in: String(line[line.index(after: colon)...]), words)
      else { continue }
      return Found(name, line)
    }
    let last = lines.filter { !$0.trimmingSpaces().isEmpty }.suffix(8)
    for line in last.reversed() {
      let parts = line.split { $0 == " " || $0 == "," }
      let isEarned =
        parts.contains { words.has($0, .qualification) } || parts.first.map { LetterWords.folded($0) == "dr" } == true
      if isEarned, parts.count <= 10, let name = name(in: line, words), name.contains(" ") { return Found(name, line) }
    }
    return nil
  }
}

extension StringProtocol {
  func trimmingCharacters(_ these: String) -> String {
    var text = self[...]
    while let first = text.first, these.contains(first) { text = text.dropFirst() }
    while let last = text.last, these.contains(last) { text = text.dropLast() }
    return String(text)
  }
}
