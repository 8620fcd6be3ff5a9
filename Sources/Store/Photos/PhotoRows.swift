public import Clinical

/// How large a stored picture is.
public enum PhotoTier: String, CaseIterable, Codable, Sendable {
  case thumbnail, screen, original
}

/// The bytes of one size of a picture.
public struct StoredTier: Hashable, Sendable {
  public let mediaType: String
  public let width: Int
  public let height: Int
  public let bytes: [UInt8]

  public init(mediaType: String, width: Int, height: Int, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

/// What a check said of a picture, as it is kept.
public struct StoredCheck: Hashable, Sendable {
  public let name: String
  /// Whether somebody should look.
  public let isRemark: Bool
  public let value: Double?
  public let message: String?
  /// The row of the picture that it is like.
  public let other: Int64?

  public init(name: String, isRemark: Bool, value: Double?, message: String?, other: Int64? = nil) {
    self.name = name
    self.isRemark = isRemark
    self.value = value
    self.message = message
    self.other = other
  }
}

/// A picture that is to be stored.
public struct NewPicture: Sendable {
  /// Of the bytes as they were sent.
  public let hash: ContentHash
  public let width: Int
  public let height: Int
  public let byteCount: Int
  public let mediaType: String
  public let perceptualHash: UInt64
  public let tiers: [PhotoTier: StoredTier]

  public init(
    hash: ContentHash, width: Int, height: Int, byteCount: Int, mediaType: String, perceptualHash: UInt64,
    tiers: [PhotoTier: StoredTier]
  ) {
    self.hash = hash
    self.width = width
    self.height = height
    self.byteCount = byteCount
    self.mediaType = mediaType
    self.perceptualHash = perceptualHash
    self.tiers = tiers
  }
}

/// A photo's row with its picture's, without pixels.
public struct PhotoRow: Hashable, Sendable {
  public let id: Int64
  public let picture: Int64
  public let patientRow: Int64?
  /// As it is shown.
  public let patientID: String?
  public let patientName: String?
  public let takenAt: Timestamp?
  public let addedAt: Timestamp
  public let addedBy: String
  public let note: String?
  public let region: String?
  public let millimetresPerPixel: Double?
  public let hash: ContentHash
  public let width: Int
  public let height: Int
  public let byteCount: Int
  public let mediaType: String
}

/// Which photos are meant.
public struct PhotoSelection: Hashable, Sendable {
  public var patient: Int64?
  /// Only those that wait for their patient.
  public var isWaiting = false
  public var tag: String?
  public var region: String?
  public var times: Range<Timestamp>?
  /// A check that has something to remark.
  public var check: String?

  public init() {}
}
