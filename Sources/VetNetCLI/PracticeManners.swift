import Clinical
import VetNet

/// How the practice that a command has opened reads and shows what people write: filled when it is opened.
final class PracticeManners {
  private(set) var units = MeasureUnits.metric
  /// Nil before a practice is open.
  private var moments: MomentReader?

  func take(from practice: Practice) {
    units = practice.settings.units
    moments = practice.settings.moments
  }

  func reader(in zone: PracticeTimeZone, now: Timestamp, looksBack: Bool) -> MomentReader {
    (moments ?? MomentReader.plain(in: zone)).at(now, looksBack: looksBack)
  }
}

extension Invocation {
  /// A time as somebody wrote it for an option.
  ///
  /// - Throws: ``UsageError`` saying what can be written.
  func written(_ option: String, _ text: String, in zone: PracticeTimeZone) throws -> WrittenMoment {
    let looksBack = ["--asked-at", "--since", "--until", "--born"].contains(option)
    let reader = manners.reader(in: zone, now: try now(in: zone), looksBack: looksBack)
    do throws(MomentError) {
      return try reader.read(text)
    } catch {
      switch error {
      case .unreadable:
        throw UsageError(
          "\(option) '\(text)' is not a date or time; write 2026-11-23, 2026-11-23T09:30, 15:00, 3pm, tomorrow 9:30 or mon 10am"
        )
      case .noSuchDay: throw UsageError("\(option) '\(text)' is no day of the calendar")
      case .ambiguous(let first, let second):
        throw UsageError(
          "\(option) '\(text)' may be \(first) or \(second); write one of these, or say once: vetnet config set date-order dmy"
        )
      }
    }
  }
}
