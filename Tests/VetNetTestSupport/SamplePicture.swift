/// A made-up picture: spots of many sizes on a ground with grain, others for each seed.
public struct SamplePicture: Sendable {
  public let width: Int
  public let height: Int
  /// Three bytes a pixel, row by row.
  public let pixels: [UInt8]

  public init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  public init(seed: UInt64, width: Int = 640, height: Int = 480) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let spots = (0..<12).map { _ in
      (x: next(100), y: next(100), radius: 6 + next(24), red: next(256), green: next(256), blue: next(256))
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        var color = (red: 90 + 80 * x / width, green: 70 + 90 * y / height, blue: 120)
        let (u, v) = (x * 100 / width, y * 100 / height)
        for spot in spots where (u - spot.x) * (u - spot.x) + (v - spot.y) * (v - spot.y) < spot.radius * spot.radius {
          color = (spot.red, spot.green, spot.blue)
        }
        let grain = next(24)
        for value in [color.red, color.green, color.blue] { pixels.append(UInt8(clamping: value + grain - 12)) }
      }
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// One tone all over.
  public init(tone: UInt8, width: Int = 320, height: Int = 240) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: tone, count: width * height * 3))
  }

  /// Each pixel the mean of a square around it: out of focus.
  public func blurred(by radius: Int) -> SamplePicture {
    var result = pixels
    // Rows, then columns: a square's mean is the mean of means.
    for isVertical in [false, true] {
      let source = result
      for y in 0..<height {
        for x in 0..<width {
          for channel in 0..<3 {
            var (sum, count) = (0, 0)
            for step in -radius...radius {
              let (u, v) = isVertical ? (x, y + step) : (x + step, y)
              guard u >= 0, u < width, v >= 0, v < height else { continue }
              sum += Int(source[(v * width + u) * 3 + channel])
              count += 1
            }
            result[(y * width + x) * 3 + channel] = UInt8(sum / count)
          }
        }
      }
    }
    return SamplePicture(width: width, height: height, pixels: result)
  }

  /// As PNG, uncompressed.
  public var png: [UInt8] { Self.png(width: width, height: height, rows: pixels) }

  /// A PNG whose head may promise other than its pixels hold.
  public static func png(width: Int, height: Int, rows pixels: [UInt8]) -> [UInt8] {
    let head = number(width) + number(height) + [8, 2, 0, 0, 0]
    var raw: [UInt8] = []
    let length = width * 3
    var at = 0
    while at + length <= pixels.count, length > 0 {
      raw.append(0)
      raw += pixels[at..<(at + length)]
      at += length
    }
    var stream: [UInt8] = [0x78, 0x01]
    var place = 0
    repeat {
      let count = min(65_535, raw.count - place)
      stream += [place + count == raw.count ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)]
      stream += [UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
      stream += raw[place..<(place + count)]
      place += count
    } while place < raw.count
    var (low, high) = (1, 0)
    for byte in raw {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    stream += number(high << 16 | low)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head) + chunk("IDAT", stream)
      + chunk("IEND", [])
  }

  /// A chunk of a PNG with its checksum.
  public static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return number(content.count) + body + number(Int(~crc))
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { (place: Int) -> UInt8 in UInt8(truncatingIfNeeded: value >> (24 - 8 * place)) }
  }

  /// A JPEG with an EXIF block that says how to turn it, when and where it was taken, and by what.
  public static func withEXIF(_ jpeg: [UInt8], orientation: UInt8, taken: String, maker: String) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      short(tag) + short(type) + number(count) + value + [UInt8](repeating: 0, count: 4 - value.count)
    }
    let maker = Array(maker.utf8) + [0]
    let taken = Array(taken.utf8) + [0]
    // Offsets count from "MM": the first directory of four entries, then its texts, then those of the times and the place.
    let texts = 8 + 2 + 4 * 12 + 4
    let times = texts + maker.count
    let timeText = times + 2 + 12 + 4
    let place = timeText + taken.count
    let degrees = place + 2 + 2 * 12 + 4
    var block = Array("MM\0*".utf8) + number(8) + short(4)
    block += entry(0x010F, 2, maker.count, number(texts))
    block += entry(0x0112, 3, 1, short(Int(orientation)))
    block += entry(0x8769, 4, 1, number(times))
    block += entry(0x8825, 4, 1, number(place))
    block += number(0) + maker
    block += short(1) + entry(0x9003, 2, taken.count, number(timeText)) + number(0) + taken
    block += short(2) + entry(1, 2, 2, [UInt8(ascii: "N"), 0]) + entry(2, 5, 3, number(degrees)) + number(0)
    for value in [51, 30, 12] { block += number(value) + number(1) }
    let body = Array("Exif\0\0".utf8) + block
    return Array(jpeg.prefix(2)) + [0xFF, 0xE1] + short(body.count + 2) + body + jpeg.dropFirst(2)
  }
}
