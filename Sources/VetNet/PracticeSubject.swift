import Clinical
import Store

/// A subject of a practice: some of what it does, told apart so that each call says what it is about. It holds nothing of its own.
protocol PracticeSubject {
  var practice: Practice { get }
}

extension PracticeSubject {
  var connection: Connection { practice.connection }
  var models: ModelDirectory { practice.models }
  var pipeline: CasePipeline { CasePipeline(models: models) }
  var timeZone: PracticeTimeZone { practice.timeZone }
  var path: String { practice.path }

  /// See ``Practice/reporting(_:)``.
  func reporting<Value>(_ work: () throws -> Value) throws -> Value { try practice.reporting(work) }

  /// See ``Practice/reading(_:)``.
  func reading<Value>(_ work: () throws -> Value) throws -> Value { try practice.reading(work) }

  /// See ``Practice/writing(_:)``.
  func writing<Value>(_ work: () throws -> Value) throws -> Value { try practice.writing(work) }

  /// See ``Practice/continueUnlessStopped()``.
  func continueUnlessStopped() throws { try practice.continueUnlessStopped() }
}

extension Practice {
  /// Patients and owners, their notes and tags: kept, corrected, merged, erased.
  public struct Records: PracticeSubject { let practice: Practice }

  /// What is written while a patient is seen, until it is signed.
  public struct Encounters: PracticeSubject { let practice: Practice }

  /// Photos of patients.
  public struct Photos: PracticeSubject { let practice: Practice }

  /// What came in and waits for a person, and what became of it.
  public struct Inbox: PracticeSubject { let practice: Practice }

  /// Files and calendars of other programs: taken in, taken back, given out.
  public struct Exchange: PracticeSubject { let practice: Practice }

  /// Who works in the practice, in which rooms and at which locations.
  public struct Workplace: PracticeSubject { let practice: Practice }

  /// The appointment book: what is booked, moved, planned and taken back, and why it stands where it does.
  public struct Calendar: PracticeSubject { let practice: Practice }

  /// What the desk sees of the book: days and who is where in them, free times, who waits.
  public struct Reception: PracticeSubject { let practice: Practice }

  /// How urgent a case is, how long it takes, and what was judged so far.
  public struct Assessment: PracticeSubject { let practice: Practice }

  /// What is told of a patient before a visit.
  public struct Briefs: PracticeSubject { let practice: Practice }

  /// Answers to questions, from one record or all of them.
  public struct Answers: PracticeSubject { let practice: Practice }

  /// What is derived from notes, and found by it.
  public struct Index: PracticeSubject { let practice: Practice }

  /// What a practice lets out for work over several: terms, like cases, figures.
  public struct Sharing: PracticeSubject { let practice: Practice }

  /// Users: who they are, how they sign in, and their sessions.
  public struct People: PracticeSubject { let practice: Practice }

  /// Machines and browsers that take the practice along.
  public struct Devices: PracticeSubject { let practice: Practice }

  /// The same practice in several files, kept in step.
  public struct Sync: PracticeSubject { let practice: Practice }

  /// The practice file: its state, backups, encryption and jobs.
  public struct File: PracticeSubject { let practice: Practice }

  /// Whether the file is whole, what is odd in it, and the log of what was done.
  public struct Integrity: PracticeSubject { let practice: Practice }

  /// What the practice decided for itself, and what it switched on.
  public struct Settings: PracticeSubject { let practice: Practice }

  public var records: Records { Records(practice: self) }
  public var encounters: Encounters { Encounters(practice: self) }
  public var photos: Photos { Photos(practice: self) }
  public var inbox: Inbox { Inbox(practice: self) }
  public var exchange: Exchange { Exchange(practice: self) }
  public var workplace: Workplace { Workplace(practice: self) }
  public var calendar: Calendar { Calendar(practice: self) }
  public var reception: Reception { Reception(practice: self) }
  public var assessment: Assessment { Assessment(practice: self) }
  public var briefs: Briefs { Briefs(practice: self) }
  public var answers: Answers { Answers(practice: self) }
  public var index: Index { Index(practice: self) }
  public var sharing: Sharing { Sharing(practice: self) }
  public var people: People { People(practice: self) }
  public var devices: Devices { Devices(practice: self) }
  public var sync: Sync { Sync(practice: self) }
  public var file: File { File(practice: self) }
  public var integrity: Integrity { Integrity(practice: self) }
  public var settings: Settings { Settings(practice: self) }
}
