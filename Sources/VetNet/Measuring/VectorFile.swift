import FoundationEssentials
import Glibc
public import LinearAlgebra

/// A file of vectors in the format of the ANN benchmarks (`.fvecs`), read where it lies: for each vector its dimension as a
/// 32-bit number and its floats, all little-endian.
///
/// - Source: <http://corpus-texmex.irisa.fr>, "File format".
public final class VectorFile: VectorRows, Sendable {
  public let count: Int
  public let dimension: Int
  /// The mapped file; nil when it is empty. Only read, and unmapped when the last owner is gone.
  private nonisolated(unsafe) let bytes: UnsafeRawPointer?
  private let length: Int
  private var stride: Int { 4 + 4 * dimension }

  /// - Throws: ``PracticeError`` when the file can't be read, a vector has another dimension than the first, or the file
  ///   ends within one.
  public init(path: String, dimension: Int) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PracticeError(.failed, "can't read '\(path)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PracticeError(.failed, "can't read '\(path)'") }
    let (length, stride) = (Int(status.st_size), 4 + 4 * dimension)
    guard length % stride == 0 else {
      throw PracticeError(
        .failed, "'\(path)' has \(length) bytes, not a multiple of \(stride), as vectors of \(dimension) floats have",
        hint: "Maybe its vectors have another dimension.")
    }
    self.length = length
    self.dimension = dimension
    count = length / stride
    guard length > 0 else {
      bytes = nil
      return
    }
    // What the first says of itself is known before anything else of a file of any length is looked at.
    var first: Int32 = 0
    guard pread(descriptor, &first, 4, 0) == 4, first == Int32(clamping: dimension) else {
      throw PracticeError(.failed, "'\(path)', vector 0: dimension \(first), not \(dimension)")
    }
    guard let map = mmap(nil, length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0), map != MAP_FAILED else {
      throw PracticeError(.failed, "can't map '\(path)'")
    }
    bytes = UnsafeRawPointer(map)
    for row in 0..<count {
      let stated = map.loadUnaligned(fromByteOffset: row * stride, as: Int32.self)
      guard stated == Int32(dimension) else {
        throw PracticeError(.failed, "'\(path)', vector \(row): dimension \(stated), not \(dimension)")
      }
    }
  }

  deinit {
    if let bytes { munmap(UnsafeMutableRawPointer(mutating: bytes), length) }
  }

  public func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
    precondition(row >= 0 && row < count, "row \(row) of \(count)")
    // Rows begin at multiples of four bytes, which is all that a float asks for.
    let start = bytes.map { ($0 + row * stride + 4).assumingMemoryBound(to: Float.self) }
    return body(UnsafeBufferPointer(start: start, count: dimension))
  }

  public func row(_ row: Int) -> [Float] { withRow(row) { Array($0) } }
}
