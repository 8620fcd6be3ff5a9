internal import CKernels

/// A vector rounded to signed bytes, with what the rounding may have cost: enough to tell, from a quarter of the bytes, which
/// vectors can't be among the best.
///
/// A vector v is kept as v = s·c + r with whole numbers c from −127 to 127. By Cauchy and Schwarz a score q·v then lies within
/// |q|·|r| of s·(q·c), so that |r| beside the bytes makes a bound, not a guess.
public struct VectorCode: Sendable {
  /// The scale s; 0 for a vector whose numbers are all zero or too small or large for one.
  public let scale: Float
  /// At least |r|.
  public let error: Float
  /// At least |v|.
  public let norm: Float

  /// Rounds a vector and writes its bytes.
  ///
  /// - Precondition: `codes` has room for a byte a number.
  /// - Complexity: O(dimension).
  public init(_ vector: UnsafeBufferPointer<Float>, into codes: UnsafeMutableBufferPointer<Int8>) {
    precondition(codes.count >= vector.count, "\(codes.count) bytes for \(vector.count) numbers")
    guard let source = vector.baseAddress, let target = codes.baseAddress else {
      (scale, error, norm) = (0, 0, 0)
      return
    }
    let code = vetnet_encode(source, vector.count, target)
    (scale, error, norm) = (code.scale, code.error, code.norm)
  }

  /// Numbers per code: the next multiple of 64, the rest zero, so that no loop needs an end of its own.
  public static func paddedDimension(_ dimension: Int) -> Int { (dimension + 63) / 64 * 64 }
}

/// Which of several loops multiplies codes. All give the same whole numbers; tests compare them.
public enum CodeKernel: Int32, CaseIterable, Sendable {
  /// Plain C, on every processor.
  case portable
  /// 256-bit vectors.
  case avx2
  /// 512-bit vectors with the instructions for whole-number products (VNNI).
  case vnni

  /// Whether this processor can run it.
  public var isAvailable: Bool { rawValue <= Self.best.rawValue }

  /// The fastest that this processor can run.
  public static let best = Self(rawValue: vetnet_best_kernel()) ?? .portable
}

/// A question rounded to 16-bit numbers, with the factors of its error bounds.
struct CodedQuery: Sendable {
  let entries: [Int16]
  let scale: Float
  let errorFactor: Float
  let normFactor: Float

  /// - Formula: with q = t·p + u and v = s·c + r, |q·v − s·t·(p·c)| ≤ |q|·|r| + |u|·(|v| + |r|). A product of floats added up
  ///   in any order lies within dimension·2⁻²⁴·|q|·|v| of q·v, and the few operations that form the bound within 2⁻²⁰ of it.
  init(_ query: [Float], paddedDimension: Int) {
    // The greatest entry with which no sum of products with codes leaves 32 bits.
    let limit = Float(min(32767, Int(Int32.max) / (127 * paddedDimension)))
    let greatest = query.reduce(0) { max($0, abs($1)) }
    let norm = query.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    var entries = [Int16](repeating: 0, count: paddedDimension)
    var lost = norm
    var scale = greatest / limit
    if scale >= .leastNormalMagnitude * 16, scale.isFinite {
      var squares = 0.0
      for (index, value) in query.enumerated() {
        let entry = max(-limit, min(limit, (value / scale).rounded()))
        entries[index] = Int16(entry)
        let rest = Double(value) - Double(scale) * Double(entry)
        squares += rest * rest
      }
      lost = squares.squareRoot()
    } else {
      scale = 0
    }
    self.entries = entries
    self.scale = scale
    let rounding = Double(query.count) * 0x1p-24 + 0x1p-20
    errorFactor = Float(norm + lost) * (1 + 0x1p-20)
    normFactor = Float(lost + norm * rounding) * (1 + 0x1p-20)
  }
}
