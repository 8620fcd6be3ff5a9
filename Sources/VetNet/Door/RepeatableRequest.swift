public import Clinical
import FoundationEssentials
import Store

/// What a request is known by that may be sent again: a key that its sender made up, whose it is and what for.
public struct RequestMark: Sendable {
  let key: ContentHash
  let request: ContentHash

  /// - Parameters:
  ///   - key: the sender's.
  ///   - purpose: what is asked for: the same key for something else is another.
  ///   - actor: who asks: nobody is answered by somebody else's key.
  ///   - request: all that is asked.
  public init(key: String, purpose: String, by actor: Actor, asking request: [UInt8]) {
    var bytes = CanonicalBytes()
    for part in [actor.name, purpose, key] { bytes.append(part) }
    self.key = ContentHash(of: bytes)
    self.request = ContentHash(of: request)
  }
}

/// What a request was answered with.
public struct KeptAnswer: Hashable, Sendable {
  public let status: Int
  public let headers: [String: String]
  public let body: [UInt8]

  public init(status: Int, headers: [String: String], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// What an answer may say beside what was done, in the same state of the file.
public struct AnswerContext {
  let practice: Practice

  /// What a later change of an appointment is based on.
  public func revision(ofAppointment id: String) throws -> Int64 { try practice.calendar.storedAppointment(id).version }
}

extension Practice {
  /// Does an operation once, however often it is asked for: the answer is kept in the transaction that does it, for a day, and given
  /// again to the same request.
  ///
  /// - Parameters:
  ///   - operation: what is to be done.
  ///   - actor: who wants it.
  ///   - now: the present moment.
  ///   - mark: what the request is known by; nil for one that is not sent again.
  ///   - answer: makes the answer, before the commit; it must not perform operations.
  /// - Returns: the answer, made now or kept before.
  /// - Throws: as ``perform(_:by:at:progress:message:)``, and ``PracticeError`` with `invalidArgument` where another request was
  ///   sent under the same key. What throws is not kept, for it did nothing.
  public func perform<Wanted: Operation>(
    _ operation: Wanted, by actor: Actor, at now: Timestamp, as mark: RequestMark?,
    answering answer: (Wanted.Outcome, AnswerContext) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    precondition(Wanted.conduct == .atOnce, "\(Wanted.name) is done in steps, which no answer can be part of")
    var given: KeptAnswer?
    do {
      _ = try perform(operation, by: actor, at: now, progress: { _ in }, message: { _ in }) { run in
        try writing {
          if let mark, let known = try connection.requestAnswers.answer(mark.key, at: now) {
            guard known.request == mark.request else { throw PracticeError.keyIsReused }
            throw Repeated(answer: try KeptAnswer(known))
          }
          let outcome = try run()
          let made = try answer(outcome, AnswerContext(practice: self))
          if let mark, !operation.changesNothing {
            try connection.requestAnswers.keep(made.stored(for: mark), mark.key, at: now)
          }
          given = made
          return outcome
        }
      }
    } catch let repeated as Repeated {
      return repeated.answer
    }
    guard let given else { throw PracticeError(.failed, "'\(Wanted.name)' gave no answer") }
    return given
  }

  /// What was asked was done before.
  private struct Repeated: Error {
    let answer: KeptAnswer
  }
}

extension KeptAnswer {
  init(_ stored: StoredRequestAnswer) throws {
    let headers = try? JSONDecoder().decode([String: String].self, from: Data(stored.headers.utf8))
    self.init(status: stored.status, headers: headers ?? [:], body: stored.body)
  }

  func stored(for mark: RequestMark) throws -> StoredRequestAnswer {
    StoredRequestAnswer(
      request: mark.request, status: status,
      headers: String(decoding: try JSONEncoder().encode(headers), as: UTF8.self), body: body)
  }
}

extension PracticeError {
  static let keyIsReused = PracticeError(
    .keyReused, "this idempotency key was sent with another request", hint: "Take a new one.")
}
