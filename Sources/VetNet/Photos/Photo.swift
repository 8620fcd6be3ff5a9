public import Clinical
import Store

/// How large a picture is.
public enum PhotoSize: String, CaseIterable, Codable, Sendable {
  case thumbnail, screen, original

  var tier: PhotoTier {
    switch self {
    case .thumbnail: .thumbnail
    case .screen: .screen
    case .original: .original
    }
  }

  init(_ tier: PhotoTier) {
    self =
      switch tier {
      case .thumbnail: .thumbnail
      case .screen: .screen
      case .original: .original
      }
  }
}

/// A photo on file, without its pixels.
public struct Photo: Hashable, Sendable {
  /// `photo-12`
  public let id: String
  /// Nil while it waits for its patient.
  public let patientID: String?
  public let patientName: String?
  /// By the camera, or by who added it.
  public let takenAt: Timestamp?
  public let addedAt: Timestamp
  public let addedBy: String
  public let note: String?
  /// Of the body: photos of one region are shown side by side.
  public let region: String?
  public let tags: [String]
  /// Of the picture as it was sent.
  public let millimetresPerPixel: Double?
  /// What the picture is known by, of its content.
  public let picture: String
  /// As it was sent, upright.
  public let width: Int
  public let height: Int
  public let byteCount: Int
  public let mediaType: String
  /// Names of checks that have something to remark.
  public let remarks: [String]

  /// When it was taken, else when it was added.
  public var shownAt: Timestamp { takenAt ?? addedAt }

  static func id(_ row: Int64) -> String { "photo-\(row)" }

  /// The row that an id means; nil for one that is none.
  static func row(_ id: String) -> Int64? {
    guard id.hasPrefix("photo-"), let row = Int64(id.dropFirst(6)), row > 0, "photo-\(row)" == id else { return nil }
    return row
  }
}

/// A photo with all that is known of it.
public struct PhotoInFull: Sendable {
  public let photo: Photo
  public let findings: [PhotoFinding]
  /// Of others that show the same picture, or one that is nearly the same.
  public let similar: [String]
  /// Bytes of each size that is kept.
  public let sizes: [PhotoSize: Int]
}

/// What became of a picture that was added.
public struct AddedPhoto: Sendable {
  public let photo: Photo
  /// False where this patient had the very same picture already: nothing was added then.
  public let isNew: Bool
  /// Whether the picture was on file before, so that nothing more of it is stored.
  public let isKnownPicture: Bool
  public let findings: [PhotoFinding]
  /// A photo that shows the same picture or nearly.
  public let similar: String?
}

/// Which photos are meant; all that is said has to hold.
public struct PhotoFilter: Hashable, Codable, Sendable {
  /// An id, a microchip, or a name that fits one patient.
  public var patient: String?
  /// Only those that wait for their patient.
  public var isWaiting = false
  public var tag: String?
  public var region: String?
  /// Days on which they were taken, or added where nobody says when they were taken; both belong to it.
  public var from: CalendarDate?
  public var through: CalendarDate?
  /// A check that has something to remark.
  public var check: String?

  public init(patient: String? = nil) {
    self.patient = patient
  }
}

/// Some of the photos that were asked for.
public struct PhotoPage: Sendable {
  public let photos: [Photo]
  /// How many there are in all.
  public let total: Int
  public let offset: Int
}

/// One size of a picture.
public struct PhotoBytes: Sendable {
  public let mediaType: String
  public let width: Int
  public let height: Int
  public let bytes: [UInt8]

  /// What a file of it is called at its end.
  public var suffix: String { PhotoFormat(mediaType: mediaType)?.suffix ?? "" }

  init(_ tier: StoredTier) {
    (mediaType, width, height, bytes) = (tier.mediaType, tier.width, tier.height, tier.bytes)
  }
}

/// What is to be different of a photo; nil leaves it.
public struct PhotoEdit: Hashable, Codable, Sendable {
  /// Empty for none.
  public var note: String?
  /// Empty for none.
  public var region: String?
  public var takenAt: Timestamp?
  /// Of the picture as it was sent; 0 for none.
  public var millimetresPerPixel: Double?
  /// All that it is to have; nil for those that it has, with what follows.
  public var tags: [String]?
  public var addedTags: [String] = []
  public var removedTags: [String] = []

  public init() {}
}

/// How many pictures a check looked at.
public struct PhotoCheckCount: Encodable, Hashable, Sendable {
  public let name: String
  public let summary: String
  public let checked: Int
  public let remarks: Int
}
