public import Clinical

/// A letter as it was read, with what its own words propose: nothing is filed by it.
public struct LetterReading: Codable, Sendable {
  /// Something that the letter says, with the line that says it.
  public struct Proposal<Value: Codable & Sendable>: Codable, Sendable {
    public let value: Value
    public let words: String
  }

  /// A patient whom it may be about.
  public struct Candidate: Codable, Sendable {
    public let id: String
    public let name: String
    public let species: String
    public let owner: String?
    /// 0...1; never so sure that a letter is filed unasked.
    public let certainty: Double
    /// Codes of what speaks for it.
    public let evidence: [String]
    /// The letter's words that do.
    public let words: [String]

    /// `Bella (P001), dog, Marsh: name, owner in "Re: Bella Marsh"`
    public var line: String {
      let owner = owner.map { ", \($0)" } ?? ""
      let quotes = words.isEmpty ? "" : " in \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
      return "\(name) (\(id)), \(species)\(owner): \(evidence.joined(separator: ", "))\(quotes)"
    }
  }

  public let file: String
  /// docx, pdf, rtf, eml or text.
  public let format: String
  public let subject: String?
  /// The names of what a message has attached, which is not read.
  public let attachments: [String]
  /// The likeliest first; namesakes beside each other.
  public let candidates: [Candidate]
  /// `2026-11-23`
  public let date: Proposal<String>?
  /// Whether it names a day that could be two: which number is the month isn't known.
  public let isDayAmbiguous: Bool
  public let author: Proposal<String>?
  /// As it goes into the inbox.
  public var item: IncomingItem

  private enum CodingKeys: String, CodingKey {
    case file, format, subject, attachments, candidates, date, author, item
    case isDayAmbiguous = "ambiguous_date"
  }

  /// Whether one patient stands out so far that asking "this one?" is enough.
  public var standsOut: Bool { item.reason == .unsurePatient }

  private var noDate: String {
    isDayAmbiguous
      ? "which number is the month isn't known (vetnet config set date-order dmy or mdy, or give --date)"
      : "it says none"
  }

  /// For people: what was read, and what speaks for it.
  public var lines: [String] {
    var lines = ["\(file): \(format)\(subject.map { ", \"\($0)\"" } ?? "")"]
    if candidates.isEmpty { lines.append("  patient: \(item.reason.words)") }
    for (index, candidate) in candidates.enumerated() { lines.append("  \(index + 1). \(candidate.line)") }
    lines.append("  date: \(date.map { "\($0.value) from \"\($0.words)\"" } ?? noDate)")
    lines.append("  author: \(author.map { "\($0.value) from \"\($0.words)\"" } ?? "it says none")")
    if !attachments.isEmpty { lines.append("  attached, not read: \(attachments.joined(separator: ", "))") }
    return lines
  }
}

/// A letter that could not be read.
public struct UnreadLetter: Codable, Sendable {
  public let file: String
  public let reason: String
}

/// What became of the files that were given as letters.
public struct LetterReadings: Codable, Sendable {
  public let letters: [LetterReading]
  public let unread: [UnreadLetter]
}
