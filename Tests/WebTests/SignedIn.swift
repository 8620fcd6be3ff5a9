import Foundation
import Store
import VetNet
import VetNetTestSupport

extension ServedPractice {
  /// One user of each role, whose passphrase is "words of a ROLE".
  static func closed(corpus: [String]? = nil, hosts: [String] = []) throws -> ServedPractice {
    try ServedPractice(corpus: corpus, hosts: hosts) { practice in
      let administrator = Role.administrator
      func add(_ role: Role, by actor: Actor) throws {
        let verifier = try PassphraseVerifier(of: Passphrase("words of a \(role.rawValue)"), cost: .least)
        try practice.perform(AddUser(name: "a \(role.rawValue)", role: role, verifier: verifier), by: actor, at: now)
      }
      try add(administrator, by: .local)
      let keeper = try practice.people.identify(
        "a administrator", Passphrase("words of a administrator"), from: "here", at: now)
      for role in [Role.veterinarian, .nurse, .reception] { try add(role, by: keeper) }
    }
  }

  /// A browser that somebody signed in with.
  struct SignedIn {
    let served: ServedPractice
    /// `vetnet-8417=…`
    let cookie: String
    let token: String

    /// As a page of this session asks.
    func ask(_ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]) throws
      -> HTTPClient.Answer
    {
      try served.ask(
        method, target, body,
        headers: ["Cookie": cookie, "X-VetNet-Token": token, "Sec-Fetch-Site": "same-origin"].merging(headers) { $1 })
    }
  }

  func trySigningIn(_ name: String, _ passphrase: String, headers: [String: String] = [:]) throws -> HTTPClient.Answer {
    let body = try JSONSerialization.data(withJSONObject: ["name": name, "passphrase": passphrase])
    return try ask("POST", "/api/v1/session", String(decoding: body, as: UTF8.self), headers: headers)
  }

  func signIn(_ role: Role, instead before: SignedIn? = nil) throws -> SignedIn {
    let answer = try trySigningIn(
      "a \(role.rawValue)", "words of a \(role.rawValue)", headers: before.map { ["Cookie": $0.cookie] } ?? [:])
    guard answer.status == 201, let cookie = answer.headers["set-cookie"]?.split(separator: ";").first,
      let token = try answer.json()["token"] as? String
    else { throw CocoaError(.userCancelled) }
    return SignedIn(served: self, cookie: String(cookie), token: token)
  }
}
