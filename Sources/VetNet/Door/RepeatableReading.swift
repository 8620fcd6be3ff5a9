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
    /// On whose record it stands. The log's moments are seconds: who reads the same twice within one has one entry.
    var readers: Set<Reader> = []
  }

  struct Reader: Hashable {
    let name: String
    let role: Role

    init(_ actor: Actor) { (name, role) = (actor.name, actor.role) }
  }

  var kept = Shelf<AnyHashable, Kept>(capacity: 64)
  /// How many were given again.
  var repeated = 0
}

extension Practice {
  /// That a reading is on somebody's record, so that its repetition within the same second need not be.
  func markRecorded(_ operation: some Operation, of actor: Actor) {
    guard let repeatable = operation as? any RepeatableReading else { return }
    door.readings.kept[AnyHashable(repeatable)]?.readers.insert(ReadingMemo.Reader(actor))
  }

  /// Runs an operation, or gives what it gave before.
  func outcome<Wanted: Operation>(of operation: Wanted, _ passage: Passage) throws -> Wanted.Outcome {
    // A writer's own transactions may yet be taken back.
    guard connection.access == .readOnly, memos.judgements.isOn, let repeatable = operation as? any RepeatableReading
    else {
      return try operation.run(passage)
    }
    let key = AnyHashable(repeatable)
    return try reading {
      let state = try assessment.fileState()
      let now = ReadingMemo.State(records: state.records, learning: state.learning)
      if let known = door.readings.kept[key], known.state == now, known.second == passage.now.seconds,
        let outcome = known.outcome as? Wanted.Outcome
      {
        door.readings.repeated += 1
        passage.touch(known.seen)
        passage.isOnRecord = known.readers.contains(ReadingMemo.Reader(passage.actor))
        return outcome
      }
      let outcome = try operation.run(passage)
      door.readings.kept[key] = ReadingMemo.Kept(
        state: now, second: passage.now.seconds, outcome: outcome, seen: passage.seen)
      return outcome
    }
  }
}
