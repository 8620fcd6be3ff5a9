import CVips
import FoundationEssentials
import Glibc
import Store

/// What the process says in which pictures are decoded: a line of JSON, and behind it the bytes of the sizes in that order.
struct PictureReport: Codable {
  struct Size: Codable {
    let tier: String
    let mediaType: String
    let width: Int
    let height: Int
    let byteCount: Int
  }

  enum Failure: String, Codable {
    /// libvips isn't there.
    case missing
    /// Not one of the formats that are taken.
    case foreign
    /// More pixels than are taken.
    case tooLarge
    /// Cut off, or not built as its format says.
    case broken
  }

  var failure: Failure?
  var format: PhotoFormat?
  /// Upright.
  var width = 0
  var height = 0
  /// As EXIF writes it.
  var taken: String?
  /// As hexadecimal digits.
  var perceptualHash = ""
  var findings: [PhotoFinding] = []
  var sizes: [Size] = []
}

/// Decodes a picture and makes the sizes of it that are kept. Only ever called in a process of its own (``PhotoDecoder``), since decoders
/// of pictures are what attackers try first.
public enum PictureWorkshop {
  /// Of a picture that is decoded at all.
  static let mostPixels = 100_000_000
  static let screenEdge = 1280
  static let thumbnailEdge = 256
  /// An original that is larger is compressed again.
  static let mostOriginalBytes = 24 << 20

  /// - Parameters:
  ///   - bytes: a picture's file; empty to ask whether pictures can be decoded here.
  ///   - originalEdge: as the setting says it.
  ///   - keepsDetails: whether place, time and device stay in the original.
  /// - Returns: what ``PhotoDecoder`` reads.
  /// - Throws: where that can't be encoded; what is wrong with a picture is part of what is returned.
  public static func work(_ bytes: [UInt8], originalEdge: String, keepsDetails: Bool) throws -> [UInt8] {
    let edge = PhotoRules.edge(originalEdge) ?? PhotoRules.standardEdge
    let rules = PhotoRules(originalEdge: edge, keepsDetails: keepsDetails)
    var report = PictureReport()
    var parts: [[UInt8]] = []
    if let library = PictureLibrary() {
      do throws(PictureFailure) {
        if !bytes.isEmpty { parts = try make(bytes, rules, library, &report) }
      } catch {
        report.failure = error.kind
      }
    } else {
      report.failure = .missing
    }
    return [UInt8](try JSONEncoder().encode(report)) + [UInt8(ascii: "\n")] + parts.joined()
  }

  private static func make(
    _ bytes: [UInt8], _ rules: PhotoRules, _ library: PictureLibrary, _ report: inout PictureReport
  ) throws(PictureFailure) -> [[UInt8]] {
    guard let format = PhotoFormat(of: bytes) else { throw PictureFailure(kind: .foreign) }
    report.format = format
    let head = try library.head(bytes)
    guard head.width <= mostPixels / max(1, head.height) else { throw PictureFailure(kind: .tooLarge) }
    let isTurned = head.orientation >= 5
    (report.width, report.height) = isTurned ? (head.height, head.width) : (head.width, head.height)
    report.taken = head.taken
    let screen = try library.tier(bytes, edge: screenEdge, quality: 82)
    let thumbnail = try library.tier(screen.bytes, edge: thumbnailEdge, quality: 78)
    let grey = try library.grey(screen.bytes)
    report.perceptualHash = String(PerceptualHash(grey).bits, radix: 16)
    let picture = CheckedPicture(grey: grey, screen: screen.bytes)
    // A check that fails says nothing; the picture is on file all the same.
    report.findings = PhotoChecks.all.compactMap { try? $0.finding(picture) }
    var sizes: [(PhotoTier, StoredTier)] = [(.thumbnail, thumbnail), (.screen, screen)]
    if rules.originalEdge != 0 {
      sizes.append((.original, try original(bytes, format, head, rules, library)))
    }
    report.sizes = sizes.map {
      .init(
        tier: $0.rawValue, mediaType: $1.mediaType, width: $1.width, height: $1.height, byteCount: $1.bytes.count)
    }
    return sizes.map(\.1.bytes)
  }

