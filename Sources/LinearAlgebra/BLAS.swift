internal import CKernels
internal import COpenBLAS
import Glibc
import Synchronization

/// Vector operations on plain arrays, and OpenBLAS's thread setting.
///
/// Results repeat bit for bit on one machine with one thread count; across machines the last digits differ, so compare
/// with a tolerance. Sums over single vectors are loops of our own: a question needs no more, and then does without OpenBLAS,
/// which takes longer to load than to answer.
public enum BLAS {
  /// The number of threads that products and decompositions use, for the whole process.
  ///
  /// - Precondition: `count` is at least 1.
  public static func setThreads(_ count: Int) {
    precondition(count >= 1, "\(count) threads")
    threadCount.withLock { $0 = count }
  }

  /// The number of threads in use: all processors', unless set otherwise.
  public static var threads: Int { threadCount.withLock { $0 } }

  private static let threadCount = Mutex(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// What to run the loops below with.
  static let kernel = vetnet_best_kernel()

  /// OpenBLAS's routines, loaded the first time and set to ``threads``; nil where it isn't installed.
  static var library: vetnet_openblas? {
    guard let library = loaded else { return nil }
    let count = threads
    // Setting the number wakes the pool up, even when it stays the same.
    threadsInUse.withLock { inUse in
      guard inUse != count else { return }
      library.set_threads(Int32(clamping: count))
      inUse = count
    }
    return library
  }

  private static let threadsInUse = Mutex(1)

  /// Addresses of functions, which every thread may call.
  private static let loaded: vetnet_openblas? = withUnsafeTemporaryAllocation(
    of: vetnet_openblas.self, capacity: 1
  ) { room in
    guard let library = room.baseAddress, vetnet_openblas_load(library) else { return nil }
    return library.pointee
  }

  /// The inner product.
  ///
  /// - Precondition: both vectors have the same length.
  public static func dot(_ left: [Float], _ right: [Float]) -> Float {
    left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { right in dot(left, right) } }
  }

  /// The inner product of numbers in memory. Equal numbers give equal products, wherever they lie.
  ///
  /// - Precondition: both have the same length.
  public static func dot(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) -> Float {
    precondition(left.count == right.count, "vectors of length \(left.count) and \(right.count)")
    guard let left = left.baseAddress, let other = right.baseAddress else { return 0 }
    return vetnet_dot(kernel, left, other, right.count)
  }

  /// The Euclidean norm, safe from overflow in between.
  public static func norm(_ vector: [Float]) -> Float {
    vector.withUnsafeBufferPointer { vector in vector.baseAddress.map { vetnet_norm($0, vector.count) } ?? 0 }
  }

  /// Adds `factor * vector` to `target`.
  ///
  /// - Precondition: both vectors have the same length.
  public static func add(_ factor: Float, times vector: [Float], to target: inout [Float]) {
    precondition(vector.count == target.count, "vectors of length \(vector.count) and \(target.count)")
    vector.withUnsafeBufferPointer { vector in
      target.withUnsafeMutableBufferPointer { target in
        guard let source = vector.baseAddress, let sum = target.baseAddress else { return }
        vetnet_add(kernel, factor, source, sum, vector.count)
      }
    }
  }

  /// Multiplies every entry by `factor`.
  public static func scale(_ vector: inout [Float], by factor: Float) {
    for index in vector.indices { vector[index] *= factor }
  }
}
