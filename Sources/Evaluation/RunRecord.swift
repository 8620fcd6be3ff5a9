public import Clinical
import FoundationEssentials
import Glibc

/// What a run was made on.
public struct Machine: Hashable, Codable, Sendable {
  /// Names the machine's size, not the machine: `2-core-linux`.
  public let name: String
  public let cores: Int
  /// The processor's model name; empty where the system doesn't tell.
  public let processor: String
  public let memoryGigabytes: Int

  private enum CodingKeys: String, CodingKey {
    case name, cores, processor
    case memoryGigabytes = "memory_gb"
  }

  /// This machine.
  public static func current() -> Machine {
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    return Machine(
      name: "\(cores)-core-linux", cores: cores, processor: processorName(),
      memoryGigabytes: Int((Double(pages) * Double(pageSize) / 0x1p30).rounded()))
  }

  private static func processorName() -> String {
    guard let data = try? Data(contentsOf: URL(filePath: "/proc/cpuinfo")) else { return "" }
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix("model name") {
      return line.split(separator: ":", maxSplits: 1).last.map { String($0.trimmingPrefix { $0 == " " }) } ?? ""
    }
    return ""
  }
}

/// The folder in which runs of one day on one kind of machine are kept: raw JSON beside a README that says how each was made.
public struct RunFolder: Sendable {
  public let path: String

  /// - Parameters:
  ///   - runs: usually `Evaluations/runs`.
  ///   - date: the day of the run.
  ///   - machine: what it is made on.
  public init(runs: String, date: CalendarDate, machine: Machine) {
    path = "\(runs)/\(date)-\(machine.name)"
  }

  /// Keeps a file of a run and its section of the README; an earlier run of the same name is replaced.
  ///
  /// - Parameters:
  ///   - name: of the run, `bench practice`; the section's heading.
  ///   - file: the file's name.
  ///   - content: of the file.
  ///   - section: lines of Markdown below the heading.
  /// - Throws: what the system says when a file can't be written.
  public func keep(_ name: String, file: String, content: [UInt8], section: [String]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(content).write(to: URL(filePath: "\(path)/\(file)"), options: .atomic)
    let readme = URL(filePath: path + "/README.md")
    let before = (try? Data(contentsOf: readme)).map { String(decoding: $0, as: UTF8.self) }
    let title = "# Runs of \(path.split(separator: "/").last.map(String.init) ?? path)\n"
    let after = Self.replacing(name, in: before ?? title, with: section)
    try Data(after.utf8).write(to: readme, options: .atomic)
  }

  /// A README in which the section `name` reads as given; others stay, a new one comes last.
  static func replacing(_ name: String, in readme: String, with section: [String]) -> String {
    var sections: [[Substring]] = [[]]
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { sections.append([]) }
      sections[sections.count - 1].append(line)
    }
    let heading = "## \(name)"
    let lines = ([heading, ""] + section).map { Substring($0) }
    if let place = sections.firstIndex(where: { $0.first.map(String.init) == heading }) {
      sections[place] = lines
    } else {
      sections.append(lines)
    }
    return sections.map { lines in
      var lines = lines
      while lines.last?.isEmpty == true { lines.removeLast() }
      return lines.joined(separator: "\n")
    }
    .joined(separator: "\n\n") + "\n"
  }
}

/// The commit a program's sources were at, as far as git can tell.
public enum SourceCommit {
  /// A short hash, with `-dirty` when files differ from it; `unknown` outside a clone or without git.
  public static func current(in folder: String = ".") -> String {
    guard let scratch = try? ScratchFolder() else { return "unknown" }
    let git = MeasuredProcess("git", scratch: scratch)
    guard let head = try? git.run(["-C", folder, "rev-parse", "--short", "HEAD"]), head.status == 0 else {
      return "unknown"
    }
    let hash = String(decoding: head.output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "unknown"
    let changes = (try? git.run(["-C", folder, "status", "--porcelain", "--untracked-files=no"]))?.output ?? []
    return changes.isEmpty ? hash : hash + "-dirty"
  }
}
