package import Clinical

/// How a piece of a note becomes a sentence of an answer.
package enum Passage {
  /// The part of a unit to cite: all of a sentence, but of a table or list only the lines that hold the words.
  static func lines(of unit: EvidenceUnit, around ranges: [Range<Int>]) -> Range<Int> {
    let text = Array(
      unit.note.text.utf8[
        unit.note.text.utf8.index(
          unit.note.text.utf8.startIndex, offsetBy: unit.range.lowerBound)..<unit.note.text.utf8.index(
            unit.note.text.utf8.startIndex, offsetBy: unit.range.upperBound)])
    guard text.contains(UInt8(ascii: "\n")) else { return unit.range }
    var lower = unit.range.upperBound
    var upper = unit.range.lowerBound
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let line = (unit.range.lowerBound + start)..<(unit.range.lowerBound + end)
      if ranges.contains(where: { line.overlaps($0) }) {
        lower = min(lower, line.lowerBound)
        upper = max(upper, line.upperBound)
      }
      start = end + 1
    }
    return lower < upper ? trimmed(lower..<upper, in: unit) : unit.range
  }

  private static func trimmed(_ range: Range<Int>, in unit: EvidenceUnit) -> Range<Int> {
    guard let slice = unit.note.text.slice(utf8: range) else { return unit.range }
    let bytes = Array(slice.utf8)
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let leading = bytes.prefix(while: isSpace).count
    let trailing = bytes.reversed().prefix(while: isSpace).count
    return leading + trailing < bytes.count
      ? (range.lowerBound + leading)..<(range.upperBound - trailing) : unit.range
  }

  /// `2024-05-09 (S02): Face swollen after the tablets.`, with the patient before it when several are talked about.
  package static func sentence(_ citation: Citation, in zone: PracticeTimeZone, patient: Patient?) -> String {
    let words = citation.quote.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let bullets: Set<Character> = ["-", "*", "•", "–"]
    let plain = words.first.map(bullets.contains) == true ? words.dropFirst().trimmingSpaces() : words
    let author = citation.author.map { " (\($0))" } ?? ""
    // By the owner's name rather than an id: a sentence holds no number that its quote doesn't.
    let who = patient.map { patient in "\(patient.name)\(patient.ownerName.map { " (\($0))" } ?? ""), " } ?? ""
    let end: Set<Character> = [".", "!", "?", ":", ";"]
    let stop = plain.last.map(end.contains) == true ? "" : "."
    let doubt = citation.isOfOtherPatient ? " [The note says that it belongs to another patient.]" : ""
    return "\(who)\(zone.date(of: citation.recordedAt))\(author): \(plain)\(stop)\(doubt)"
  }
}
