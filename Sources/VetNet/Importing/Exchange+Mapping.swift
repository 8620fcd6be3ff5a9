import Clinical
import FoundationEssentials
import Interchange

extension Practice.Exchange {
  /// Looks at tables of another program and proposes a mapping; see ``GuessMapping``.
  ///
  /// - Throws: ``PracticeError`` for a path that can't be read, and where no table can be made out.
  func guessMapping(_ paths: [String], answers: [String: String], now: Timestamp) throws -> MappingGuess {
    try MappingGuess(
      paths, models: models, zone: timeZone, usualOrder: practice.settings.dateOrder, today: timeZone.date(of: now),
      answers: answers)
  }

  /// Reads a mapping file.
  ///
  /// - Throws: ``PracticeError`` where it can't be read, or says something that isn't known, with line and column.
  func importMapping(_ path: String) throws -> ImportMapping {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw PracticeError(
        .failed, "\(path): the mapping can't be read", hint: "vetnet import --guess --map FILE PATH… writes one.")
    }
    guard data.count <= Self.longestMapping, let text = String(validating: data, as: UTF8.self) else {
      throw PracticeError(.failed, "\(path): no mapping: it is longer than 1 MB, or not UTF-8")
    }
    do throws(MappingError) {
      return try ImportMapping(text)
    } catch {
      throw PracticeError(.failed, "\(path):\(error.description)")
    }
  }

  /// In bytes.
  private static var longestMapping: Int { 1 << 20 }
}
