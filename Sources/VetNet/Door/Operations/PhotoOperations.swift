public import Clinical

extension Passage {
  fileprivate func touch(_ photo: Photo) {
    touch(.photo, photo.id)
    touch(.patient, photo.patientID)
  }
}

/// Puts a picture on file as a patient's photo, or as one that waits for its patient.
public struct AddPhoto: Operation {
  public static let name = "photo.add"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.patient, .photo]
  public static let changes: Set<RecordKind> = [.photo]

  /// By ``PhotoDecoder``.
  public var picture: PreparedPicture
  /// Nil for one that waits.
  public var patient: String?
  public var note: String?
  public var tags: [String]
  public var region: String?
  /// Nil for what the camera says.
  public var takenAt: Timestamp?

  public init(
    picture: PreparedPicture, patient: String?, note: String? = nil, tags: [String] = [], region: String? = nil,
    takenAt: Timestamp? = nil
  ) {
    self.picture = picture
    self.patient = patient
    self.note = note
    self.tags = tags
    self.region = region
    self.takenAt = takenAt
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> AddedPhoto {
    passage.details["picture"] = picture.name
    let added = try passage.practice.photos.addPhoto(self, by: passage.actor.name, now: passage.now)
    passage.touch(added.photo)
    return added
  }
}

/// Photos, the latest first: some of those that a filter means, and how many there are.
public struct ListPhotos: Operation {
  public static let name = "photo.list"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.photo, .patient]
  /// At once.
  public static let most = 500

  public var filter: PhotoFilter
  public var offset: Int
  public var limit: Int
  public var isAscending: Bool

  public init(filter: PhotoFilter = PhotoFilter(), offset: Int = 0, limit: Int = 60, isAscending: Bool = false) {
    self.filter = filter
    self.offset = offset
    self.limit = limit
    self.isAscending = isAscending
  }

  public var subjects: [RecordReference] { filter.patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> PhotoPage {
    let page = try passage.practice.photos.photos(
      filter, offset: max(0, offset), limit: max(0, min(limit, Self.most)), isAscending: isAscending)
    // One entry for what a page shows, whoever's it is; each thumbnail of it has none.
    passage.touch(.patient, page.photos.compactMap(\.patientID))
    passage.details["photos"] = String(page.photos.count)
    return page
  }
}

/// A photo with what checks said of it, and others like it.
public struct ShowPhoto: Operation {
  public static let name = "photo.show"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.photo, .patient]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.photo, id)] }

  public func run(_ passage: Passage) throws -> PhotoInFull {
    let found = try passage.practice.photos.photoInFull(id)
    passage.touch(found.photo)
    return found
  }
}

/// A picture small, or at the size of a screen, by what only a list tells that is on record: so it isn't put on record again.
public struct ReadPicture: Operation {
  public static let name = "photo.picture"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.photo]

  /// ``Photo/picture``
  public var picture: String
  /// The original is read by ``SavePhoto`` alone.
  public var size: PhotoSize

  public init(picture: String, size: PhotoSize) {
    self.picture = picture
    self.size = size
  }

  public func run(_ passage: Passage) throws -> PhotoBytes {
    passage.isOnRecord = true
    guard size != .original, let found = try passage.practice.photos.photoBytes(picture: picture, size) else {
      throw PracticeError(.notFound, "there is no such picture")
    }
    return found
  }
}

/// The largest size of a photo that is kept, or the one that is asked for, to be taken out of the practice file.
public struct SavePhoto: Operation {
  public static let name = "photo.save"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.photo, .patient]

  public var id: String
  /// Nil for the largest that is kept.
  public var size: PhotoSize?

  public init(id: String, size: PhotoSize? = nil) {
    self.id = id
    self.size = size
  }

  public var subjects: [RecordReference] { [RecordReference(.photo, id)] }

  public func run(_ passage: Passage) throws -> PhotoBytes {
    let found = try passage.practice.photos.photoBytes(id, size)
    passage.touch(found.photo)
    return found.bytes
  }
}

/// Changes what is said of a photo: its note, region, tags, time or scale.
public struct AmendPhoto: Operation {
  public static let name = "photo.amend"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.photo]
  public static let changes: Set<RecordKind> = [.photo]

  public var id: String
  public var edit: PhotoEdit

  public init(id: String, edit: PhotoEdit) {
    self.id = id
    self.edit = edit
  }

  public var subjects: [RecordReference] { [RecordReference(.photo, id)] }

  public func run(_ passage: Passage) throws -> Photo {
    let photo = try passage.practice.photos.amendPhoto(id, edit, now: passage.now)
    passage.touch(photo)
    if let note = edit.note { passage.details["note_digest"] = Passage.digest(note) }
    return photo
  }
}

