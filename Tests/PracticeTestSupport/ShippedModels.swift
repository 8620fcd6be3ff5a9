public import VetNet
public import VetNetTestSupport

private let stages = SharedStages()

/// The shipped `Models/`, whose stages are built once for all tests of a process: the values are the same, and a test that opens a
/// small practice doesn't read five megabytes of tables for it.
public func shippedModels() throws -> ModelDirectory {
  try ModelDirectory(path: modelsDirectory, sharing: stages)
}