  private static func original(
    _ bytes: [UInt8], _ format: PhotoFormat, _ head: PictureHead, _ rules: PhotoRules, _ library: PictureLibrary
  ) throws(PictureFailure) -> StoredTier {
    let longest = max(head.width, head.height)
    let fits = rules.originalEdge.map { longest <= $0 } ?? true
    let kept = rules.keepsDetails ? bytes : PhotoDetails.stripped(bytes, format, orientation: head.orientation)
    if fits, let kept, kept.count <= mostOriginalBytes {
      return StoredTier(mediaType: format.mediaType, width: head.width, height: head.height, bytes: kept)
    }
    return try library.tier(bytes, edge: min(longest, rules.originalEdge ?? longest), quality: 92)
  }
}

struct PictureFailure: Error {
  let kind: PictureReport.Failure
}

/// The head of a picture's file.
struct PictureHead {
  /// As the file has it, before it is turned.
  let width: Int
  let height: Int
  /// 1 to 8, as EXIF counts.
  let orientation: Int
  let taken: String?
}

/// libvips, in the process that decodes.
struct PictureLibrary {
  private let library: vetnet_vips

  /// Nil where it isn't installed.
  init?() {
    // Each field is filled, or the library is as good as missing.
    guard let loaded = Self.loaded else { return nil }
    library = loaded
  }

  /// Once in a process: two threads that start libvips at the same time break it. Addresses of functions and nothing that changes.
  private nonisolated(unsafe) static let loaded = load()

  private static func load() -> vetnet_vips? {
    let table = UnsafeMutablePointer<vetnet_vips>.allocate(capacity: 1)
    defer { table.deallocate() }
    memset(table, 0, MemoryLayout<vetnet_vips>.size)
    return vetnet_vips_load(table) ? table.pointee : nil
  }

  func head(_ bytes: [UInt8]) throws(PictureFailure) -> PictureHead {
    var table = library
    var picture = vetnet_picture()
    let result = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { vetnet_vips_head(&table, $0, buffer.count, &picture) } ?? -1
    }
    guard result == 0, picture.width > 0, picture.height > 0 else { throw PictureFailure(kind: .broken) }
    let taken = withUnsafeBytes(of: picture.taken) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return PictureHead(
      width: Int(picture.width), height: Int(picture.height), orientation: max(1, min(8, Int(picture.orientation))),
      taken: taken.isEmpty ? nil : taken)
  }

  /// Upright, at most so many pixels along its longer edge, as JPEG.
  func tier(_ bytes: [UInt8], edge: Int, quality: Int) throws(PictureFailure) -> StoredTier {
    var table = library
    var made = vetnet_tier()
    var bytes = bytes
    let result = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { vetnet_vips_tier(&table, $0, buffer.count, Int32(edge), Int32(quality), &made) } ?? -1
    }
    return StoredTier(
      mediaType: PhotoFormat.jpeg.mediaType, width: Int(made.width), height: Int(made.height),
      bytes: try taken(result, made))
  }

  func grey(_ bytes: [UInt8]) throws(PictureFailure) -> GreyPicture {
    var table = library
    var made = vetnet_tier()
    let result = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { vetnet_vips_grey(&table, $0, buffer.count, &made) } ?? -1
    }
    let pixels = try taken(result, made)
    guard let grey = GreyPicture(width: Int(made.width), height: Int(made.height), pixels: pixels) else {
      throw PictureFailure(kind: .broken)
    }
    return grey
  }

  /// A picture of bytes, three a pixel.
  func encode(_ pixels: [UInt8], width: Int, height: Int, as format: PhotoFormat, quality: Int) throws(PictureFailure)
    -> [UInt8]
  {
    var table = library
    var made = vetnet_tier()
    let kind: vetnet_picture_format =
      switch format {
      case .png: VETNET_PNG
      case .webp: VETNET_WEBP
      case .jpeg, .heif: VETNET_JPEG
      }
    let result = pixels.withUnsafeBytes { buffer in
      buffer.baseAddress.map {
        vetnet_vips_encode(&table, $0, Int32(width), Int32(height), Int32(kind.rawValue), Int32(quality), &made)
      } ?? -1
    }
    return try taken(result, made)
  }

  private func taken(_ result: Int32, _ made: vetnet_tier) throws(PictureFailure) -> [UInt8] {
    defer { if let bytes = made.bytes { library.free(bytes) } }
    guard result == 0, let bytes = made.bytes else { throw PictureFailure(kind: .broken) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: made.length))
  }
}
