/// A file to be imported, with what it holds and how.
public struct ImportSource: Hashable, Sendable {
  /// Where to open it; `-` is standard input.
  public let path: String
  /// For messages: the path as the caller wrote it, and the way on from there.
  public let name: String
  public let kind: ImportKind
  public let format: ImportFormat
  /// The id of a text without one: its path within the folder that was given.
  public let defaultID: String?
  /// How another program's table is read; nil for what says by itself what it is.
  public var mapping: MappedTable?

  public init(path: String, name: String? = nil, kind: ImportKind, format: ImportFormat, defaultID: String? = nil) {
    self.path = path
    self.name = name ?? path
    self.kind = kind
    self.format = format
    self.defaultID = defaultID
  }

  /// Standard input, which can't say by a name what it holds.
  public static func standardInput(_ kind: ImportKind, format: ImportFormat = .jsonLines) -> ImportSource {
    ImportSource(path: "-", name: "-", kind: kind, format: format)
  }
}
