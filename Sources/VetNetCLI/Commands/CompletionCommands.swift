import Clinical
import Presentation
import VetNet

/// Help for shells and manuals, made from the command table.
enum CompletionCommands {
  static let command = Command(
    "completions", "prints the completion script for a shell",
    positionals: [Positional("bash|zsh|fish", "the shell")],
    examples: [
      Example("vetnet completions bash > ~/.local/share/bash-completion/completions/vetnet", "for bash"),
      Example("vetnet completions fish > ~/.config/fish/completions/vetnet.fish", "for fish"),
      Example("vetnet completions zsh > ~/.zfunc/_vetnet", "for zsh, with ~/.zfunc in its fpath"),
    ],
    discussion: """
      make install and the Debian package put all three in place. Commands, options and their values are completed, and patients, staff,
      rooms and appointments by the beginning of an id or name: as many as the practice lets you see.
      """
  ) { invocation in
    let shell = invocation.arguments.positionals[0]
    guard let script = ShellScripts.all[shell] else {
      throw UsageError(
        "there are no completions for '\(shell)'; there are \(ShellScripts.all.keys.sorted().joined(separator: ", "))",
        suggestion: Suggestions.nearest(to: shell, among: ShellScripts.all.keys.sorted()))
    }
    invocation.terminal.printRaw(script)
    return .ok
  }

  /// Not for people: what the scripts ask. Silent about whatever goes wrong, for it would land in the line that is typed.
  static let complete = Command(
    "complete", "lists what may end the last word, one a line with a tab before what it stands for",
    positionals: [
      Positional("WORDS", "what stands behind vetnet; the last may be empty", optional: true, repeating: true)
    ],
    examples: [Example("vetnet complete -- schedule bo", "words that begin so")]
  ) { invocation in
    let words = invocation.arguments.positionals
    switch CompletionWords(commands: CommandTable.all).offer(words) {
    case .files(let all):
      show(all, beginning: words.last ?? "", invocation)
      invocation.terminal.print(":files")
    case .words(let all): show(all, beginning: words.last ?? "", invocation)
    case .patients:
      let beginning = words.last ?? ""
      if let found = try? invocation.perform(
        CompletePatients(beginning: beginning), on: Self.practice(invocation, words))
      {
        show(found, beginning: nil, invocation)
      }
    case .book(let kind):
      if let found = try? invocation.perform(
        CompleteBook(kind: kind, beginning: words.last ?? ""), on: Self.practice(invocation, words))
      {
        show(found, beginning: nil, invocation)
      }
    }
    return .ok
  }

  /// The practice that the line that is typed names, or the usual one.
  private static func practice(_ invocation: Invocation, _ words: [String]) throws -> Practice {
    if let place = words.firstIndex(of: "--practice"), place + 1 < words.count - 1 {
      return try invocation.openPractice(at: words[place + 1])
    }
    return try invocation.openPractice()
  }

  private static func show(_ all: [Completion], beginning: String?, _ invocation: Invocation) {
    for completion in all where beginning.map(completion.word.hasPrefix) ?? true {
      let word = completion.word.withoutControls
      guard !word.isEmpty else { continue }
      let description = completion.description.withoutControls
      invocation.terminal.print(description.isEmpty ? word : "\(word)\t\(description.shortened(to: 72))")
    }
  }
}

/// What each shell needs to ask `vetnet complete`.
enum ShellScripts {
  static let all = ["bash": bash, "zsh": zsh, "fish": fish]

  private static let bash = #"""
    # bash completion for vetnet
    _vetnet() {
      local words=("${COMP_WORDS[@]:1:COMP_CWORD}") line word
      COMPREPLY=()
      while IFS= read -r line; do
        if [ "$line" = ":files" ]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
          continue
        fi
        word="${line%%$'\t'*}"
        COMPREPLY+=("$(printf '%q' "$word")")
      done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
    }
    complete -F _vetnet vetnet

    """#

  private static let zsh = #"""
    #compdef vetnet
    # zsh completion for vetnet
    _vetnet() {
      local -a found
      local line
      for line in "${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -z "$line" ]] && continue
        if [[ "$line" == ":files" ]]; then
          _files
          continue
        fi
        local word="${line%%$'\t'*}" meaning=""
        [[ "$line" == *$'\t'* ]] && meaning="${line#*$'\t'}"
        found+=("${word//:/\\:}:${meaning}")
      done
      # What fits a name may not begin with what was typed: the program has chosen already.
      (( ${#found} )) && _describe 'vetnet' found -U
    }
    if [ "$funcstack[1]" = "_vetnet" ]; then _vetnet "$@"; else compdef _vetnet vetnet; fi

    """#

  private static let fish = #"""
    # fish completion for vetnet
    function __vetnet_complete
      set -l words (commandline -opc) (commandline -ct | string trim --left --chars '"')
      set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
      for line in $found
        if test "$line" = ":files"
          __fish_complete_path (commandline -ct)
        else
          printf '%s\n' $line
        end
      end
    end
    complete -c vetnet -f -a '(__vetnet_complete)'

    """#
}
