import FoundationEssentials
import Glibc
import VetNet

/// Which files a command is for.
enum FileUse: Sendable {
  /// Those that its arguments name.
  case named
  /// Those, and the folders that its file arguments lie in: it writes there, or opens a practice file.
  case folders
  /// Whatever the account may: it starts a program that somebody else wrote, or measures.
  case anywhere
  /// The system's own files and no others: it works on what it is sent.
  case system
}

extension CommandLineTool {
  /// What a command may touch, by its arguments; nil for whatever the account may.
  func files(of command: Command, _ arguments: Arguments) -> FileReach? {
    let use = command.files(arguments)
    if case .anywhere = use { return nil }
    if case .system = use { return FileReach() }
    var files = FileReach()
    if let models = try? ModelDirectory.locate(
      option: arguments.value("--models"), environment: environment, executable: executable)
    {
      // With what is linked into it, as package managers do.
      files.readable += [models.path] + Self.links(in: models.path)
    }
    let practice = PracticeLocation.path(option: arguments.value("--practice"), environment: environment)
    files.writable.append(Self.folder(of: practice))
    if command.path[0] == "alias" {
      files.writable.append(Self.folder(of: AliasFile(environment: environment).path))
    }
    // Settings of the line editor and the terminal, and time zones in another place.
    if let home = environment["HOME"] { files.readable += ["\(home)/.editrc", "\(home)/.terminfo"] }
    files.readable += ["TZDIR", "TERMINFO"].compactMap { environment[$0] }.filter { $0.hasPrefix("/") }
    files.writable.append(contentsOf: Self.sessions(environment, makes: command.path == ["login"]))
    for option in command.options + Option.global where Self.namesFiles(option.placeholder ?? "") {
      for path in arguments.values(option.name) where path != "-" {
        let isOnlyRead = option.name.hasSuffix("passphrase-file") || option.name == "--models"
        if isOnlyRead {
          files.readable.append(path)
        } else {
          files.readable.append(path)
          files.writable += Self.isFolder(path) ? [path] : [Self.folder(of: path)]
          // What takes a folder's place is written beside it.
          if case .folders = use { files.writable.append(Self.folder(of: path)) }
        }
      }
    }
    for (index, path) in arguments.positionals.enumerated() where path != "-" && !command.positionals.isEmpty {
      guard Self.namesFiles(command.positionals[min(index, command.positionals.count - 1)].name) else { continue }
      files.readable.append(path)
      if case .folders = use { files.writable += Self.isFolder(path) ? [path] : [Self.folder(of: path)] }
    }
    // What comes through a pipe is kept in a file without a name while it is read twice.
    if Self.mayReadPipe(command, arguments) || arguments.isSet("--demo") {
      files.writable.append(environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
    }
    if arguments.isSet("--demo") { files.readable.append(contentsOf: Self.corpora(above: executable)) }
    // It tries what a reader would be kept to, for which the kernel is told whose that process is.
    if command.path == ["doctor"] { files.writable.append("/proc") }
    return files
  }

  private static func namesFiles(_ placeholder: String) -> Bool {
    ["FILE", "DIR", "PATH", "FOLDER"].contains(placeholder)
  }

  /// Whether some of what it reads may come through a pipe: standard input, where no file is named, or a name that is none of a file.
  private static func mayReadPipe(_ command: Command, _ arguments: Arguments) -> Bool {
    guard command.positionals.contains(where: { namesFiles($0.name) }) else { return false }
    return arguments.positionals.isEmpty || arguments.positionals.contains { !isRegular($0) }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder that a file lies in, links resolved, or the nearest above it that is there.
  private static func folder(of path: String) -> String {
    var folder = path
    if let real = realpath(path, nil) {
      folder = String(cString: real)
      free(real)
    }
    repeat {
      guard let slash = folder.lastIndex(of: "/") else { return "." }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    } while folder != "/" && !isFolder(folder)
    return folder
  }

  /// Where the tokens of those who are signed in lie.
  private static func sessions(_ environment: [String: String], makes: Bool) -> [String] {
    let token = TokenFile.folder(environment: environment)
    if makes { return [isFolder(token) ? token : folder(of: token)] }
    return isFolder(token) ? [token] : []
  }

  private static func links(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { "\(folder)/\($0)" }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
  }

  private static func corpora(above executable: String) -> [String] {
    var folder = executable
    var found: [String] = []
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      if isFolder("\(folder)/Corpus") { found.append("\(folder)/Corpus") }
    }
    return found
  }
}
