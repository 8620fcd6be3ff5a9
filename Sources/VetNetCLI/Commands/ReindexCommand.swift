import Clinical
import VetNet

enum ReindexCommand {
  static let command = Command(
    "reindex", "chunks, embeds and indexes the notes again, beside the live index",
    options: [
      Option("--all", nil, "every note, even when nothing has changed"),
      Option("--changed", nil, "only what the index lacks, unless rules or model changed (the default)"),
      Option("--train", nil, "learn the projection from this practice's own notes first"),
      Option("--resume", nil, "go on with a job that was stopped (without it, a stopped job starts clean)"),
      Option("--dry-run", nil, "say what there is to do, change nothing"),
      Option("--shared-model", "FILE", "from now on use a model that several practices learned together"),
      Option("--signer", "KEY", "whose signature it must have: a public key, or a file with it"),
      Option("--train-default", "FOLDER", "train the default model on a folder of notes instead, into --out"),
      Option("--out", "FILE", "where --train-default writes the model"),
    ],
    examples: [
      Example("vetnet reindex", "whatever the index lacks"),
      Example("vetnet reindex --train", "a model of the practice's own, then a new index with it"),
      Example("vetnet reindex --resume", "after a power cut"),
    ],
    discussion: """
      A new generation of the index is built beside the live one, which goes on answering; the switch is atomic. A note that
      can't be indexed is listed with its reason and doesn't stop the job; the exit code is then 3.
      """
  ) { invocation in
    let arguments = invocation.arguments
    if let folder = arguments.value("--train-default") {
      guard let out = arguments.value("--out") else { throw UsageError("--train-default needs --out FILE") }
      let summary = try DefaultModelTraining.run(
        folder: folder, models: invocation.models(), output: out)
      invocation.terminal.print(summary.line)
      return .ok
    }
    if arguments.isSet("--all"), arguments.isSet("--changed") {
      throw UsageError("--all and --changed exclude each other; leave one out")
    }
    var options = ReindexOptions(
      rebuildsAll: arguments.isSet("--all"), trains: arguments.isSet("--train"), resumes: arguments.isSet("--resume"))
    if let file = arguments.value("--shared-model") {
      guard let signer = arguments.value("--signer") else { throw UsageError("--shared-model needs --signer KEY") }
      try invocation.requireOne(of: "--shared-model", "--train")
      options.model = SharedModelFile(path: file, signer: try NetworkKey.named(signer))
    }
    if arguments.isSet("--dry-run") {
      let plan = try invocation.perform(PlanReindex(options: options), on: invocation.openPractice())
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(plan)
      } else {
        invocation.terminal.print(plan.line)
      }
      return .ok
    }
    let practice = try invocation.openPractice(.write)
    StopSignal.watch()
    practice.door.stopSignal = { StopSignal.current }
    let bar = ProgressBar("reindex", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    defer { bar.finish() }
    let lines = JSONProgress(invocation.terminal, isWanted: invocation.wantsJSON)
    let summary = try invocation.perform(
      Reindex(options: options), on: practice,
      progress: {
        bar.update(done: $0.done, total: $0.total, detail: $0.detail)
        lines.update(done: $0.done, total: $0.total, detail: $0.detail)
      })
    bar.finish()
    if invocation.wantsJSON {
      try lines.finish(summary)
    } else {
      for line in summary.lines { invocation.terminal.print(line) }
    }
    for failure in summary.failures { invocation.terminal.say("\(failure.noteID): \(failure.reason)") }
    return summary.failures.isEmpty ? .ok : .someInputRejected
  }
}
