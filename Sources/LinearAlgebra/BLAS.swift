internal import COpenBLAS

/// Vector operations of OpenBLAS on plain arrays, and the library's thread setting.
///
/// Results repeat bit for bit on one machine with one thread count; across machines the last digits differ, so compare
/// with a tolerance.
public enum BLAS {
  /// The number of threads that products and decompositions use, for the whole process.
  ///
  /// - Precondition: `count` is at least 1.
  public static func setThreads(_ count: Int) {
    precondition(count >= 1, "\(count) threads")
    openblas_set_num_threads(Int32(clamping: count))
  }

  /// The number of threads in use.
  public static var threads: Int { max(1, Int(openblas_get_num_threads())) }

  /// The inner product.
  ///
  /// - Precondition: both vectors have the same length.
  public static func dot(_ left: [Float], _ right: [Float]) -> Float {
    precondition(left.count == right.count, "vectors of length \(left.count) and \(right.count)")
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        cblas_sdot(blasint(left.count), left.baseAddress, 1, right.baseAddress, 1)
      }
    }
  }

  /// The Euclidean norm, safe from overflow in between.
  public static func norm(_ vector: [Float]) -> Float {
    vector.withUnsafeBufferPointer { norm($0) }
  }

  /// Adds `factor * vector` to `target`.
  ///
  /// - Precondition: both vectors have the same length.
  public static func add(_ factor: Float, times vector: [Float], to target: inout [Float]) {
    precondition(vector.count == target.count, "vectors of length \(vector.count) and \(target.count)")
    vector.withUnsafeBufferPointer { vector in
      target.withUnsafeMutableBufferPointer { target in
        cblas_saxpy(blasint(vector.count), factor, vector.baseAddress, 1, target.baseAddress, 1)
      }
    }
  }

  /// Multiplies every entry by `factor`.
  public static func scale(_ vector: inout [Float], by factor: Float) {
    vector.withUnsafeMutableBufferPointer { cblas_sscal(blasint($0.count), factor, $0.baseAddress, 1) }
  }

  static func norm(_ vector: UnsafeBufferPointer<Float>) -> Float {
    cblas_snrm2(blasint(vector.count), vector.baseAddress, 1)
  }
}
