import Glibc

/// What this process takes of the machine.
enum ProcessUse {
  /// Bytes that are in memory now; 0 where the kernel doesn't say.
  static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  /// Seconds of all cores, for the program and in the kernel.
  static var processorSeconds: Double {
    var use = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &use) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(use.ru_utime) + seconds(use.ru_stime)
  }

  /// Descriptors that are open; 0 where the kernel doesn't say.
  static var descriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = -3
    while readdir(folder) != nil { count += 1 }
    return max(0, count)
  }
}
