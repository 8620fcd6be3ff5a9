import Clinical
import Synchronization
import VetNet

/// Random bytes that devices sign with their next request, each good once and for ten minutes.
final class DeviceNonces: Sendable {
  private struct State {
    var given: [String: (peer: String, at: Int64)] = [:]
    /// In the order in which they were given, those that are no more included.
    var order: [String] = []
  }

  private let state = Mutex(State())

  private static let longest: Int64 = 600
  /// As many of one address are remembered, and of all; whoever asks for more has their own oldest forgotten.
  private static let mostOfOne = 64
  private static let most = 8192

  func give(to peer: String, at now: Timestamp) -> String {
    let nonce = Base64URL.text(RandomBytes.make())
    state.withLock { state in
      let own = state.order.filter { state.given[$0]?.peer == peer }
      if own.count >= Self.mostOfOne, let oldest = own.first { state.given[oldest] = nil }
      state.order.removeAll { state.given[$0] == nil || now.seconds - (state.given[$0]?.at ?? 0) > Self.longest }
      while state.order.count >= Self.most { state.given[state.order.removeFirst()] = nil }
      state.given = state.given.filter { now.seconds - $0.value.at <= Self.longest }
      state.given[nonce] = (peer, now.seconds)
      state.order.append(nonce)
    }
    return nonce
  }

  /// Whether it was given and not taken yet; it stays.
  func knows(_ nonce: String) -> Bool { state.withLock { $0.given[nonce] != nil } }

  /// Takes it, whatever comes of the request.
  ///
  /// - Returns: whether it was good.
  func take(_ nonce: String, at now: Timestamp) -> Bool {
    state.withLock { state in
      guard let given = state.given.removeValue(forKey: nonce) else { return false }
      return now.seconds - given.at <= Self.longest
    }
  }
}
