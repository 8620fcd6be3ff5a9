/// The formats of pictures that are taken, known by their first bytes and never by a file's name.
public enum PhotoFormat: String, CaseIterable, Codable, Sendable {
  case jpeg, png, webp, heif

  public var mediaType: String { "image/\(rawValue)" }

  /// What a file of it is called.
  public var suffix: String {
    switch self {
    case .jpeg: ".jpg"
    case .heif: ".heic"
    case .png, .webp: ".\(rawValue)"
    }
  }

  init?(mediaType: String) {
    guard let format = Self.allCases.first(where: { $0.mediaType == mediaType }) else { return nil }
    self = format
  }

  /// Nil for anything else.
  public init?(of bytes: [UInt8]) {
    func stands(_ text: String, at place: Int) -> Bool {
      bytes.count >= place + text.utf8.count && bytes[place...].starts(with: text.utf8)
    }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if stands("RIFF", at: 0), stands("WEBP", at: 8) {
      self = .webp
    } else if stands("ftyp", at: 4),
      ["heic", "heix", "mif1", "msf1", "heim", "heis"].contains(where: { stands($0, at: 8) })
    {
      self = .heif
    } else {
      return nil
    }
  }

  /// What a file is that isn't taken, where its first bytes say so; for a person.
  static func foreignName(_ bytes: [UInt8]) -> String? {
    let known: [(String, String)] = [
      ("%PDF", "a PDF"), ("GIF8", "a GIF"), ("BM", "a bitmap (BMP)"), ("II*\0", "a TIFF or a camera's raw file"),
      ("MM\0*", "a TIFF or a camera's raw file"), ("<svg", "an SVG drawing"), ("<?xml", "an SVG drawing or other XML"),
      ("PK\u{3}\u{4}", "a ZIP or an office document"),
    ]
    return known.first { bytes.starts(with: $0.0.utf8) }?.1
  }
}

/// A picture's file without what it says besides the picture: where and when it was taken, by which device, thumbnails of an uncropped
/// view, comments, and whatever was hung on behind its end. Not a pixel changes. Its colour profile stays, which says how to read them
/// and may name the screen or the scanner that it was made for.
enum PhotoDetails {
  /// Nil where the file is not built as its format says, or where it can't be done without decoding.
  static func stripped(_ bytes: [UInt8], _ format: PhotoFormat, orientation: Int) -> [UInt8]? {
    switch format {
    case .jpeg: strippedJPEG(bytes, orientation: orientation)
    case .png: orientation == 1 ? strippedPNG(bytes) : nil
    case .webp: orientation == 1 ? strippedWebP(bytes) : nil
    case .heif: nil
    }
  }

  // MARK: JPEG

  private static func strippedJPEG(_ bytes: [UInt8], orientation: Int) -> [UInt8]? {
    var result: [UInt8] = [0xFF, 0xD8]
    if orientation != 1 { result += exif(orientation: orientation) }
    var at = 2
    var hasScan = false
    while at + 4 <= bytes.count {
      guard bytes[at] == 0xFF else { return nil }
      let marker = bytes[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      if marker == 0xD9 { break }
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { return nil }
      // Of what applications add, the colour profile and Adobe's word on the colours say how to read the pixels.
      let segment = bytes[at..<(at + 2 + length)]
      let isProfile = marker == 0xE2 && segment.dropFirst(4).starts(with: "ICC_PROFILE\0".utf8)
      if isProfile || !(0xE0...0xEF).contains(marker) && marker != 0xFE {
        result += segment
      } else if let head = applicationHead(segment) {
        result += head
      }
      at += 2 + length
      guard marker == 0xDA else { continue }
      hasScan = true
      // Coded pixels run to the next marker that is no restart; within them FF is followed by 00.
      let start = at
      while at + 1 < bytes.count,
        bytes[at] != 0xFF || bytes[at + 1] == 0 || (0xD0...0xD7).contains(bytes[at + 1])
      {
        at += 1
      }
      result += bytes[start..<at]
    }
    guard hasScan else { return nil }
    return result + [0xFF, 0xD9]
  }

  /// JFIF's head without its thumbnail, or Adobe's; nil for what any other program, or a camera, wrote under their markers.
  private static func applicationHead(_ segment: ArraySlice<UInt8>) -> [UInt8]? {
    let content = segment.dropFirst(4)
    switch segment.dropFirst().first {
    case 0xE0 where content.starts(with: "JFIF\0".utf8) && content.count >= 14:
      return [0xFF, 0xE0, 0, 16] + content.prefix(12) + [0, 0]
    case 0xEE where content.starts(with: "Adobe".utf8) && content.count >= 12:
      return [0xFF, 0xEE, 0, 14] + content.prefix(12)
    default: return nil
    }
  }

  /// The shortest EXIF block, which says how to turn the picture and nothing else.
  private static func exif(orientation: Int) -> [UInt8] {
    var block: [UInt8] = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
    block += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(clamping: orientation), 0, 0, 0, 0, 0, 0]
    let length = block.count + 2
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block
  }

  // MARK: PNG

  private static func strippedPNG(_ bytes: [UInt8]) -> [UInt8]? {
    let kept: Set<String> = [
      "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "pHYs",
    ]
    var result = Array(bytes.prefix(8))
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - at - 12 else { return nil }
      let name = String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self)
      if kept.contains(name) { result += bytes[at..<(at + 12 + length)] }
      at += 12 + length
      if name == "IEND" { return result }
    }
    return nil
  }

  // MARK: WebP

  private static func strippedWebP(_ bytes: [UInt8]) -> [UInt8]? {
    func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
    guard bytes.count >= 12 else { return nil }
    let end = min(bytes.count, number(4) + 8)
    var body: [UInt8] = Array("WEBP".utf8)
    var at = 12
    while at + 8 <= end {
      let length = number(at + 4)
      let whole = 8 + length + length % 2
      guard length <= bytes.count - at - 8 else { return nil }
      var chunk = Array(bytes[at..<min(bytes.count, at + whole)])
      switch String(decoding: bytes[at..<(at + 4)], as: UTF8.self) {
      case "EXIF", "XMP ": break
      case "VP8X" where chunk.count > 8:
        // Nothing of that follows any more.
        chunk[8] &= ~0x0C
        body += chunk
      case "VP8 ", "VP8L", "VP8X", "ALPH", "ICCP", "ANIM", "ANMF": body += chunk
      default: break
      }
      at += whole
    }
    let size = body.count
    return Array("RIFF".utf8) + (0..<4).map { UInt8(size >> (8 * $0) & 0xFF) } + body
  }
}
