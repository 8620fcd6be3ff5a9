import Foundation
@testable import Store
import Testing

@Suite struct LockedBytesTests {
  /// What the system says of the memory around an address.
  private func flags(of address: UInt) throws -> [Substring] {
    var isInside = false
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
    for line in String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n") {
      let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      if bounds.count == 2 {
        isInside = (bounds[0]..<bounds[1]).contains(address)
      } else if isInside, line.hasPrefix("VmFlags:") {
        return line.split(separator: " ")
      }
    }
    return []
  }

  @Test func `a key's memory is locked, left out of core dumps, and can't be written`() throws {
    let secret = LockedBytes.random(count: 32)
    // Freed memory has no flags.
    let found = try withExtendedLifetime(secret) { try flags(of: UInt(bitPattern: secret.bytes.baseAddress)) }
    #expect(found.contains("dd") && found.contains("lo") && !found.contains("wr"), "\(found)")
    #expect("\(secret)" == "(secret)" && "\(Mirror(reflecting: secret).children.count)" == "0")
  }

  @Test func `a recovery key is read however it is written, and no other is`() throws {
    for _ in 0..<200 {
      let recovery = RecoveryKey()
      #expect(recovery.words.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}/) != nil)
      func read(_ words: String) -> [UInt8]? { RecoveryKey.secret(fromWords: secret(words)).map { Array($0.bytes) } }
      let bytes = Array(recovery.secret.bytes)
      #expect(read(recovery.words) == bytes && read(recovery.words.replacing("1", with: "l")) == bytes)
      #expect(read(String(recovery.words.reversed())) != bytes && read(recovery.words + "0") == nil)
    }
  }
}
