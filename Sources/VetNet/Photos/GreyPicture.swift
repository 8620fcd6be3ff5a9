import Glibc

/// The brightness of a picture, a byte a pixel, row by row.
public struct GreyPicture: Sendable {
  public let width: Int
  public let height: Int
  public let pixels: [UInt8]

  /// Nil where the numbers don't fit.
  public init?(width: Int, height: Int, pixels: [UInt8]) {
    guard width > 0, height > 0, pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The mean brightness of areas: so many columns and rows of them, whatever the picture's own form.
  func means(columns: Int, rows: Int) -> [Double] {
    var means = [Double](repeating: 0, count: columns * rows)
    pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<rows {
        let (top, bottom) = Self.part(row, of: rows, in: height)
        for column in 0..<columns {
          let (left, right) = Self.part(column, of: columns, in: width)
          var sum = 0
          for y in top..<bottom { for x in left..<right { sum += Int(pixels[y * width + x]) } }
          means[row * columns + column] = Double(sum) / Double((bottom - top) * (right - left))
        }
      }
    }
    return means
  }

  /// At least one pixel, also where there are fewer pixels than parts.
  private static func part(_ index: Int, of count: Int, in length: Int) -> (Int, Int) {
    let start = min(length - 1, index * length / count)
    return (start, max(start + 1, min(length, (index + 1) * length / count)))
  }

  /// The same at half the size, each pixel the mean of four.
  var halved: GreyPicture {
    let (columns, rows) = (width / 2, height / 2)
    guard columns > 0, rows > 0 else { return self }
    var result = [UInt8](repeating: 0, count: columns * rows)
    for y in 0..<rows {
      for x in 0..<columns {
        let at = 2 * y * width + 2 * x
        let sum = Int(pixels[at]) + Int(pixels[at + 1]) + Int(pixels[at + width]) + Int(pixels[at + width + 1])
        result[y * columns + x] = UInt8((sum + 2) / 4)
      }
    }
    return GreyPicture(width: columns, height: rows, pixels: result) ?? self
  }

  /// The variance of the Laplacian over all inner pixels: how hard the hardest edges are. 0 for a picture too small to have any.
  ///
  /// - Source: J. L. Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", ICPR 2000.
  var sharpness: Double {
    guard width > 2, height > 2 else { return 0 }
    var sum = 0
    var squares = 0
    pixels.withUnsafeBufferPointer { pixels in
      for y in 1..<(height - 1) {
        for at in (y * width + 1)..<(y * width + width - 1) {
          let value =
            Int(pixels[at - 1]) + Int(pixels[at + 1]) + Int(pixels[at - width]) + Int(pixels[at + width])
            - 4 * Int(pixels[at])
          sum += value
          squares += value * value
        }
      }
    }
    let count = Double((width - 2) * (height - 2))
    let mean = Double(sum) / count
    return Double(squares) / count - mean * mean
  }

  /// How many pixels have each brightness.
  var histogram: [Int] {
    var counts = [Int](repeating: 0, count: 256)
    for pixel in pixels { counts[Int(pixel)] += 1 }
    return counts
  }
}

/// 64 bits that are nearly the same for nearly the same picture, whatever its size and compression: which of the slowest waves of a
/// picture of 32 × 32 areas are stronger than their median.
///
/// - Source: C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010, the DCT variant.
public struct PerceptualHash: Hashable, Sendable {
  public let bits: UInt64

  public init(bits: UInt64) { self.bits = bits }

  static let size = 32
  static let kept = 8

  public init(_ picture: GreyPicture) {
    let waves = Self.slowWaves(of: picture.means(columns: Self.size, rows: Self.size))
    // The first says how bright all of it is, which exposure changes.
    let others = waves.dropFirst().sorted()
    let median = (others[others.count / 2] + others[(others.count - 1) / 2]) / 2
    var bits: UInt64 = 0
    for (index, wave) in waves.enumerated().dropFirst() where wave > median { bits |= 1 << UInt64(index) }
    self.bits = bits
  }

  /// How many bits differ.
  public func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// The 8 × 8 lowest coefficients of the two-dimensional cosine transform (type II) of 32 × 32 values, row by row.
  static func slowWaves(of values: [Double]) -> [Double] {
    var rows = [Double](repeating: 0, count: size * kept)
    for y in 0..<size {
      for u in 0..<kept {
        var sum = 0.0
        for x in 0..<size { sum += values[y * size + x] * cosines[u * size + x] }
        rows[y * kept + u] = sum
      }
    }
    var waves = [Double](repeating: 0, count: kept * kept)
    for v in 0..<kept {
      for u in 0..<kept {
        var sum = 0.0
        for y in 0..<size { sum += rows[y * kept + u] * cosines[v * size + y] }
        waves[v * kept + u] = sum
      }
    }
    return waves
  }

  private static let cosines: [Double] = (0..<kept).flatMap { u in
    (0..<size).map { x in cos(Double.pi * Double(u) * (2 * Double(x) + 1) / Double(2 * size)) }
  }
}
