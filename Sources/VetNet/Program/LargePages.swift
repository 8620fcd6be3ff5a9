import CSandbox

/// Memory for a program that answers a question and ends.
///
/// Such a program touches some megabytes once, and the kernel hands them out 4 KB at a time, each at 2 to 4 µs in a virtual machine:
/// an eighth of the question's time. The heap grows once instead, and may be handed out 2 MB at a time. A server, which lives on, would
/// only hold more memory by it.
public enum LargePages {
  /// Bytes of addresses; only what is touched of them takes memory.
  private static let byteCount: Int32 = 64 << 20

  /// Has what is allocated from now on lie in large pages, where the kernel has any. Once, on the main thread.
  ///
  /// - Returns: whether the heap grew, and the kernel takes the wish.
  @discardableResult
  public static func use() -> Bool { vetnet_heap_in_large_pages(byteCount) == 0 }
}
