import Synchronization

/// What was answered to requests that came with a key of their own, so that one that is sent again is not done again.
final class AnswerMemory: Sendable {
  enum State: Sendable {
    /// The request has no key.
    case none
    case new(String, Int)
    case known(Response)
  }

  private struct Kept {
    let digest: Int
    let response: Response
  }

  private let kept = Mutex<(answers: [String: Kept], order: [String])>(([:], []))
  private static let most = 10_000

  static let header = "idempotency-key"

  func begin(_ request: Request, route: Route) -> State {
    guard let key = request.header(Self.header), !key.isEmpty else { return .none }
    guard key.utf8.count <= 200 else {
      return .known(ErrorBody(400, "invalid_field", "an idempotency key has 200 bytes at most").response)
    }
    return look(.new("\(route.pattern) \(key)", request.body.hashValue))
  }

  func look(_ state: State) -> State {
    guard case .new(let key, let digest) = state else { return state }
    guard let kept = kept.withLock({ $0.answers[key] }) else { return state }
    guard kept.digest == digest else {
      return .known(
        ErrorBody(422, "key_reused", "this idempotency key was sent with another request", hint: "Take a new one.")
          .response)
    }
    return .known(kept.response)
  }

  /// Forgets all, for what was answered may be about somebody who was erased.
  func forget() { kept.withLock { $0 = ([:], []) } }

  func keep(_ response: Response, _ state: State) {
    // What failed on this side may be tried again.
    guard case .new(let key, let digest) = state, response.status < 500 else { return }
    kept.withLock { kept in
      if kept.answers.updateValue(Kept(digest: digest, response: response), forKey: key) == nil {
        kept.order.append(key)
      }
      if kept.order.count > Self.most { kept.answers[kept.order.removeFirst()] = nil }
    }
  }
}
