internal import CEditLine
import Glibc

/// Reads lines from a person, with editing and a history that lives only as long as the session: questions name patients,
/// so they are not written to disk.
final class LineEditor {
  private let editor: OpaquePointer
  private let history: OpaquePointer
  private var prompt: UnsafeMutablePointer<CChar>?

  /// Returns nil when the terminal can't be edited on.
  init?() {
    guard let editor = vetnet_editor_create() else { return nil }
    guard let history = history_init() else {
      el_end(editor)
      return nil
    }
    self.editor = editor
    self.history = history
    vetnet_editor_configure(editor, history)
  }

  deinit {
    history_end(history)
    el_end(editor)
    free(prompt)
  }

  /// What a person did at the prompt.
  enum Input {
    case line(String)
    /// Ctrl-C: the line is dropped.
    case cancelled(isEmpty: Bool)
  }

  /// The next line without its end; nil at the end of input (Ctrl-D).
  func line(prompt text: String) -> Input? {
    let next = strdup(text)
    vetnet_editor_set_prompt(editor, next)
    free(prompt)
    prompt = next
    var count: Int32 = 0
    guard let bytes = el_gets(editor, &count), count > 0 else { return nil }
    let line = String(cString: bytes)
    let trimmed = line.last?.isNewline == true ? String(line.dropLast()) : line
    // What follows the mark is what the editor's buffer held before.
    if let mark = trimmed.firstIndex(of: "\u{3}") {
      return .cancelled(isEmpty: trimmed[..<mark].allSatisfy(\.isWhitespace))
    }
    if trimmed.contains(where: { !$0.isWhitespace }) { vetnet_history_enter(history, trimmed) }
    return .line(trimmed)
  }
}
