import CSodium
import Clinical
import Foundation
@testable import Store

/// Opens a sealed file in the plainest way: the whole of it, from its description alone, with nothing of the library's.
struct PlainReader {
  struct NotOpened: Error { let what: String }

  let pageSize: Int
  let fileID: [UInt8]
  private let key: [UInt8]
  private let bytes: [UInt8]

  init(_ path: String, passphrase: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    guard String(decoding: bytes[..<16], as: UTF8.self) == "VetNet sealed 1\n" else { throw NotOpened(what: "magic") }
    pageSize = number(16, 4)
    fileID = Array(bytes[32..<48])
    let keyID = Array(bytes[48..<64])
    var master: [UInt8]?
    for slot in 0..<8 where bytes[64 + 256 * slot] == 1 {
      let at = 64 + 256 * slot
      let salt = Array(bytes[(at + 32)..<(at + 48)])
      var wrapping = [UInt8](repeating: 0, count: 32)
      let words = Array(passphrase.utf8CString.dropLast())
      guard
        crypto_pwhash(
          &wrapping, 32, words, UInt64(words.count), salt, UInt64(number(at + 16, 8)), number(at + 24, 8), 2) == 0
      else { throw NotOpened(what: "derivation") }
      let context =
        Array("vetnet-key-slot-1".utf8) + keyID + [1] + bytes[(at + 16)..<(at + 32)] + salt
      master = Self.open(bytes[(at + 48)..<(at + 120)], context, wrapping) ?? master
    }
    guard let master else { throw NotOpened(what: "key") }
    var key = [UInt8](repeating: 0, count: 32)
    let purpose = Array("vetnet-sealed-pages-1".utf8)
    crypto_generichash(&key, 32, purpose, UInt64(purpose.count), master, 32)
    self.key = key
    self.bytes = bytes
  }

  private static func open(_ sealed: ArraySlice<UInt8>, _ context: [UInt8], _ key: [UInt8]) -> [UInt8]? {
    let nonce = Array(sealed.prefix(24))
    // The combined form wants the tag behind the text.
    let text = Array(sealed.dropFirst(40)) + Array(sealed.dropFirst(24).prefix(16))
    var plain = [UInt8](repeating: 0, count: text.count)
    var count: UInt64 = 0
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &plain, &count, nil, text, UInt64(text.count), context, UInt64(context.count), nonce, key)
    return result == 0 ? Array(plain.prefix(Int(count))) : nil
  }

  private func context(_ kind: UInt8, _ place: Int, _ salts: [UInt8]) -> [UInt8] {
    var context = [kind] + [UInt8](repeating: 0, count: 7) + fileID
    context += (0..<8).map { UInt8(truncatingIfNeeded: place >> (8 * $0)) }
    return context + salts
  }

  /// The database that was sealed.
  func pages() throws -> [UInt8] {
    var plain: [UInt8] = []
    var start = 8192
    var number = 1
    while start < bytes.count {
      guard
        let page = Self.open(
          bytes[start..<min(start + pageSize + 40, bytes.count)],
          context(1, number, [UInt8](repeating: 0, count: 8)), key), page.count == pageSize
      else { throw NotOpened(what: "page \(number)") }
      plain += page
      number += 1
      start += pageSize + 40
    }
    return plain
  }

  /// The write-ahead log that was sealed, without what is left of earlier rounds behind it.
  func log(_ path: String) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard bytes.count > 32 else { return bytes }
    var plain = Array(bytes[..<32])
    let salts = Array(bytes[16..<24])
    var start = 32
    var index = 0
    while start < bytes.count {
      guard let head = Self.open(bytes[start..<(start + 64)], context(2, index, salts), key) else { break }
      guard let page = Self.open(bytes[(start + 64)..<(start + 104 + pageSize)], context(3, index, salts), key) else {
        throw NotOpened(what: "frame \(index)")
      }
      plain += head + page
      index += 1
      start += 104 + pageSize
    }
    return plain
  }
}

/// A sealed practice file in a folder of its own, as cheap to open as can be.
final class SealedPractice {
  static let passphrase = "correct horse battery"

  let folder = try? TemporaryFolder()
  var path: String { folder?.file ?? "" }
  let sealing: Sealing

  init() throws {
    var sealing = Sealing.new()
    try sealing.add(
      .passphrase(secret(Self.passphrase)), label: "Front desk", cost: .least, at: Timestamp(seconds: 5))
    self.sealing = sealing
  }

  func create(_ migrator: Migrator = .practice) throws -> Connection {
    try Connection.create(path, migrator: migrator, sealing: sealing, hasPageSums: true)
  }

  /// With a table of notes, in the file itself.
  func filled(_ count: Int = 200) throws {
    let connection = try create(Migrator([]))
    try connection.executeScript("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)", context: "")
    try connection.transaction { () throws(StoreError) in
      for number in 0..<count {
        try connection.execute(
          "INSERT INTO t VALUES (?, ?)", Int64(number), String(repeating: "words of note \(number) ", count: 60))
      }
    }
  }

  func bytes(_ suffix: String = "") throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: path + suffix) else { return [] }
    return [UInt8](try Data(contentsOf: URL(filePath: path + suffix)))
  }

  func write(_ bytes: [UInt8], _ suffix: String = "") throws {
    try Data(bytes).write(to: URL(filePath: path + suffix))
  }

  /// Where a page lies.
  static func page(_ number: Int) -> Range<Int> {
    let start = 8192 + (number - 1) * (16384 + 40)
    return start..<(start + 16384 + 40)
  }
}

func secret(_ text: String) -> LockedBytes {
  let bytes = Array(text.utf8)
  return bytes.withUnsafeBytes { LockedBytes(copying: $0) }
}
