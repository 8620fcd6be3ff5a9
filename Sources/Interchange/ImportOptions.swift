public import Clinical

/// How to read.
public struct ImportOptions: Sendable {
  /// The practice's: times without an offset are readings of its clocks.
  public var timeZone: PracticeTimeZone
  /// Which number of `03/05/2024` is the day; nil to find out from each file, where its dates leave no doubt.
  public var dateOrder: DateOrder?
  /// The same, for files whose dates tell nothing; those that do go before it.
  public var usualDateOrder: DateOrder?
  /// How the files are encoded; nil to find out from each.
  public var encoding: TextEncoding?
  /// Today at the practice: what lies behind it can't have happened yet. Nil to take every date.
  public var today: CalendarDate?
  /// In kilograms, what any animal at all may weigh: what lies outside is no weight. Nil to take every number.
  public var weights: ClosedRange<Double>?
  public var vocabulary: ImportVocabulary
  /// Of calendars; nil to take every event, and none that repeats.
  public var calendarWindow: CalendarWindow?
  /// In bytes: longer lines, CSV rows and text files are rejected without being held.
  public var maximumLineLength: Int

  public init(
    timeZone: PracticeTimeZone, dateOrder: DateOrder? = nil, encoding: TextEncoding? = nil,
    today: CalendarDate? = nil, weights: ClosedRange<Double>? = nil, vocabulary: ImportVocabulary,
    maximumLineLength: Int = 8 << 20
  ) {
    self.timeZone = timeZone
    self.dateOrder = dateOrder
    self.encoding = encoding
    self.today = today
    self.weights = weights
    self.vocabulary = vocabulary
    self.maximumLineLength = maximumLineLength
  }
}
