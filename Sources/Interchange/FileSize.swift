import Glibc

/// The size of a regular file in bytes; nil for anything else.
func fileSize(_ path: String) -> Int64? {
  var status = stat()
  guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return Int64(status.st_size)
}
