import Clinical
import FoundationEssentials
import Interchange
import Store

extension Practice.Photos {
  // MARK: Changing

  /// Puts a picture on file; one that this patient has already of the same region is left as it is.
  func addPhoto(_ new: AddPhoto, by name: String, now: Timestamp) throws -> AddedPhoto {
    let region = try new.region.flatMap { try words($0, "a region") }
    let tags = try new.tags.compactMap { try words($0, "a tag") }
    let note = try new.note.flatMap(photoNote)
    let takenAt = try new.takenAt.map { try plausible($0, now: now) } ?? moment(ofCamera: new.picture.taken, now: now)
    return try writing {
      let patient = try new.patient.map { try practice.records.stored(patient: $0).rowID }
      let store = connection.photos
      let (picture, isNew) = try store.keep(new.picture.picture)
      if isNew { try keepFindings(of: new.picture, picture) }
      let twin = try store.twin(picture: picture, patient: patient, region: region)
      if let twin {
        return AddedPhoto(
          photo: try photo(twin), isNew: false, isKnownPicture: true, findings: new.picture.findings,
          similar: Photo.id(twin))
      }
      let row = try store.add(
        picture: picture, patient: patient, takenAt: takenAt, addedAt: now, by: name, note: note, region: region,
        tags: tags)
      return AddedPhoto(
        photo: try photo(row), isNew: true, isKnownPicture: !isNew, findings: try findings(picture),
        similar: try similar(row, picture).first)
    }
  }

  private func keepFindings(of prepared: PreparedPicture, _ picture: Int64) throws {
    for finding in prepared.findings {
      try connection.photos.set(
        StoredCheck(
          name: finding.check, isRemark: finding.isRemark, value: finding.value, message: finding.message), of: picture)
    }
    // What is nearly one tone is like everything else that is.
    let isFlat = prepared.findings.contains { $0.check == SubjectCheck().name && $0.isRemark }
    let nearest =
      try isFlat
      ? nil
      : connection.photos.nearest(to: prepared.perceptualHash, within: PhotoChecks.nearDistance, besides: picture)
    try connection.photos.set(
      StoredCheck(
        name: PhotoChecks.duplicate, isRemark: nearest != nil, value: nearest.map { Double($0.distance) },
        message: nearest == nil ? nil : "nearly the same picture is on file", other: nearest?.row), of: picture)
  }

  func amendPhoto(_ id: String, _ edit: PhotoEdit, now: Timestamp) throws -> Photo {
    if let scale = edit.millimetresPerPixel, !(scale == 0 || (0.0001...100).contains(scale)) {
      throw PracticeError(.invalidArgument, "a scale is 0.0001 to 100 mm a pixel, or 0 for none")
    }
    let wanted = try edit.tags?.compactMap { try words($0, "a tag") }
    let added = try edit.addedTags.compactMap { try words($0, "a tag") } + (wanted ?? [])
    return try writing {
      let row = try photoRow(id)
      let before = try photo(row)
      let note = try edit.note.map { try photoNote($0) } ?? before.note
      let region = try edit.region.map { try words($0, "a region") } ?? before.region
      try connection.photos.amend(
        row, note: note, region: region,
        takenAt: try edit.takenAt.map { try plausible($0, now: now) } ?? before.takenAt,
        millimetresPerPixel: edit.millimetresPerPixel.map { $0 == 0 ? nil : $0 } ?? before.millimetresPerPixel)
      // Those that go first: one may come again in another spelling.
      if let wanted {
        for tag in before.tags where !wanted.contains(tag) {
          try connection.photos.setTag(tag, of: row, isRemoved: true)
        }
      }
      for tag in added { try connection.photos.setTag(tag, of: row, isRemoved: false) }
      for tag in edit.removedTags { try connection.photos.setTag(tag, of: row, isRemoved: true) }
      if before.note != nil, note != before.note { try connection.markPhotoTextRemoved() }
      return try photo(row)
    }
  }

  /// Says whose a photo is.
  func filePhoto(_ id: String, to patient: String) throws -> (photo: Photo, before: String?) {
    try writing {
      let row = try photoRow(id)
      let before = try photo(row).patientID
      try connection.photos.file(row, to: try practice.records.stored(patient: patient).rowID)
      return (try photo(row), before)
    }
  }

