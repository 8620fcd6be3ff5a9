import Synchronization

/// Stages that the model folders of one process have in common, so that a server of many practices keeps each once, however many
/// threads and practices use it.
///
/// Only for folders of one path: a stage is known by the name of the function that builds it.
public final class SharedStages: Sendable {
  private let stages = Mutex<[String: any Sendable]>([:])

  public init() {}

  func stage<Stage: Sendable>(_ name: String) -> Stage? { stages.withLock { $0[name] as? Stage } }

  /// - Returns: the stage that all use from now on: another thread's, where that was built first.
  func keep<Stage: Sendable>(_ stage: Stage, as name: String) -> Stage {
    stages.withLock { stages in
      if let first = stages[name] as? Stage { return first }
      stages[name] = stage
      return stage
    }
  }
}
