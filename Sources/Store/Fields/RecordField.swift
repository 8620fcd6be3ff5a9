import Clinical

/// A field of a kind of record under its name in the import format: how to read it and how to set it.
struct RecordField<Record: Sendable>: Sendable {
  let name: String
  /// Whether a record has to have it, so that nothing can clear it.
  let isRequired: Bool
  let read: @Sendable (Record) -> FieldContent
  /// False for content of another type.
  let write: @Sendable (inout Record, FieldContent) -> Bool

  init(
    _ name: String, isRequired: Bool = false, read: @escaping @Sendable (Record) -> FieldContent,
    write: @escaping @Sendable (inout Record, FieldContent) -> Bool
  ) {
    self.name = name
    self.isRequired = isRequired
    self.read = read
    self.write = write
  }

  typealias Path<Value> = any WritableKeyPath<Record, Value> & Sendable

  static func text(_ name: String, _ path: Path<String>) -> Self {
    Self(name, isRequired: true, read: { .text($0[keyPath: path]) }) { record, content in
      guard let text = content.text else { return false }
      record[keyPath: path] = text
      return true
    }
  }

  static func text(_ name: String, _ path: Path<String?>) -> Self {
    optional(name, path, read: { .text($0) }, write: \.text)
  }

  static func number(_ name: String, _ path: Path<Double?>) -> Self {
    optional(name, path, read: { .number($0) }, write: \.number)
  }

  static func integer(_ name: String, _ path: Path<Int>, isRequired: Bool = false, default other: Int = 0) -> Self {
    Self(name, isRequired: isRequired, read: { .number(Double($0[keyPath: path])) }) { record, content in
      guard let value = content == .none ? other : content.integer else { return false }
      record[keyPath: path] = value
      return true
    }
  }

  static func day(_ name: String, _ path: Path<CalendarDate?>) -> Self {
    optional(name, path, read: { .text($0.description) }, write: { $0.text.flatMap { CalendarDate(iso: $0) } })
  }

  /// Seconds since 1970.
  static func moment(_ name: String, _ path: Path<Timestamp>) -> Self {
    Self(name, isRequired: true, read: { .number(Double($0[keyPath: path].seconds)) }) { record, content in
      guard let seconds = content.integer else { return false }
      record[keyPath: path] = Timestamp(seconds: Int64(seconds))
      return true
    }
  }

  /// Seconds since 1970.
  static func moment(_ name: String, _ path: Path<Timestamp?>) -> Self {
    optional(
      name, path, read: { .number(Double($0.seconds)) },
      write: { $0.integer.map { Timestamp(seconds: Int64($0)) } })
  }

  static func word<Word: RawRepresentable<String> & SendableMetatype>(_ name: String, _ path: Path<Word>) -> Self {
    Self(name, isRequired: true, read: { .text($0[keyPath: path].rawValue) }) { record, content in
      guard let word = content.text.flatMap(Word.init(rawValue:)) else { return false }
      record[keyPath: path] = word
      return true
    }
  }

  static func word<Word: RawRepresentable<String> & SendableMetatype>(_ name: String, _ path: Path<Word?>) -> Self {
    optional(name, path, read: { .text($0.rawValue) }, write: { $0.text.flatMap(Word.init(rawValue:)) })
  }

  /// Unknown is no content.
  static func sex(_ name: String, _ path: Path<Sex>) -> Self {
    Self(
      name,
      read: { $0[keyPath: path] == .unknown ? .none : .text($0[keyPath: path].rawValue) },
      write: { record, content in
        guard let sex = content == .none ? .unknown : content.text.flatMap(Sex.init(rawValue:)) else { return false }
        record[keyPath: path] = sex
        return true
      })
  }

  static func list<Item>(
    _ name: String, _ path: Path<[Item]>, read: @escaping @Sendable (Item) -> FieldContent,
    write: @escaping @Sendable (FieldContent) -> Item?
  ) -> Self {
    Self(name, read: { .list($0[keyPath: path].map(read)) }) { record, content in
      if content == .none {
        record[keyPath: path] = []
        return true
      }
      guard case .list(let contents) = content else { return false }
      let items = contents.compactMap(write)
      record[keyPath: path] = items
      return items.count == contents.count
    }
  }

  private static func optional<Value>(
    _ name: String, _ path: Path<Value?>, read: @escaping @Sendable (Value) -> FieldContent,
    write: @escaping @Sendable (FieldContent) -> Value?
  ) -> Self {
    Self(name, read: { $0[keyPath: path].map(read) ?? .none }) { record, content in
      let value = write(content)
      guard value != nil || content == .none else { return false }
      record[keyPath: path] = value
      return true
    }
  }
}

/// A kind of record that imports make and change, field by field.
public protocol ImportedRecord: Hashable, Sendable {
  var id: String { get set }
}

extension ImportedRecord {
  /// The record with what the store knows of its kind. All eight kinds of ``RecordTable`` have that (`ImportRecord.value` gives no
  /// other), which the compiler can't see.
  var withFields: any StoredFields {
    guard let known = self as? any StoredFields else { preconditionFailure("\(Self.self) is no kind of record") }
    return known
  }
}

/// What only the store knows of a kind of record.
protocol StoredFields: ImportedRecord {
  static var table: RecordTable { get }
  static var fields: [RecordField<Self>] { get }
  /// The record as it lies in the file, with ids of others as they are shown; nil for no such row.
  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self?
  /// Writes the whole record under its id of the source.
  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted
}

extension StoredFields {
  static func field(_ name: String) -> RecordField<Self>? { fields.first { $0.name == name } }

  var contents: [String: FieldContent] {
    Dictionary(uniqueKeysWithValues: Self.fields.map { ($0.name, $0.read(self)) })
  }
}
