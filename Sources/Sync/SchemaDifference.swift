/// What two files of one practice say to a person when they are kept by programs of different versions.
///
/// Operations are taken from both sides all the same: kinds, fields and contents that a program doesn't know are kept in its log as they
/// came and passed on, and its records follow them once it is updated.
public enum SchemaDifference {
  /// A file as it is called in the sentence, and the name of the last migration that it has.
  public struct Side: Hashable, Sendable {
    /// `this file`, `the hub's file`
    public let name: String
    public let schema: String
    /// Where its program is: `here`, `at the hub`.
    public let place: String

    public init(_ name: String, schema: String, place: String) {
      self.name = name
      self.schema = schema
      self.place = place
    }
  }

  /// The number of a schema by the name of its last migration, `m0036_browser_keys`; nil for what is no such name.
  public static func number(_ schema: String) -> Int? {
    schema.prefixMatch(of: /m(\d{4,6})_/).flatMap { Int($0.1) }
  }

  /// One sentence that says which version each file has, and what to do; nil where both are the same, or one says nothing that can be
  /// compared.
  public static func notice(_ one: Side, _ other: Side) -> String? {
    guard let first = number(one.schema), let second = number(other.schema), first != second else { return nil }
    let (older, newer) = first < second ? (one, other) : (other, one)
    return
      "\(older.name) has schema \(min(first, second)) and \(newer.name) \(max(first, second)): what vetnet doesn't know yet \(older.place) is kept there and passed on, and stands in the records once vetnet is updated \(older.place)"
  }

  /// Of a device and its hub, in the words of whoever sits at the device.
  public static func notice(_ own: ReplicaHello, _ hub: HubHello) -> String? {
    notice(
      Side("this file", schema: own.schema, place: "here"),
      Side("the hub's file", schema: hub.schema, place: "at the hub"))
  }

  /// The same in the words of whoever sits at the hub.
  public static func notice(_ hub: HubHello, ofDevice name: String, _ device: ReplicaHello) -> String? {
    notice(
      Side("this file", schema: hub.schema, place: "here"),
      Side("that of device '\(name)'", schema: device.schema, place: "on the device"))
  }
}