  func removePhoto(_ id: String, reason: String) throws -> Photo {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "taking a photo off file needs a reason", hint: "Give it with --reason.")
    }
    return try writing {
      let row = try photoRow(id)
      let removed = try photo(row)
      try connection.photos.remove(row)
      return removed
    }
  }

  /// Keeps what a practice's own check said of a picture.
  func keepFinding(_ finding: PhotoFinding, of picture: Int64) throws {
    try writing {
      guard try connection.photos.photos(of: picture).first != nil else { return }
      try connection.photos.set(
        StoredCheck(name: finding.check, isRemark: finding.isRemark, value: finding.value, message: finding.message),
        of: picture)
    }
  }

  // MARK: Reading

  func photos(_ filter: PhotoFilter, offset: Int, limit: Int, isAscending: Bool) throws -> PhotoPage {
    try reading {
      let selection = try selection(filter)
      let total = try connection.photos.count(selection)
      let rows = try connection.photos.photos(selection, offset: offset, limit: limit, isAscending: isAscending)
      return PhotoPage(photos: try rows.map(photo), total: total, offset: offset)
    }
  }

  func photoInFull(_ id: String) throws -> PhotoInFull {
    try reading {
      let row = try photoRow(id)
      guard let stored = try connection.photos.photo(row) else { throw Self.noPhoto(id) }
      return PhotoInFull(
        photo: try photo(stored), findings: try findings(stored.picture), similar: try similar(row, stored.picture),
        sizes: Dictionary(
          try connection.photos.tiers(of: stored.picture).map { (PhotoSize($0.tier), $0.byteCount) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  /// One size of a picture, by what it is known by; nil where there is none.
  func photoBytes(picture: String, _ size: PhotoSize) throws -> PhotoBytes? {
    try reading {
      guard let hash = ContentHash(hexadecimal: picture), let row = try connection.photos.picture(hash) else {
        return nil
      }
      return try connection.photos.tier(size.tier, of: row).map(PhotoBytes.init)
    }
  }

  /// The largest size that is kept, or the one that is asked for.
  func photoBytes(_ id: String, _ size: PhotoSize?) throws -> (photo: Photo, bytes: PhotoBytes) {
    try reading {
      let row = try photoRow(id)
      guard let stored = try connection.photos.photo(row) else { throw Self.noPhoto(id) }
      for size in size.map({ [$0] }) ?? [.original, .screen] {
        if let bytes = try connection.photos.tier(size.tier, of: stored.picture) {
          return (try photo(stored), PhotoBytes(bytes))
        }
      }
      throw PracticeError(
        .notFound, "the original of \(id) was not kept",
        hint: "The setting photo-original said so; --size screen is there.")
    }
  }

  func photoCheckCounts() throws -> [PhotoCheckCount] {
    try reading {
      let counts = Dictionary(
        try connection.photos.checkCounts().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      let own = try ownPhotoCheck()
      var known = PhotoChecks.all.map { ($0.name, $0.summary) }
      known.append((PhotoChecks.duplicate, PhotoChecks.duplicateSummary))
      if own != nil || counts[PhotoChecks.own] != nil {
        known.append((PhotoChecks.own, own?.summary ?? "the practice's own, of which no program is named any more"))
      }
      return known.map {
        PhotoCheckCount(
          name: $0, summary: $1, checked: counts[$0]?.checked ?? 0, remarks: counts[$0]?.remarks ?? 0)
      }
    }
  }

  /// Tags and regions that photos have, of one patient or of all.
  func photoWords(patient: String?) throws -> (tags: [String], regions: [String]) {
    try reading { try connection.photos.words(of: patient.map { try practice.records.stored(patient: $0).rowID }) }
  }

  /// Sizes of pictures that are not what was written.
  func photoFindings() throws -> [DoctorFinding] {
    try connection.photos.altered().map { photo, tier in
      DoctorFinding(
        .damage, "photo \(Photo.id(photo))",
        "its \(tier) is not what was written; restore a backup, or add the same picture again")
    }
  }

  // MARK: Parts

  private static func noPhoto(_ id: String) -> PracticeError {
    PracticeError(.notFound, "there is no photo '\(id.prefix(40))'", hint: "vetnet photo list shows what there is.")
  }

  private func photoRow(_ id: String) throws -> Int64 {
    guard let row = Photo.row(id), try connection.photos.photo(row) != nil else { throw Self.noPhoto(id) }
    return row
  }

  private func photo(_ row: Int64) throws -> Photo {
    guard let stored = try connection.photos.photo(row) else { throw Self.noPhoto(Photo.id(row)) }
    return try photo(stored)
  }

  private func photo(_ row: PhotoRow) throws -> Photo {
    Photo(
      id: Photo.id(row.id), patientID: row.patientID, patientName: row.patientName, takenAt: row.takenAt,
      addedAt: row.addedAt, addedBy: row.addedBy, note: row.note, region: row.region,
      tags: try connection.photos.tags(of: row.id), millimetresPerPixel: row.millimetresPerPixel,
      picture: row.hash.hexadecimal, width: row.width, height: row.height, byteCount: row.byteCount,
      mediaType: row.mediaType,
      remarks: try connection.photos.checks(of: row.picture).filter(\.isRemark).map(\.name))
  }

  private func findings(_ picture: Int64) throws -> [PhotoFinding] {
    try connection.photos.checks(of: picture).map {
      PhotoFinding(check: $0.name, isRemark: $0.isRemark, value: $0.value, message: $0.message)
    }
  }

  /// Others of the same picture, then those of the picture that it is nearly.
  private func similar(_ row: Int64, _ picture: Int64) throws -> [String] {
    var rows = try connection.photos.photos(of: picture).filter { $0 != row }
    for check in try connection.photos.checks(of: picture) where check.name == PhotoChecks.duplicate {
      if let other = check.other { rows += try connection.photos.photos(of: other) }
    }
    return rows.map(Photo.id)
  }

  private func selection(_ filter: PhotoFilter) throws -> PhotoSelection {
    var selection = PhotoSelection()
    selection.patient = try filter.patient.map { try practice.records.stored(patient: $0).rowID }
    selection.isWaiting = filter.isWaiting
    selection.tag = filter.tag
    selection.region = filter.region
    selection.check = filter.check
    if filter.from != nil || filter.through != nil {
      let first = filter.from.map { timeZone.interval(of: $0).lowerBound } ?? Timestamp(seconds: -1 << 40)
      let end = filter.through.map { timeZone.interval(of: $0).upperBound } ?? Timestamp(seconds: 1 << 40)
      guard first < end else {
        throw PracticeError(.invalidArgument, "the last day is before the first")
      }
      selection.times = first..<end
    }
    return selection
  }

  /// A tag or a region: one line of at most 60 characters; nil for an empty one.
  private func words(_ text: String, _ what: String) throws -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isPlain = !words.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard words.count <= RowAdditions.longestTag, isPlain else {
      throw PracticeError(.invalidArgument, "\(what) is one line of at most \(RowAdditions.longestTag) characters")
    }
    return words.isEmpty ? nil : words
  }

  private func photoNote(_ text: String) throws -> String? {
    let tail = text.drop(while: \.isWhitespace)
    let note = String(tail.prefix(tail.count - tail.reversed().prefix(while: \.isWhitespace).count))
    guard note.count <= 2000 else {
      throw PracticeError(.invalidArgument, "what is said of a photo has 2,000 characters at most")
    }
    return note.isEmpty ? nil : note
  }

  private func plausible(_ moment: Timestamp, now: Timestamp) throws -> Timestamp {
    guard moment <= now.adding(days: 1), moment.seconds > 0 else {
      throw PracticeError(.invalidArgument, "a photo can't have been taken in the future, or before 1970")
    }
    return moment
  }

  /// When a camera says that it took a picture, by the practice's clocks; nil where it says nothing, or what can't be.
  private func moment(ofCamera text: String?, now: Timestamp) -> Timestamp? {
    // 2026:11:20 10:11:12, and behind it what the library says of the field.
    guard let text, text.utf8.count >= 19 else { return nil }
    let parts = text.prefix(19).split(separator: " ")
    guard parts.count == 2 else { return nil }
    guard let time = ISODateTime("\(parts[0].replacing(":", with: "-"))T\(parts[1])") else { return nil }
    let moment = timeZone.timestamp(of: time)
    // Cameras whose clock was never set begin in their year of make, or in 1970 or 1980.
    return moment <= now.adding(days: 1) && moment.seconds > 631_152_000 ? moment : nil
  }
}

extension Practice.Photos {
  func picturesUnchecked(by check: String, most: Int) throws -> [Int64] {
    try reading { try connection.photos.unchecked(check, limit: max(0, most)) }
  }

  /// A picture as a program is shown it: its brightness is the program's own business.
  func checkedPicture(_ picture: Int64) throws -> CheckedPicture? {
    try reading {
      guard let screen = try connection.photos.tier(.screen, of: picture),
        let grey = GreyPicture(width: 1, height: 1, pixels: [0])
      else { return nil }
      return CheckedPicture(grey: grey, screen: screen.bytes)
    }
  }
}
