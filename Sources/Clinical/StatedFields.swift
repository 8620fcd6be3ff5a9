/// Which fields a row of a file speaks of, by the import format's names. A field that is neither given nor empty is one
/// the row says nothing about.
public struct StatedFields: Hashable, Sendable {
  /// With a value that was understood; `id` among them where the row has one of its own.
  public var given: Set<String>
  /// There, and empty: a cell without text, a JSON null.
  public var empty: Set<String>
  /// That the source said before, and takes back.
  public var withdrawn: Set<String> = []

  public init(given: Set<String> = [], empty: Set<String> = []) {
    self.given = given
    self.empty = empty
  }

  /// A telephone number in a column of its own is a field of its own: `phone:Mobile`.
  public static func phone(labelled label: String?) -> String { "phone:\(label ?? "")" }

  /// The labels of the telephone columns among the fields; "" for the one without.
  public static func phoneLabels(in fields: Set<String>) -> [String] {
    fields.filter { $0.hasPrefix("phone:") }.map { String($0.dropFirst("phone:".count)) }.sorted()
  }
}
