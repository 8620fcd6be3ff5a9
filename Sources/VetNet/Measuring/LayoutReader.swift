public import Clinical
import Interchange

/// Mappings proposed for exports of other programs without a practice: for measuring them on layouts whose columns are labelled.
public struct LayoutReader {
  private let models: ModelDirectory
  private let vocabulary: ImportVocabulary
  /// Of the program and of the tables that the proposals rest on.
  public let versions: [String: String]

  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(models: ModelDirectory) throws {
    self.models = models
    vocabulary = try models.importVocabulary()
    versions = ["vetnet": VetNetVersion.current]
  }

  /// What is proposed where nobody is asked.
  ///
  /// - Parameters:
  ///   - paths: files and folders of one export.
  ///   - today: the day on which it is looked at.
  /// - Returns: the mapping, its first rows and its doubts.
  /// - Throws: ``PracticeError`` for a path that can't be read, and where no table can be made out.
  public func guess(_ paths: [String], today: CalendarDate) throws -> MappingGuess {
    try MappingGuess(paths, models: models, zone: .utc, usualOrder: nil, today: today, answers: [:])
  }

  /// The field that an import without a mapping reads a column into, told the kind of its table; nil for none.
  public func field(ofHeading heading: String, kind: String) -> String? {
    guard let kind = MappedKind(rawValue: kind) else { return nil }
    return vocabulary.field(ofHeading: heading, in: kind.importKind)
  }
}
