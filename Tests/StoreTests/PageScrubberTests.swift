@testable import Store
import Testing

@Suite struct PageScrubberTests {
  private func page(_ type: UInt8, cells: Int, content: Int, size: Int = 1024, head: Int = 0) -> [UInt8] {
    var page = [UInt8](repeating: 0xAA, count: size)
    page[head] = type
    page[head + 3] = UInt8(cells >> 8)
    page[head + 4] = UInt8(cells & 255)
    page[head + 5] = UInt8(content >> 8 & 255)
    page[head + 6] = UInt8(content & 255)
    return page
  }

  private func unused(_ page: [UInt8], isFirst: Bool = false) -> Range<Int>? {
    page.withUnsafeBytes { PageScrubber.unusedRange(of: $0, isFirst: isFirst) }
  }

  @Test func `what lies between the list of cells and the cells is unused`() {
    #expect(unused(page(13, cells: 3, content: 900)) == 14..<900)
    #expect(unused(page(10, cells: 0, content: 1024)) == 8..<1024)
    #expect(unused(page(5, cells: 2, content: 16)) == 16..<16)
    #expect(unused(page(2, cells: 300, content: 800)) == 612..<800)
    #expect(unused(page(13, cells: 1, content: 65536, size: 65536)) == 10..<65536)
    #expect(unused(page(13, cells: 1, content: 900, head: 100), isFirst: true) == 110..<900)
  }

  @Test func `other pages, and pages that contradict themselves, are left alone`() {
    #expect(unused(page(0, cells: 3, content: 900)) == nil)
    #expect(unused(page(1, cells: 3, content: 900)) == nil)
    #expect(unused(page(13, cells: 3, content: 13)) == nil)
    #expect(unused(page(13, cells: 3, content: 1025)) == nil)
    #expect(unused(page(13, cells: 3, content: 0)) == nil)
    #expect(unused(page(13, cells: 0, content: 300, size: 500)) == nil)
    #expect(unused([UInt8](repeating: 13, count: 16)) == nil)
  }
}
