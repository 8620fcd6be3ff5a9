import Glibc

/// The time that a core has spent on the thread that asks.
public enum ThreadTime {
  /// Seconds; comparable on one thread only.
  public static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
