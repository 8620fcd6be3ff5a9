import FoundationEssentials
import Glibc
import VetNet

/// Commands that somebody repeats, by names of their own: a file of the account's, beside those of other programs.
struct AliasFile {
  let path: String

  /// `$XDG_CONFIG_HOME/vetnet/aliases.json`, else `~/.config/vetnet/aliases.json`.
  init(environment: [String: String]) { path = "\(Self.folder(environment: environment))/aliases.json" }

  static func folder(environment: [String: String]) -> String {
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    return "\(set("XDG_CONFIG_HOME") ?? "\(set("HOME") ?? ".")/.config")/vetnet"
  }

  /// By name; none where there is no file.
  ///
  /// - Throws: ``PracticeError`` for a file that holds something else.
  func read() throws -> [String: String] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [:] }
    guard let aliases = try? JSONDecoder().decode([String: String].self, from: data) else {
      throw PracticeError(.failed, "'\(path)' holds no aliases", hint: "Mend it, or take it away: it is a JSON object.")
    }
    return aliases
  }

  /// Puts all of them there, in place of those before.
  func write(_ aliases: [String: String]) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try encoder.encode(aliases).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw PracticeError(.failed, "can't write '\(path)'", hint: "Maybe set XDG_CONFIG_HOME.")
    }
  }

  /// The words of a command: parted by spaces, but within quotes. There is no shell: nothing else means anything.
  ///
  /// - Throws: ``UsageError`` for a quote that isn't closed.
  static func words(of command: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in command {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw UsageError("a quote of the command isn't closed") }
    return words + (word.map { [$0] } ?? [])
  }
}
