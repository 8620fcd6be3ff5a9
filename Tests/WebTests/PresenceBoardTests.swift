import Foundation
import Synchronization
import Testing
import VetNet

@testable import Web

/// Who has what open.
struct PresenceBoardTests {
  private final class Clock: Sendable {
    let seconds = Mutex(100.0)
    func pass(_ more: Double) { seconds.withLock { $0 += more } }
  }

  private let record = RecordReference(.encounter, "enc-1")

  private func session(_ name: String) -> WebSession { WebSession(actor: .local, token: name) }

  private func visitor(_ page: String, _ name: String, isTyping: Bool = false) -> PresenceBoard.Visitor {
    PresenceBoard.Visitor(page: page, name: name, is_typing: isTyping)
  }

  @Test func `what is said again stays, what isn't is over, and only what changed is told`() {
    let clock = Clock()
    let told = Mutex(0)
    let board = PresenceBoard(clock: { clock.seconds.withLock { $0 } }) { _ in told.withLock { $0 += 1 } }
    board.say(visitor("a", "Ann"), of: session("s"), at: record, isOpen: true)
    board.say(visitor("a", "Ann"), of: session("s"), at: record, isOpen: true)
    #expect(told.withLock { $0 } == 1)
    let both = board.say(visitor("b", "Bob", isTyping: true), of: session("t"), at: record, isOpen: true)
    #expect(both.map(\.name) == ["Ann", "Bob"] && both.map(\.is_typing) == [false, true])
    clock.pass(30)
    board.say(visitor("a", "Ann"), of: session("s"), at: record, isOpen: true)
    clock.pass(PresenceBoard.seconds - 20)
    #expect(board.say(visitor("a", "Ann"), of: session("s"), at: record, isOpen: true).map(\.name) == ["Ann"])
    #expect(board.say(visitor("a", "Ann"), of: session("s"), at: record, isOpen: false).isEmpty && board.count == 0)
  }

  @Test func `no page speaks for another's, and memory is bounded whatever is said`() {
    let board = PresenceBoard(clock: { 0 }) { _ in }
    board.say(visitor("a", "Ann"), of: session("s"), at: record, isOpen: true)
    board.say(visitor("a", "Eve"), of: session("t"), at: record, isOpen: false)
    #expect(board.count == 1)
    for page in 0..<100 {
      board.say(visitor("p\(page)", "Eve"), of: session("t"), at: RecordReference(.patient, "P\(page)"), isOpen: true)
    }
    #expect(board.count == 1 + PresenceBoard.mostOfOne)
    for number in 0..<2100 {
      board.say(
        visitor("p", "Eve"), of: session("u\(number)"), at: RecordReference(.patient, "R\(number)"), isOpen: true)
    }
    #expect(board.count == PresenceBoard.most)
  }
}
