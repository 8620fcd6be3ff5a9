import Glibc

/// A thread with a full stack of its own.
struct PlatformThread: @unchecked Sendable {
  private let thread: pthread_t

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init(_ run: @escaping @Sendable () -> Void) {
    thread = Self.start(Unmanaged.passRetained(Work(run)).toOpaque())
  }

  private static func start(_ work: UnsafeMutableRawPointer) -> pthread_t {
    var thread: pthread_t = 0
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    pthread_attr_setstacksize(attributes, 8 << 20)
    // Signals are the main thread's.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    let status = pthread_create(&thread, attributes, platformThreadMain, work)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    pthread_attr_destroy(attributes)
    precondition(status == 0, "no thread to be had: \(status)")
    return thread
  }

  func join() { pthread_join(thread, nil) }

  fileprivate static func perform(_ work: UnsafeMutableRawPointer) {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
  }
}

private func platformThreadMain(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work { PlatformThread.perform(work) }
  return nil
}

/// A lock with something to wait for.
final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  @discardableResult
  func withLock<Value>(_ body: (inout State) -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// As ``withLock(_:)``, and wakes all who wait.
  @discardableResult
  func change<Value>(_ body: (inout State) -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let value = body(&state)
    pthread_cond_broadcast(condition)
    return value
  }

  /// Waits until `take` gives something, or so many seconds have passed, which is nil then.
  func wait<Value>(seconds: Double? = nil, _ take: (inout State) -> Value?) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline = timespec()
    if let seconds {
      clock_gettime(CLOCK_MONOTONIC, &deadline)
      let nanoseconds = deadline.tv_nsec + Int((seconds - seconds.rounded(.down)) * 1e9)
      deadline.tv_sec += Int(seconds.rounded(.down)) + nanoseconds / 1_000_000_000
      deadline.tv_nsec = nanoseconds % 1_000_000_000
    }
    while true {
      if let value = take(&state) { return value }
      if seconds == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return take(&state)
      }
    }
  }
}

enum MonotonicClock {
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
