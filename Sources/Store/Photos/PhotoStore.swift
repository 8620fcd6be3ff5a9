public import Clinical
import Foundation

/// Photos of patients, their pictures, and what was said of them.
public struct PhotoStore {
  let connection: Connection

  /// The row of the picture with these bytes; nil where it isn't on file.
  public func picture(_ hash: ContentHash) throws(StoreError) -> Int64? {
    try connection.first("SELECT id FROM picture WHERE content_hash = ?", hash.bytes) { $0.int64(0) }
  }

  /// Stores a picture, unless it is there; of one that is there, sizes that were altered are written anew.
  ///
  /// - Returns: its row, and whether it is new.
  public func keep(_ picture: NewPicture) throws(StoreError) -> (row: Int64, isNew: Bool) {
    if let row = try self.picture(picture.hash) {
      try mend(row, picture)
      return (row, false)
    }
    try connection.execute(
      """
      INSERT INTO picture (content_hash, width, height, byte_count, media_type, perceptual_hash) VALUES (?, ?, ?, ?, ?, ?)
      """, picture.hash.bytes, picture.width, picture.height, picture.byteCount, picture.mediaType,
      Int64(bitPattern: picture.perceptualHash))
    let row = connection.lastInsertedRowID
    for (tier, stored) in picture.tiers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try write(stored, as: tier, of: row)
    }
    return (row, true)
  }

  private func mend(_ row: Int64, _ picture: NewPicture) throws(StoreError) {
    let altered = try connection.rows("SELECT tier, hash, bytes FROM picture_tier WHERE picture_id = ?", row) {
      ($0.text(0), ContentHash(of: $0.bytes(2)).bytes != $0.bytes(1))
    }.filter(\.1).compactMap { PhotoTier(rawValue: $0.0) }
    for tier in altered {
      if let stored = picture.tiers[tier] { try write(stored, as: tier, of: row) }
    }
  }

  private func write(_ stored: StoredTier, as tier: PhotoTier, of picture: Int64) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR REPLACE INTO picture_tier (picture_id, tier, media_type, width, height, hash, bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, picture, tier.rawValue, stored.mediaType, stored.width, stored.height, ContentHash(of: stored.bytes).bytes,
      stored.bytes)
  }

  /// The picture that is most like one, if any differs in at most so many of 64 bits; of equals the oldest.
  ///
  /// - Complexity: O(pictures), over an index of their hashes.
  public func nearest(
    to hash: UInt64, within distance: Int, besides row: Int64
  ) throws(StoreError) -> (row: Int64, distance: Int)? {
    var best: (row: Int64, distance: Int)?
    try connection.withStatement("SELECT perceptual_hash, id FROM picture INDEXED BY picture_perceptual") {
      statement throws(StoreError) in
      while try statement.step() {
        let count = (UInt64(bitPattern: statement.int64(0)) ^ hash).nonzeroBitCount
        let id = statement.int64(1)
        guard count <= distance, id != row else { continue }
        if let best, (best.distance, best.row) <= (count, id) { continue }
        best = (id, count)
      }
    }
    return best
  }

  public func set(_ check: StoredCheck, of picture: Int64) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO picture_check (picture_id, name, is_remark, value, message, other_id) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET is_remark = excluded.is_remark, value = excluded.value, message = excluded.message,
        other_id = excluded.other_id
      """, picture, check.name, check.isRemark ? 1 : 0, check.value, check.message, check.other)
  }

  /// What was said of a picture, by the names of checks.
  public func checks(of picture: Int64) throws(StoreError) -> [StoredCheck] {
    try connection.rows(
      "SELECT name, is_remark, value, message, other_id FROM picture_check WHERE picture_id = ? ORDER BY name", picture
    ) {
      StoredCheck(
        name: $0.text(0), isRemark: $0.int(1) == 1, value: $0.optionalDouble(2), message: $0.optionalText(3),
        other: $0.optionalInt64(4))
    }
  }

  /// How many pictures each check looked at, and remarked on.
  public func checkCounts() throws(StoreError) -> [(name: String, checked: Int, remarks: Int)] {
    try connection.rows("SELECT name, count(*), sum(is_remark) FROM picture_check GROUP BY name ORDER BY name") {
      ($0.text(0), $0.int(1), $0.int(2))
    }
  }

  /// Pictures that a check hasn't looked at, the latest first: those that it can't answer for don't keep it from what came since.
  public func unchecked(_ name: String, limit: Int) throws(StoreError) -> [Int64] {
    try connection.rows(
      """
      SELECT id FROM picture WHERE id NOT IN (SELECT picture_id FROM picture_check WHERE name = ?) ORDER BY id DESC
      LIMIT ?
      """, name, limit
    ) { $0.int64(0) }
  }

  /// Puts a picture on file as a patient's, or as one that waits.
  ///
  /// - Returns: its row.
  public func add(
    picture: Int64, patient: Int64?, takenAt: Timestamp?, addedAt: Timestamp, by name: String, note: String?,
    region: String?, tags: [String]
  ) throws(StoreError) -> Int64 {
    try connection.execute(
      """
      INSERT INTO photo (picture_id, patient_id, taken_at, added_at, shown_at, added_by, note, region, region_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, picture, patient, takenAt, addedAt, takenAt ?? addedAt, name, note, region, region.map(Self.key))
    let row = connection.lastInsertedRowID
    for tag in tags { try setTag(tag, of: row, isRemoved: false) }
    return row
  }

  /// A photo of this patient with this picture, of the same region; nil where there is none.
  public func twin(picture: Int64, patient: Int64?, region: String?) throws(StoreError) -> Int64? {
    try connection.first(
      "SELECT id FROM photo WHERE picture_id = ? AND patient_id IS ? AND region_key IS ? ORDER BY id LIMIT 1", picture,
      patient, region.map(Self.key)
    ) { $0.int64(0) }
  }

  /// Gives a photo a tag or takes it away.
  ///
  /// - Returns: whether that changed anything.
  @discardableResult
  public func setTag(_ name: String, of photo: Int64, isRemoved: Bool) throws(StoreError) -> Bool {
    if isRemoved {
      try connection.execute("DELETE FROM photo_tag WHERE photo_id = ? AND name_key = ?", photo, Self.key(name))
    } else {
      try connection.execute(
        "INSERT OR IGNORE INTO photo_tag (photo_id, name, name_key) VALUES (?, ?, ?)", photo, name, Self.key(name))
    }
    return connection.changedRowCount > 0
  }

  public func tags(of photo: Int64) throws(StoreError) -> [String] {
    try connection.rows("SELECT name FROM photo_tag WHERE photo_id = ? ORDER BY name_key", photo) { $0.text(0) }
  }

  /// Every tag and every region that photos have, by name.
  public func words(of patient: Int64?) throws(StoreError) -> (tags: [String], regions: [String]) {
    let tags = try connection.rows(
      """
      SELECT min(name) FROM photo_tag JOIN photo ON photo.id = photo_id WHERE (?1 IS NULL OR patient_id = ?1)
      GROUP BY name_key ORDER BY name_key
      """, patient
    ) { $0.text(0) }
    let regions = try connection.rows(
      """
      SELECT min(region) FROM photo WHERE region IS NOT NULL AND (?1 IS NULL OR patient_id = ?1)
      GROUP BY region_key ORDER BY region_key
      """, patient
    ) { $0.text(0) }
    return (tags, regions)
  }

  public func amend(
    _ photo: Int64, note: String?, region: String?, takenAt: Timestamp?, millimetresPerPixel: Double?
  ) throws(StoreError) {
    try connection.execute(
      """
      UPDATE photo SET note = ?2, region = ?3, region_key = ?4, taken_at = ?5, shown_at = ifnull(?5, added_at),
        millimetres_per_pixel = ?6 WHERE id = ?1
      """, photo, note, region, region.map(Self.key), takenAt, millimetresPerPixel)
  }

  public func file(_ photo: Int64, to patient: Int64) throws(StoreError) {
    try connection.execute("UPDATE photo SET patient_id = ? WHERE id = ?", patient, photo)
  }

  /// Takes a photo off file, and its picture where no other photo shows it.
  public func remove(_ photo: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM photo WHERE id = ?", photo)
    try connection.markRemovedText()
  }

  // MARK: Reading

  public func photo(_ id: Int64) throws(StoreError) -> PhotoRow? {
    try connection.first("\(Self.columns) WHERE photo.id = ?", id, read: Self.read)
  }

  /// Photos that show a picture, in the order they came.
  public func photos(of picture: Int64) throws(StoreError) -> [Int64] {
    try connection.rows("SELECT id FROM photo WHERE picture_id = ? ORDER BY id", picture) { $0.int64(0) }
  }

  /// Some of the photos that are meant, the latest first, or the earliest.
  public func photos(
    _ selection: PhotoSelection, offset: Int, limit: Int, isAscending: Bool = false
  ) throws(StoreError) -> [PhotoRow] {
    let direction = isAscending ? "ASC" : "DESC"
    // The ids first, from an index alone: what stands before a place far down isn't read.
    let sql = """
      \(Self.columns) WHERE photo.id IN (
        SELECT photo.id FROM photo \(Self.condition(selection))
        ORDER BY photo.shown_at \(direction), photo.id \(direction) LIMIT ?7 OFFSET ?8)
      ORDER BY photo.shown_at \(direction), photo.id \(direction)
      """
    return try connection.rows(
      sql, selection.patient, selection.tag.map(Self.key), selection.region.map(Self.key),
      selection.times?.lowerBound, selection.times?.upperBound, selection.check, limit, offset, read: Self.read)
  }

  public func count(_ selection: PhotoSelection) throws(StoreError) -> Int {
    try connection.first(
      "SELECT count(*), ?1, ?2, ?3, ?4, ?5, ?6 FROM photo \(Self.condition(selection))", selection.patient,
      selection.tag.map(Self.key), selection.region.map(Self.key), selection.times?.lowerBound,
      selection.times?.upperBound, selection.check
    ) { $0.int(0) } ?? 0
  }

  /// One size of a picture, by its hash or the beginning of it; nil where there is none.
  ///
  /// - Throws: ``StoreError/Code/corrupt`` for bytes that are not what was written.
  public func tier(_ tier: PhotoTier, of picture: Int64) throws(StoreError) -> StoredTier? {
    let found = try connection.first(
      "SELECT media_type, width, height, bytes, hash FROM picture_tier WHERE picture_id = ? AND tier = ?", picture,
      tier.rawValue
    ) {
      (StoredTier(mediaType: $0.text(0), width: $0.int(1), height: $0.int(2), bytes: $0.bytes(3)), $0.bytes(4))
    }
    guard let (stored, hash) = found else { return nil }
    guard ContentHash(of: stored.bytes).bytes == hash else {
      throw StoreError(.corrupt, context: "the \(tier.rawValue) of a picture is not what was written")
    }
    return stored
  }

  /// Which sizes there are of a picture, with their bytes' count.
  public func tiers(of picture: Int64) throws(StoreError) -> [(tier: PhotoTier, byteCount: Int)] {
    try connection.rows("SELECT tier, length(bytes) FROM picture_tier WHERE picture_id = ?", picture) {
      ($0.text(0), $0.int(1))
    }.compactMap { name, count in PhotoTier(rawValue: name).map { ($0, count) } }
  }

  /// Sizes of pictures that are not what was written: the photos that show them, and which size.
  public func altered() throws(StoreError) -> [(photo: Int64, tier: String)] {
    var found: [(Int64, String)] = []
    try connection.withStatement("SELECT picture_id, tier, hash, bytes FROM picture_tier ORDER BY picture_id, tier") {
      statement throws(StoreError) in
      while try statement.step() {
        guard ContentHash(of: statement.bytes(3)).bytes != statement.bytes(2) else { continue }
        found.append((statement.int64(0), statement.text(1)))
      }
    }
    var photos: [(photo: Int64, tier: String)] = []
    for (picture, tier) in found {
      photos.append((try self.photos(of: picture).first ?? 0, tier))
    }
    return photos
  }

  public func tierCount() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM picture_tier")) }

  // MARK: Parts

  /// How tags and regions are compared.
  static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

  private static let columns = """
    SELECT photo.id, picture_id, patient_id, \(RecordIDs.reference("photo.patient_id", .patient)),
      (SELECT patient.name FROM patient WHERE patient.id = photo.patient_id), taken_at, added_at, added_by, note, region,
      millimetres_per_pixel, content_hash, width, height, byte_count, media_type
    FROM photo JOIN picture ON picture.id = photo.picture_id
    """

  private static func read(_ row: Statement) throws(StoreError) -> PhotoRow {
    PhotoRow(
      id: row.int64(0), picture: row.int64(1), patientRow: row.optionalInt64(2), patientID: row.optionalText(3),
      patientName: row.optionalText(4), takenAt: row.optionalTimestamp(5), addedAt: row.timestamp(6),
      addedBy: row.text(7), note: row.optionalText(8), region: row.optionalText(9),
      millimetresPerPixel: row.optionalDouble(10), hash: ContentHash(stored: row.bytes(11)), width: row.int(12),
      height: row.int(13), byteCount: row.int(14), mediaType: row.text(15))
  }

  /// Every parameter is in it, be it asked for or not; an index serves what is.
  private static func condition(_ selection: PhotoSelection) -> String {
    var terms: [String] = []
    if selection.isWaiting { terms.append("photo.patient_id IS NULL") }
    terms.append(selection.patient == nil ? "?1 IS NULL" : "photo.patient_id = ?1")
    terms.append(
      selection.tag == nil
        ? "?2 IS NULL" : "photo.id IN (SELECT photo_id FROM photo_tag WHERE name_key = ?2)")
    terms.append(selection.region == nil ? "?3 IS NULL" : "photo.region_key = ?3")
    terms.append(
      selection.times == nil ? "?4 IS NULL AND ?5 IS NULL" : "photo.shown_at >= ?4 AND photo.shown_at < ?5")
    terms.append(
      selection.check == nil
        ? "?6 IS NULL"
        : "photo.picture_id IN (SELECT picture_id FROM picture_check WHERE name = ?6 AND is_remark = 1)")
    return "WHERE " + terms.joined(separator: " AND ")
  }
}

extension Connection {
  /// To be called where words about a photo are replaced, within the transaction that does it.
  public func markPhotoTextRemoved() throws(StoreError) { try markRemovedText() }

  public var photos: PhotoStore { PhotoStore(connection: self) }
}