/// Says whose a photo is: of one that waits, or that was put with the wrong animal.
public struct FilePhoto: Operation {
  public static let name = "photo.file"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.photo, .patient]
  public static let changes: Set<RecordKind> = [.photo]

  public var id: String
  public var patient: String

  public init(id: String, patient: String) {
    self.id = id
    self.patient = patient
  }

  public var subjects: [RecordReference] { [RecordReference(.photo, id), RecordReference(.patient, patient)] }

  public func run(_ passage: Passage) throws -> Photo {
    let filed = try passage.practice.photos.filePhoto(id, to: patient)
    passage.touch(.patient, filed.before)
    passage.touch(filed.photo)
    return filed.photo
  }
}

/// Takes a photo off file for good, and its picture unless another photo shows it.
public struct RemovePhoto: Operation {
  public static let name = "photo.remove"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.photo]
  public static let changes: Set<RecordKind> = [.photo]

  public var id: String
  public var reason: String

  public init(id: String, reason: String) {
    self.id = id
    self.reason = reason
  }

  public var subjects: [RecordReference] { [RecordReference(.photo, id)] }

  public func run(_ passage: Passage) throws -> Photo {
    passage.details["reason_digest"] = Passage.digest(reason)
    let photo = try passage.practice.photos.removePhoto(id, reason: reason)
    passage.touch(photo)
    return photo
  }
}

/// The checks that look at pictures, with how many each looked at and remarked on.
public struct ListPhotoChecks: Operation {
  public static let name = "photo.checks"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.setting]

  public init() {}

  public func run(_ passage: Passage) throws -> [PhotoCheckCount] { try passage.practice.photos.photoCheckCounts() }
}

/// Tags and regions that photos have, to choose from.
public struct ListPhotoWords: Operation {
  public static let name = "photo.words"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.photo, .patient]

  public struct Words: Encodable, Sendable {
    public let tags: [String]
    public let regions: [String]
  }

  public var patient: String?

  public init(patient: String? = nil) {
    self.patient = patient
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> Words {
    passage.touch(.patient, patient)
    let found = try passage.practice.photos.photoWords(patient: patient)
    return Words(tags: found.tags, regions: found.regions)
  }
}

/// Has the practice's own program look at pictures that it hasn't seen, some at a time.
public struct RunPhotoCheck: Operation {
  public static let name = "photo.check"
  public static let permission = Permission.writeRecord
  public static let reads: Set<RecordKind> = [.photo]
  public static let changes: Set<RecordKind> = [.photo]
  public static let conduct = Conduct.inSteps

  public struct Summary: Encodable, Sendable {
    public var checked = 0
    public var remarks = 0
    /// Pictures for which the program gave no answer; they are tried again the next time.
    public var failed = 0
    /// Why, of the first of them.
    public var problem: String?
  }

  public var most: Int

  public init(most: Int = 1000) {
    self.most = most
  }

  public func run(_ passage: Passage) throws -> Summary {
    let practice = passage.practice
    guard let check = try practice.photos.ownPhotoCheck() else {
      throw PracticeError(
        .invalidArgument, "the practice has no check of its own",
        hint: "Name a program: vetnet config set photo-check /path/of/the/program")
    }
    var summary = Summary()
    let pictures = try practice.photos.picturesUnchecked(by: check.name, most: most)
    for (index, picture) in pictures.enumerated() {
      try practice.continueUnlessStopped()
      do {
        guard let seen = try practice.photos.checkedPicture(picture) else { continue }
        let finding = try check.finding(seen)
        try practice.photos.keepFinding(finding, of: picture)
        summary.checked += 1
        if finding.isRemark { summary.remarks += 1 }
      } catch let error as PracticeError where [.failed, .integrity].contains(error.code) {
        summary.failed += 1
        if summary.problem == nil { summary.problem = error.description }
        // A program that fails on everything is not tried to the end.
        if summary.failed >= max(20, pictures.count / 2), summary.checked == 0 { break }
      }
      passage.progress(Progress(done: index + 1, total: pictures.count, detail: "photos"))
    }
    return summary
  }
}
