import Clinical
import Synchronization
import VetNet

/// Who acts in the browser.
struct WebSession: Sendable {
  let actor: Actor
  /// What a page of this session sends along with each write, and no other page knows.
  let token: String
  /// Of whoever signed in; nil where everybody who can open the page acts as one and the same.
  var signIn: SessionToken?
  /// Whether by the sign-in of the group, which ends and changes there.
  var isEntered = false
}

/// Whose sessions there are: what a request is done as is asked of this and of nothing else.
///
/// With `--as` everybody is that user. Else a practice without users has one session: whoever can use this machine's loopback acts as
/// whoever started the server; and a practice with users, also one that gets its first while it is served, lets in who signs in.
final class Sessions: Sendable {
  /// Who everybody is; nil where it depends on the practice.
  private let fixed: Actor?
  /// The group that the practice is served in; nil for a practice that is served alone, or where the group's own sessions are kept.
  private let group: ServedGroup?
  private let openToken = Sessions.randomToken()
  /// The tokens of pages, by session; only sessions that the practice knows get in.
  private let pageTokens = Mutex<[String: String]>([:])
  let cookie: SessionCookie

  init(actor: Actor?, cookie: SessionCookie, group: ServedGroup? = nil) {
    fixed = actor
    self.group = group
    self.cookie = cookie
  }

  /// Who everybody acts as; nil where people sign in.
  func everybody(_ practice: Practice) throws -> Actor? {
    if let fixed { return fixed }
    if try practice.people.isClosed { return nil }
    // Whoever can use this machine may open a practice without users; whoever comes to a group's server need not be able to.
    guard group == nil else {
      throw PracticeError(.notPermitted, "this practice has no users yet", hint: "Add them: vetnet user add NAME.")
    }
    return .local
  }

  /// Whether people enter by the group's sign-in, and by that alone.
  func takesGroup(_ practice: Practice) -> Bool {
    guard let group else { return false }
    return (try? practice.people.groupSignIn) == group.id
  }

  /// Who a request is from.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn` for one of nobody.
  func session(for request: Request, in practice: Practice, at now: Timestamp, isUse: Bool) throws -> WebSession {
    if let actor = try everybody(practice) { return WebSession(actor: actor, token: openToken) }
    if takesGroup(practice) { return try entered(request.entry, practice, at: now, isUse: isUse) }
    guard let token = cookie.token(of: request) else { throw Self.nobody }
    return try session(token, in: practice, at: now, isUse: isUse)
  }

  /// The session of somebody in a practice of the group that they signed in to, which begins when they first come.
  private func entered(
    _ entry: GroupEntry?, _ practice: Practice, at now: Timestamp, isUse: Bool
  ) throws -> WebSession {
    guard let entry else { throw Self.nobody }
    let token = entry.token
    let actor: Actor
    do {
      actor = try practice.people.session(token, at: now, isUse: isUse)
    } catch let error as PracticeError where error.code == .notSignedIn {
      actor = try practice.people.enter(entry.member, as: entry.practice, at: now)
    }
    return WebSession(actor: actor, token: entry.pageToken, signIn: token, isEntered: true)
  }

  /// - Throws: ``PracticeError`` with `notSignedIn` where it is over.
  func session(_ token: SessionToken, in practice: Practice, at now: Timestamp, isUse: Bool) throws -> WebSession {
    do {
      let actor = try practice.people.session(token, at: now, isUse: isUse)
      let page = pageTokens.withLock { known in
        if let page = known[token.text] { return page }
        // Pages of sessions that nobody ended ask for another token.
        if known.count >= 10_000 { known.removeAll() }
        let page = Self.randomToken()
        known[token.text] = page
        return page
      }
      return WebSession(actor: actor, token: page, signIn: token)
    } catch let error as PracticeError where error.code == .notSignedIn {
      forget(token)
      throw Self.nobody
    }
  }

  /// Whether it is the token of a page of some session.
  func knows(pageToken: String) -> Bool {
    (pageToken == openToken && group == nil) || pageTokens.withLock { $0.values.contains(pageToken) }
      || group?.sessions.knows(pageToken: pageToken) == true
  }

  func forget(_ token: SessionToken) { pageTokens.withLock { $0[token.text] = nil } }

  static let nobody = PracticeError(.notSignedIn, "nobody is signed in", hint: "Sign in at /login.")

  /// 256 bits of the system's generator as hexadecimal digits.
  private static func randomToken() -> String {
    RandomBytes.make().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
