/// A piece of a job that one worker does by itself.
public struct Shard: Codable, Hashable, Sendable {
  /// What it is called in messages: a practice by its file's name, or a suite.
  public let name: String
  /// The practice file; nil for a piece that needs none.
  public var practice: String?
  /// Notes behind this row, for a portion of a practice.
  public var after: Int64?
  /// Up to and with this row.
  public var through: Int64?
  /// Words of a command line, for a suite.
  public var words: [String]?

  public init(name: String, practice: String? = nil) {
    self.name = name
    self.practice = practice
  }

  /// A whole practice file, called by its name without folder and ending.
  public init(practice path: String) {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    self.init(name: file.hasSuffix(".vetnet") ? String(file.dropLast(7)) : file, practice: path)
  }
}
