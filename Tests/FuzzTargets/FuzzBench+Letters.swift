import Clinical
import Interchange

/// Letters, and how another program's tables are read.
extension FuzzBench {
  /// A letter in whatever format its bytes say; a PDF is another program's to read.
  func readLetter(_ bytes: [UInt8]) {
    guard let letter = try? LetterFile.read(bytes, pdfText: { _ in throw LetterError("no PDF is read here") }) else {
      return
    }
    precondition(letter.text.utf8.count <= LetterFile.longestText, "more text than a letter may have")
    for order in [DateOrder.dayFirst, .monthFirst, nil] {
      let scan = LetterScan(letter, words: letterWords, order: order, today: Self.zone.date(of: Self.now))
      precondition(scan.date.map { $0.words.count <= 80 } ?? true, "a day with more words than a line")
    }
  }

  /// Tables read by a mapping; both are in the bytes, a zero byte between them.
  func readMapped(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard let mapping = try? ImportMapping(String(decoding: parts[0], as: UTF8.self)) else { return }
    let table = parts.count > 1 ? parts[1] : []
    readAll(table, name: "a.csv") { try ImportReader([$0], mapping: mapping, options: $1) }
  }

  /// The text of a Word document in the archive that it lies in, stored as it is, so that what is changed is the text.
  static func document(_ xml: [UInt8]) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
    let name = Array("word/document.xml".utf8)
    let common =
      little(20, 2) + little(0, 8) + little(Int(checksum(xml)), 4) + little(xml.count, 4) + little(xml.count, 4)
      + little(name.count, 2) + little(0, 2)
    let local = little(0x0403_4B50, 4) + common + name + xml
    let central = little(0x0201_4B50, 4) + little(20, 2) + common + little(0, 14) + name
    return local + central + little(0x0605_4B50, 4) + little(0, 4) + little(1, 2) + little(1, 2)
      + little(central.count, 4) + little(local.count, 4) + little(0, 2)
  }

  /// CRC-32, as archives have it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
