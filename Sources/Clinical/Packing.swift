/// A value that is worked out of tables once, can be laid out as bytes, and is read back without working it out again.
///
/// Bytes are read by the program that wrote them (see `CompiledModels`): a layout has no version of its own, and changes with its type.
package protocol Packable: Sendable {
  func pack(into packer: inout Packer)

  /// - Throws: ``PackingError`` where the bytes are of something else.
  init(from unpacker: inout Unpacker) throws(PackingError)
}

/// Bytes that hold no such value.
package struct PackingError: Error, Equatable {
  package init() {}
}

/// Lays values out one after the other, in the machine's order of bytes.
package struct Packer {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds a number or another plain value.
  ///
  /// - Precondition: the type has no bytes between its fields: what lies there is not the same twice.
  package mutating func add<Value: BitwiseCopyable>(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  /// Adds plain values with their count.
  package mutating func add<Element: BitwiseCopyable>(all values: [Element]) {
    add(UInt32(values.count))
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ text: String) { add(all: Array(text.utf8)) }

  package mutating func add(_ flag: Bool) { add(UInt8(flag ? 1 : 0)) }

  /// Adds a list with its count.
  package mutating func add<Values: Collection>(
    list values: Values, _ body: (inout Packer, Values.Element) -> Void
  ) {
    add(UInt32(values.count))
    for value in values { body(&self, value) }
  }

  package mutating func add(texts: [String]) { add(list: texts) { $0.add($1) } }

  /// Adds a set in the order of the alphabet, so that the bytes are the same each time.
  package mutating func add(set: Set<String>) { add(texts: set.sorted()) }
}

/// Reads what a ``Packer`` laid out, in the same order.
package struct Unpacker {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// - Parameter bytes: stay where they are as long as this is read.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all was read.
  package var isAtEnd: Bool { position == bytes.count }

  private mutating func take(_ count: Int) throws(PackingError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - position else { throw PackingError() }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  package mutating func value<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws(PackingError) -> Value {
    try take(MemoryLayout<Value>.size).loadUnaligned(as: Value.self)
  }

  package mutating func flag() throws(PackingError) -> Bool { try value(UInt8.self) != 0 }

  private mutating func count() throws(PackingError) -> Int { Int(try value(UInt32.self)) }

  /// Plain values, copied as they lie.
  package mutating func all<Element: BitwiseCopyable>(
    _ type: Element.Type = Element.self
  ) throws(PackingError) -> [Element] {
    let count = try count()
    let (size, isTooLarge) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    if isTooLarge { throw PackingError() }
    let source = try take(size)
    return [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
      initialized = count
    }
  }

  package mutating func text() throws(PackingError) -> String {
    let count = try count()
    return String(decoding: try take(count), as: UTF8.self)
  }

  package mutating func list<Element>(
    _ body: (inout Unpacker) throws(PackingError) -> Element
  ) throws(PackingError) -> [Element] {
    let count = try count()
    var values: [Element] = []
    // No element is shorter than a byte.
    values.reserveCapacity(min(count, bytes.count - position))
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  package mutating func texts() throws(PackingError) -> [String] {
    try list { unpacker throws(PackingError) in try unpacker.text() }
  }

  package mutating func set() throws(PackingError) -> Set<String> { Set(try texts()) }

  /// One of the values of a closed list, by its raw value.
  package mutating func choice<Choice: RawRepresentable<String>>(
    _ type: Choice.Type = Choice.self
  ) throws(PackingError) -> Choice {
    guard let choice = Choice(rawValue: try text()) else { throw PackingError() }
    return choice
  }
}

extension RawRepresentable<String> {
  /// Adds the raw value, which ``Unpacker/choice(_:)`` reads.
  package func pack(into packer: inout Packer) { packer.add(rawValue) }
}
