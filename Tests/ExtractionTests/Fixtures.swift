import Clinical
import VetNetTestSupport

@testable import Extraction

/// The shipped tables, read once for all tests.
enum Fixtures {
  static let extractors = Result { try Extractors(tables: ExtractionTables { try modelTable($0) }) }
}

/// A sentence with its target in [brackets].
struct Marked {
  let text: String
  let targets: [Range<Int>]

  init(_ marked: String) {
    var bytes: [UInt8] = []
    var targets: [Range<Int>] = []
    var start: Int?
    for byte in marked.utf8 {
      switch byte {
      case 0x5B: start = bytes.count
      case 0x5D:
        if let open = start { targets.append(open..<bytes.count) }
        start = nil
      default: bytes.append(byte)
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
    self.targets = targets
  }
}
