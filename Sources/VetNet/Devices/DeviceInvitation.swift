public import Clinical
import FoundationEssentials

/// What another machine needs to come and take part, as one line to copy: where the practice is served, by what its server is recognised,
/// and a secret that is good once.
///
/// It stands for whoever holds it until it is used or over: it goes from one person to another by a way that both trust.
public struct DeviceInvitation: Sendable {
  public let hub: HubAddress
  public let secret: InvitationSecret
  public let expiresAt: Timestamp
  /// ``Practice/People/id`` of the practice that invites: the machine asks nobody else's.
  public let practiceID: String

  public init(_ made: NewDeviceInvitation, hub: HubAddress) {
    self.hub = hub
    secret = made.secret
    expiresAt = made.expiresAt
    practiceID = made.practiceID
  }

  private struct Content: Codable {
    let urls: [String]
    let pin: String?
    let secret: String
    let until: Int64
    let practice: String
  }

  private static let beginning = "vetnet-invitation-1."

  /// Whether a text is one, readable or not.
  public static func isOne(_ text: String) -> Bool { text.hasPrefix(beginning) }

  /// `vetnet-invitation-1.…`, without a space.
  public var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let content = Content(
      urls: hub.urls, pin: hub.pin, secret: secret.text, until: expiresAt.seconds, practice: practiceID)
    return Self.beginning + Base64URL.text((try? encoder.encode(content)).map { [UInt8]($0) } ?? [])
  }

  /// Writes the line to a file that only its owner can read, in place of any other.
  ///
  /// - Throws: ``PracticeError`` naming the file.
  public func write(to path: String) throws { try PrivateText.write(Array((line + "\n").utf8), to: path) }

  /// - Throws: ``PracticeError`` for a line that is none, or was cut off on the way.
  public init(line: String) throws {
    let line = line.trimmingSpaces()
    guard Self.isOne(line), line.utf8.count <= 8192,
      let bytes = Base64URL.bytes(String(line.dropFirst(Self.beginning.count))),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), !content.urls.isEmpty,
      let secret = InvitationSecret(text: content.secret)
    else {
      throw PracticeError(
        .invalidArgument, "that is no invitation, or not all of it",
        hint: "It is one line that begins with '\(Self.beginning)', as vetnet device enroll prints it.")
    }
    hub = HubAddress(urls: content.urls, pin: content.pin)
    self.secret = secret
    expiresAt = Timestamp(seconds: content.until)
    practiceID = content.practice
  }
}
