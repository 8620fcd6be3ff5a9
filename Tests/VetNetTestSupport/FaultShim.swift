import Foundation
import Glibc

/// Something that goes wrong at one step of what a process writes below a folder; see `Tests/Faults/faults.c`, which a test
/// compiles and has the system load into the program. Nothing of it is in the program.
public struct Fault: Sendable, CustomStringConvertible {
  public enum Mode: String, Sendable, CaseIterable {
    /// The end of the process, before the step or in the middle of a write.
    case kill, tear
    /// The step fails: an error of the disk, no room, half of a write, a lock that others hold.
    case eio, enospc, short, busy
    /// The end of the process, and of much that it wrote and didn't bring to the disk; by chance, see ``Fault/seed``.
    case power
  }

  public var mode: Mode
  /// Which step, from 1; 0 counts them only, and ``atTheEnd`` is when the process has ended.
  public var step: Int
  /// Whether all steps after it go wrong too.
  public var stays: Bool
  /// Which steps count: w write, s sync, t truncate, n rename and unlink, o open, l lock, r read.
  public var kinds: String
  /// For ``Mode/power``: which of what was not brought to the disk is there.
  public var seed: UInt64 = 0
  /// For ``Mode/power``: the disk says that it synced, and didn't.
  public var liesAboutSync = false

  /// For ``Mode/power``.
  public static let atTheEnd = -1

  public init(_ mode: Mode, at step: Int, stays: Bool = false, kinds: String = "wstn") {
    self.mode = mode
    self.step = step
    self.stays = stays
    self.kinds = kinds
  }

  public var description: String { "\(mode.rawValue) at \(kinds) \(step)\(stays ? " and after" : "")" }

  /// The program with this fault in whatever it writes below `folder`.
  public func installed(in process: VetNetProcess, folder: String, countFile: String) throws -> VetNetProcess {
    var process = process
    process.environment.merge([
      "LD_PRELOAD": try Self.library.get(), "VETNET_FAULT_FOLDER": folder, "VETNET_FAULT_AT": "\(step)",
      "VETNET_FAULT_MODE": mode.rawValue, "VETNET_FAULT_STAYS": stays ? "1" : "0", "VETNET_FAULT_KIND": kinds,
      "VETNET_FAULT_COUNT": countFile, "VETNET_FAULT_SEED": "\(seed)",
      "VETNET_FAULT_LIES": liesAboutSync ? "1" : "0",
    ]) { _, new in new }
    return process
  }

  /// The steps that a process took, as the file says that it was told to count in.
  public static func count(in file: String) -> Int {
    guard let data = FileManager.default.contents(atPath: file), data.count == 8 else { return 0 }
    return data.withUnsafeBytes { Int($0.loadUnaligned(as: Int64.self)) }
  }

  /// Compiled once a process, and left for the next.
  private static let library: Result<String, any Error> = Result {
    let source = projectDirectory + "/Tests/Faults/faults.c"
    let text =
      try Data(contentsOf: URL(filePath: source))
      + Data(contentsOf: URL(filePath: projectDirectory + "/Tests/Faults/power.h"))
    let name = text.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let library = FileManager.default.temporaryDirectory.appending(path: "vetnet-faults-\(getuid())-\(name).so").path
    if FileManager.default.fileExists(atPath: library) { return library }
    let made = library + ".\(getpid())"
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "sh", "-c", "for c in cc clang gcc; do command -v $c >/dev/null && exec $c \"$@\"; done; exit 127", "sh",
      "-shared",
      "-fPIC", "-O1", "-o", made, source, "-ldl",
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0, rename(made, library) == 0 else { throw CocoaError(.executableLoad) }
    return library
  }
}
