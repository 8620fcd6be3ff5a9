import CSandbox
import Clinical
import Glibc
import Store

/// Stages that were worked out of the tables of a model folder beforehand, in a file beside them that is mapped, not read.
///
/// The tables stay the source: a section is used only by the build of the program that wrote it, while the files that it was made of
/// hold the same bytes, and while it is whole itself. Otherwise, and where there is no such file, the stage is made of the tables.
///
/// The file: 16 bytes that name it, the length of its head, the head (the build, then of each section its name, the digest of its
/// sources, its place, length and digest), and the sections.
final class CompiledModels: Sendable {
  /// Beside the tables: who may change these may change it, and nobody else.
  static let fileName = "compiled.stages"
  private static let magic = Array("VetNet stages 1\n".utf8)

  struct Section: Sendable {
    let name: String
    /// Of the files that it was made of.
    let key: UInt64
    let bytes: [UInt8]
  }

  private struct Entry: Sendable {
    let key: UInt64
    let start: Int
    let count: Int
    let digest: UInt64
  }

  // Safe to share: pages that are only read, unmapped when the last owner is gone.
  private nonisolated(unsafe) let mapped: UnsafeRawBufferPointer
  private let entries: [String: Entry]

  /// The file of a folder; nil where there is none, it is another build's, or it is damaged.
  ///
  /// - Parameters:
  ///   - folder: of the models.
  ///   - build: of the program that reads it.
  init?(in folder: String, build: [UInt8]) {
    guard !build.isEmpty, let mapped = Self.map("\(folder)/\(Self.fileName)") else { return nil }
    guard let entries = try? Self.entries(of: mapped, build: build) else {
      munmap(UnsafeMutableRawPointer(mutating: mapped.baseAddress), mapped.count)
      return nil
    }
    self.mapped = mapped
    self.entries = entries
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: mapped.baseAddress), mapped.count) }

  private static func map(_ path: String) -> UnsafeRawBufferPointer? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > magic.count,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
  }

  private static func entries(
    of bytes: UnsafeRawBufferPointer, build: [UInt8]
  ) throws -> [String: Entry] {
    guard bytes.prefix(magic.count).elementsEqual(magic) else { throw PackingError() }
    var unpacker = Unpacker(UnsafeRawBufferPointer(rebasing: bytes[magic.count...]))
    let digest = try unpacker.value(UInt64.self)
    let head = try unpacker.all(UInt8.self)
    guard ContentDigest(of: head).value == digest else { throw PackingError() }
    let start = magic.count + 8 + 4 + head.count
    return try head.withUnsafeBytes { head throws(PackingError) in
      var unpacker = Unpacker(head)
      guard try unpacker.all(UInt8.self) == build else { throw PackingError() }
      var entries: [String: Entry] = [:]
      for (name, entry) in try unpacker.list({ unpacker throws(PackingError) in
        (try unpacker.text(), try Self.entry(&unpacker, start: start, of: bytes.count))
      }) {
        entries[name] = entry
      }
      return entries
    }
  }

  private static func entry(
    _ unpacker: inout Unpacker, start: Int, of total: Int
  ) throws(PackingError) -> Entry {
    let key = try unpacker.value(UInt64.self)
    let (place, count) = (try unpacker.value(UInt32.self), try unpacker.value(UInt32.self))
    let digest = try unpacker.value(UInt64.self)
    guard start + Int(place) + Int(count) <= total else { throw PackingError() }
    return Entry(key: key, start: start + Int(place), count: Int(count), digest: digest)
  }

  /// The value of a section.
  ///
  /// - Parameters:
  ///   - name: of the section.
  ///   - key: of the sources as they are now, worked out only where there is such a section.
  ///   - unpack: reads the value.
  /// - Returns: nil where there is no such section of these sources, or it is damaged.
  func value<Value>(
    _ name: String, key: () throws -> UInt64, _ unpack: (inout Unpacker) throws(PackingError) -> Value
  ) rethrows -> Value? {
    guard let entry = entries[name], try key() == entry.key else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: mapped[entry.start..<entry.start + entry.count])
    guard ContentDigest(of: bytes).value == entry.digest else { return nil }
    var unpacker = Unpacker(bytes)
    guard let value = try? unpack(&unpacker), unpacker.isAtEnd else { return nil }
    return value
  }

  /// Puts a file with these sections into a folder, whole or not at all, readable by everybody as the tables are.
  ///
  /// - Throws: ``StoreError`` where it can't be written.
  static func write(_ sections: [Section], build: [UInt8], into folder: String) throws(StoreError) {
    var head = Packer()
    head.add(all: build)
    var place = 0
    head.add(list: sections) { head, section in
      head.add(section.name)
      head.add(section.key)
      head.add(UInt32(place))
      head.add(UInt32(section.bytes.count))
      head.add(ContentDigest(of: section.bytes).value)
      place += section.bytes.count
    }
    var file = Packer()
    file.add(ContentDigest(of: head.bytes).value)
    file.add(all: head.bytes)
    let path = "\(folder)/\(fileName)"
    try FileBytes.write(magic + file.bytes + sections.flatMap(\.bytes), to: path)
    chmod(path, 0o644)
  }

  /// Which build of the program this is; empty for one that was linked without saying.
  static let build: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBufferPointer { vetnet_build_id($0.baseAddress, Int32($0.count)) }
    return Array(bytes.prefix(Int(count)))
  }()
}
