import Glibc

/// The process that works on a job: enough to tell, later and from another process, whether it still lives.
public struct JobHolder: Hashable, Sendable {
  public let host: String
  /// Changes when the machine starts: process numbers begin anew then.
  public let boot: String
  public let process: Int32
  /// When the process began, in clock ticks since the machine started: numbers are given out again.
  public let startTicks: UInt64

  public init(host: String, boot: String, process: Int32, startTicks: UInt64) {
    self.host = host
    self.boot = boot
    self.process = process
    self.startTicks = startTicks
  }

  /// This process.
  public static var current: JobHolder {
    let process = getpid()
    return JobHolder(
      host: hostName, boot: bootID, process: process, startTicks: startTicks(of: process) ?? 0)
  }

  /// Whether the process is gone for certain. One on another machine never is: only its heartbeat tells.
  public var isGone: Bool {
    guard host == Self.hostName else { return false }
    return boot != Self.bootID || Self.startTicks(of: process) != startTicks
  }

  private static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static var bootID: String {
    readSmallFile("/proc/sys/kernel/random/boot_id").split(separator: "\n").first.map(String.init) ?? ""
  }

  /// Field 22 of `/proc/<pid>/stat`; nil when there is no such process. The name in field 2 may hold spaces and
  /// parentheses, so that fields are counted from behind its last one.
  private static func startTicks(of process: Int32) -> UInt64? {
    let status = readSmallFile("/proc/\(process)/stat")
    guard let nameEnd = status.lastIndex(of: ")") else { return nil }
    let fields = status[nameEnd...].split(separator: " ")
    return fields.count > 20 ? UInt64(fields[20]) : nil
  }

  private static func readSmallFile(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}

extension JobHolder {
  /// As it is stored: `host boot process ticks`.
  var stored: String { "\(host) \(boot) \(process) \(startTicks)" }

  init?(stored text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let process = Int32(parts[2]), let ticks = UInt64(parts[3]) else { return nil }
    self.init(host: String(parts[0]), boot: String(parts[1]), process: process, startTicks: ticks)
  }
}
