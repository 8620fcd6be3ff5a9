import Glibc

/// Keeps every program that uses a practice file through SQLite away from it, by the locks that SQLite itself takes.
///
/// A connection to a file with a write-ahead log holds its lock for as long as it is open, so that having this one means that
/// nobody else has the file open. Unlike a lock taken through SQLite it needs no file that can be read, and changes none.
///
/// A lock of this kind goes when the process closes any descriptor of the file: open no connection to it meanwhile, and read it through this one.
///
/// - Source: <https://www.sqlite.org/fileformat2.html#the_lock_byte_page>
struct FileLock: ~Copyable {
  let descriptor: Int32

  /// - Throws: ``StoreError`` with `busy` while anybody has the file open, `cannotOpen` where it can't be locked.
  init(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("locking '\(path)'") }
    // The bytes for pending, reserved and shared locks.
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
    guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
      let number = errno
      close(descriptor)
      throw StoreError(number == EACCES || number == EAGAIN ? .busy : .cannotOpen, context: "locking '\(path)'")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
