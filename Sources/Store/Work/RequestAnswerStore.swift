public import Clinical

/// What was answered to a request.
public struct StoredRequestAnswer: Hashable, Sendable {
  public let request: ContentHash
  public let status: Int
  public let headers: String
  public let body: [UInt8]

  public init(request: ContentHash, status: Int, headers: String, body: [UInt8]) {
    self.request = request
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Answers to requests that may be sent again, for a day.
public struct RequestAnswerStore {
  let connection: Connection

  /// How long an answer is kept.
  public static let hours = 24
  /// As many are kept; beyond them the oldest go.
  static let most = 20_000

  public func answer(_ key: ContentHash, at moment: Timestamp) throws(StoreError) -> StoredRequestAnswer? {
    try connection.first(
      "SELECT request_digest, status, headers, body FROM request_answer WHERE key_digest = ? AND answered_at >= ?",
      key.bytes, moment.adding(minutes: -60 * Self.hours)
    ) {
      StoredRequestAnswer(
        request: ContentHash(stored: $0.bytes(0)), status: $0.int(1), headers: $0.text(2), body: $0.bytes(3))
    }
  }

  /// Keeps an answer, and forgets those whose time is over.
  public func keep(_ answer: StoredRequestAnswer, _ key: ContentHash, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      "DELETE FROM request_answer WHERE answered_at < ?", moment.adding(minutes: -60 * Self.hours))
    try connection.execute(
      """
      DELETE FROM request_answer WHERE key_digest IN (
        SELECT key_digest FROM request_answer ORDER BY answered_at DESC, key_digest LIMIT -1 OFFSET ?)
      """, Self.most - 1)
    try connection.execute(
      """
      INSERT OR REPLACE INTO request_answer (key_digest, request_digest, answered_at, status, headers, body)
      VALUES (?, ?, ?, ?, ?, ?)
      """, key.bytes, answer.request.bytes, moment, answer.status, answer.headers, answer.body)
  }
}

extension Connection {
  public var requestAnswers: RequestAnswerStore { RequestAnswerStore(connection: self) }
}
