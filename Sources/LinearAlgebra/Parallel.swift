import Dispatch

/// Runs independent slices of a range on several threads.
public enum Parallel {
  /// Calls `body` with slices that cover `0..<count`, one thread each, and returns when all are done.
  ///
  /// Which thread takes which slice must not matter for the result: a body writes only to what belongs to its slice.
  static func forEachSlice(of count: Int, atLeast smallest: Int = 256, _ body: @Sendable (Range<Int>) -> Void) {
    // More slices than threads, because rows of a sparse matrix differ in cost.
    let slices = BLAS.threads == 1 ? 1 : min(BLAS.threads * 4, max(1, count / smallest))
    if slices == 1 { return body(0..<count) }
    DispatchQueue.concurrentPerform(iterations: slices) { slice in
      body((count * slice / slices)..<(count * (slice + 1) / slices))
    }
  }

  /// Calls `body` with one slice for each of `threads`, all at the same time, and returns when they are done.
  ///
  /// - Precondition: `threads` is at least 1.
  public static func forEachSlice(
    of count: Int, threads: Int, _ body: @Sendable (_ part: Int, _ slice: Range<Int>) -> Void
  ) {
    if threads == 1 { return body(0, 0..<count) }
    DispatchQueue.concurrentPerform(iterations: threads) { part in
      body(part, (count * part / threads)..<(count * (part + 1) / threads))
    }
  }
}
