public import Clinical
import FoundationEssentials
import Store

/// Many photos for measuring: small pictures, each of other bytes, spread over the patients on file and some years.
public enum PhotoFilling {
  /// Pictures that are really different; the others differ by a comment in the file.
  private static let distinct = 24
  private static let lastCount = 120
  private static let regions = ["left flank", "right fore", "ear", "eye", "abdomen", "tail"]
  private static let tags = ["wound", "skin", "post-op", "for the owner"]

  /// Fills a practice file that somebody has made for this.
  ///
  /// - Parameters:
  ///   - path: of the practice file.
  ///   - models: the models.
  ///   - count: of photos.
  ///   - now: the latest of them is from then.
  ///   - samples: pictures to take the bytes from.
  ///   - latest: those of the last photos, which are looked at one by one.
  /// - Throws: ``PracticeError`` where a picture can't be decoded or the file not be written.
  public static func fill(
    _ path: String, models: ModelDirectory, count: Int, now: Timestamp, samples: [[UInt8]], latest: [[UInt8]]
  ) throws {
    let practice = try Practice.open(at: path, models: models, access: .write)
    func prepare(_ samples: [[UInt8]]) throws -> [PreparedPicture] {
      try samples.prefix(distinct).map { try PhotoDecoder.prepare($0, called: "sample", PhotoRules(originalEdge: 0)) }
    }
    let (prepared, last) = (try prepare(samples), try prepare(latest))
    guard !prepared.isEmpty else { throw PracticeError(.invalidArgument, "there is no picture to fill with") }
    let patients = try practice.reading {
      try practice.connection.rows("SELECT id FROM patient ORDER BY id") { $0.int64(0) }
    }
    var number = 0
    while number < count {
      let end = min(count, number + 500)
      try practice.writing {
        for place in number..<end {
          let isLast = count - place <= lastCount && !last.isEmpty
          let picture = isLast ? last[place % last.count] : prepared[place % prepared.count]
          try add(place, of: count, picture, patients, practice, now)
        }
      }
      number = end
    }
  }

  private static func add(
    _ place: Int, of count: Int, _ prepared: PreparedPicture, _ patients: [Int64], _ practice: Practice,
    _ now: Timestamp
  ) throws {
    let store = practice.connection.photos
    let base = prepared.picture
    let tiers = base.tiers.mapValues {
      StoredTier(mediaType: $0.mediaType, width: $0.width, height: $0.height, bytes: commented($0.bytes, place))
    }
    var hash = CanonicalBytes()
    hash.append(base.hash.bytes)
    hash.append(Int64(place))
    // Spread over all bits, as those of different pictures are.
    let perceptual = base.perceptualHash ^ (UInt64(place + 1) &* 0x9E37_79B9_7F4A_7C15)
    let (picture, _) = try store.keep(
      NewPicture(
        hash: ContentHash(of: hash), width: base.width, height: base.height, byteCount: base.byteCount,
        mediaType: base.mediaType, perceptualHash: perceptual, tiers: tiers))
    try store.set(StoredCheck(name: "sharpness", isRemark: place % 40 == 0, value: 50, message: nil), of: picture)
    let taken = now.adding(minutes: -(count - place) * 37)
    _ = try store.add(
      picture: picture, patient: patients.isEmpty ? nil : patients[place % patients.count], takenAt: taken,
      addedAt: taken,
      by: "bench", note: nil, region: regions[place % regions.count], tags: [tags[place % tags.count]])
  }

  /// A JPEG with a number in a comment, which makes its bytes others and leaves its pixels.
  private static func commented(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return bytes }
    let text = Array("photo \(number)".utf8)
    return [0xFF, 0xD8, 0xFF, 0xFE, 0, UInt8(text.count + 2)] + text + bytes.dropFirst(2)
  }
}
