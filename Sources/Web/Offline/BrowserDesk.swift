import Clinical
import FoundationEssentials
import VetNet

/// How a browser that keeps something is known, with somebody signed in or not.
enum BrowserDesk {
  static let all: [Route] = [join, contact]
  /// So long a browser keeps a key without having reached the server.
  static let contactHours = 24

  private struct Grant: Encodable {
    let owner: String
    let key: String
    let idle_minutes: Int?
    let contact_hours: Int
  }

  private static let join = Route(
    "POST", "/browser", .api, .reading,
    "Knows a browser by its secret, and gives whoever is signed in there the key of what waits to be sent. 403 with the code `device_revoked` for one that was revoked.",
    access: .unattended, needs: .ownAccount,
    body: .object(["browser": .string("64 hexadecimal digits, random"), "label": .string()]),
    answer: .object(
      ["owner": .string(), "key": .string(), "contact_hours": .integer], optional: ["idle_minutes": .integer])
  ) { call in
    let fields = try Fields(call, known: ["browser", "label"])
    guard let secret = DeviceSecret(text: try fields.required("browser", atMost: 64)) else {
      throw ErrorBody(400, "invalid_field", "'browser' is not 64 hexadecimal digits", field: "browser")
    }
    let grant = try call.practice.devices.admitBrowser(
      secret, label: try fields.text("label", atMost: 200) ?? "", of: call.session.actor, session: call.session.signIn,
      at: call.now)
    return try .json(
      Grant(
        owner: grant.owner, key: Data(grant.key).base64EncodedString(),
        idle_minutes: call.session.signIn == nil ? nil : try call.practice.people.idleMinutes,
        contact_hours: contactHours))
  }

  private static let contact = Route(
    "POST", "/browser/contact", .api, .reading,
    "How the practice stands to a browser by its secret, whoever is signed in there; one that is revoked says what it has wiped.",
    access: .browser,
    body: .object(
      ["browser": .string()],
      optional: [
        "is_wiped": .boolean, "unread": .integer,
        "waiting": .list(
          .object(
            ["kind": .oneOf(BrowserLoss.Kind.allCases.map(\.rawValue))],
            optional: ["record": .string(), "minutes_ago": .integer])),
      ]), answer: .object(["state": .oneOf(["unknown", "active", "revoked"])])
  ) { _ in throw Sessions.nobody }

  private struct Words: Decodable {
    struct Waiting: Decodable {
      let kind: String
      let record: String?
      let minutes_ago: Int?
    }
    let browser: String
    let is_wiped: Bool?
    let waiting: [Waiting]?
    let unread: Int?
  }

  static func contact(_ request: Request, _ practice: Practice, at now: Timestamp) -> Response {
    guard let words = try? JSONDecoder().decode(Words.self, from: Data(request.body)),
      let secret = DeviceSecret(text: words.browser)
    else {
      return ErrorBody(400, "bad_json", "a browser shows its secret", hint: #"Send {"browser":"…"}."#).response
    }
    do {
      let standing = try practice.devices.contact(
        of: secret, reporting: words.is_wiped == true ? losses(words, now) : nil, at: now)
      return try .json(["state": standing.rawValue])
    } catch {
      return ErrorBody(any: error).response
    }
  }

  private static func losses(_ words: Words, _ now: Timestamp) -> [BrowserLoss] {
    let longest = 366 * 24 * 60
    let listed = (words.waiting ?? []).prefix(Practice.Devices.mostLosses).map { waiting in
      BrowserLoss(
        kind: BrowserLoss.Kind(rawValue: waiting.kind) ?? .unread,
        record: waiting.record.flatMap { record in
          record.utf8.count <= 100 && record.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? record : nil
        },
        writtenAt: waiting.minutes_ago.map { now.adding(minutes: -max(0, min(longest, $0))) })
    }
    let unread = max(0, min(Practice.Devices.mostLosses - listed.count, words.unread ?? 0))
    return listed + Array(repeating: BrowserLoss(kind: .unread, record: nil, writtenAt: nil), count: unread)
  }
}
