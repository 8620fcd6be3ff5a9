import Clinical
import Store

/// A reading that gives the same whenever the file and the moment are the same, and is asked for often: when somebody books, every
/// screen of the practice reads the day at once.
public protocol RepeatableReading: Operation, Hashable {}

/// What readings gave, for as long as they would give it again.
///
/// Nobody has to say that something changed: the file's state is compared, which others may have written meanwhile. Only the very
/// same second counts as the same moment, so that no age, delay or due date is ever an earlier one's.
struct ReadingMemo {
  struct State: Hashable {
    let records: RecordState
    let learning: LearningState
  }

  struct Kept {
    let state: State
    let second: Int64
    let outcome: Any
    let seen: [RecordReference]
  }

  var kept = Shelf<AnyHashable, Kept>(capacity: 64)
  /// How many were given again.
  var repeated = 0
}

extension Practice {
  /// Runs an operation, or gives what it gave before; on record it is put each time.
  func outcome<Wanted: Operation>(of operation: Wanted, _ passage: Passage) throws -> Wanted.Outcome {
    // A writer's own transactions may yet be taken back.
    guard connection.access == .readOnly, judgements.isOn, let repeatable = operation as? any RepeatableReading else {
      return try operation.run(passage)
    }
    let key = AnyHashable(repeatable)
    return try reading {
      let state = try fileState()
      let now = ReadingMemo.State(records: state.records, learning: state.learning)
      if let known = readings.kept[key], known.state == now, known.second == passage.now.seconds,
        let outcome = known.outcome as? Wanted.Outcome
      {
        readings.repeated += 1
        passage.touch(known.seen)
        return outcome
      }
      let outcome = try operation.run(passage)
      readings.kept[key] = ReadingMemo.Kept(
        state: now, second: passage.now.seconds, outcome: outcome, seen: passage.seen)
      return outcome
    }
  }
}
