public import Clinical
public import VetNet

/// A photo as JSON.
public struct PhotoOutput: Encodable {
  public struct FindingOutput: Encodable {
    let check: String
    let remark: Bool
    let value: Double?
    let message: String?
  }

  let id: String
  let patient_id: String?
  let patient_name: String?
  let taken_at: String?
  let added_at: String
  let added_by: String
  let note: String?
  let region: String?
  let tags: [String]
  let mm_per_pixel: Double?
  let picture: String
  let width: Int
  let height: Int
  let bytes: Int
  let media_type: String
  let remarks: [String]
  let checks: [FindingOutput]?
  let similar: [String]?
  let sizes: [String: Int]?

  public init(_ photo: Photo, zone: PracticeTimeZone) { self.init(photo, zone: zone, full: nil) }

  public init(_ full: PhotoInFull, zone: PracticeTimeZone) { self.init(full.photo, zone: zone, full: full) }

  private init(_ photo: Photo, zone: PracticeTimeZone, full: PhotoInFull?) {
    id = photo.id
    patient_id = photo.patientID
    patient_name = photo.patientName
    taken_at = photo.takenAt.map(zone.iso8601)
    added_at = zone.iso8601(photo.addedAt)
    added_by = photo.addedBy
    note = photo.note
    region = photo.region
    tags = photo.tags
    mm_per_pixel = photo.millimetresPerPixel
    picture = photo.picture
    width = photo.width
    height = photo.height
    bytes = photo.byteCount
    media_type = photo.mediaType
    remarks = photo.remarks
    checks = full.map {
      $0.findings.map { FindingOutput(check: $0.check, remark: $0.isRemark, value: $0.value, message: $0.message) }
    }
    similar = full?.similar
    sizes = full.map { Dictionary($0.sizes.map { ($0.key.rawValue, $0.value) }) { first, _ in first } }
  }
}

/// What became of a picture that was added, as JSON.
public struct AddedPhotoOutput: Encodable {
  public let photo: PhotoOutput
  /// False where this patient had it already.
  let added: Bool
  /// Whether the very same picture was on file before.
  let known: Bool
  let similar: String?
  let messages: [String]

  public init(_ added: AddedPhoto, zone: PracticeTimeZone) {
    photo = PhotoOutput(added.photo, zone: zone)
    self.added = added.isNew
    known = added.isKnownPicture
    similar = added.similar
    messages = added.remarks
  }
}

extension AddedPhoto {
  /// What somebody should look at, in words.
  public var remarks: [String] { findings.filter(\.isRemark).compactMap(\.message) }
}
