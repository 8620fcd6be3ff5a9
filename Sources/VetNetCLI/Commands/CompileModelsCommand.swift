import VetNet

/// What `make` calls when it has built the program, and when it has installed it.
enum CompileModelsCommand {
  static let command = Command(
    "compile-models", "works out of the models' tables what a question needs, so that it needn't be at every start",
    options: [Option("--out", "DIR", "where to: the folder of the tables")],
    examples: [
      Example("vetnet compile-models --models Models --out Models", "for the program as it is built, beside its tables")
    ], files: { _ in .folders }
  ) { invocation in
    guard let folder = invocation.arguments.value("--out") else {
      throw UsageError("'vetnet compile-models' needs --out DIR")
    }
    guard let bytes = try invocation.models().compile(into: folder) else {
      invocation.terminal.say("This program was linked without a build's name: the tables are read at every start.")
      return .ok
    }
    invocation.terminal.say("\(folder): \(bytes) bytes of stages")
    return .ok
  }
}
