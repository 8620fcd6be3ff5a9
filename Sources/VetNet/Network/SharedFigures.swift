import Clinical
import Foundation
import Glibc
import Store

/// What a practice's finished visits of one type say of their length, and its appointments of who came: sums alone.
public struct VisitFigures: Codable, Hashable, Sendable {
  public let visitType: String
  /// Finished visits whose minutes are known.
  public internal(set) var timed = 0
  /// Of the natural logarithms of their minutes.
  public internal(set) var logSum = 0.0
  public internal(set) var logSquares = 0.0
  /// Appointments that were kept or to which nobody came.
  public internal(set) var appointments = 0
  public internal(set) var noShows = 0

  private enum CodingKeys: String, CodingKey {
    case timed, appointments
    case visitType = "visit_type"
    case logSum = "log_sum"
    case logSquares = "log_squares"
    case noShows = "no_shows"
  }

  public init(visitType: String, logMinutes: [Double] = [], appointments: Int = 0, noShows: Int = 0) {
    self.visitType = visitType
    timed = logMinutes.count
    logSum = logMinutes.reduce(0, +)
    logSquares = logMinutes.reduce(0) { $0 + $1 * $1 }
    self.appointments = appointments
    self.noShows = noShows
  }
}

/// The figures of some practices, in the order of the job.
public struct SharedFigures: Codable, Equatable, Sendable {
  public struct OfPractice: Codable, Equatable, Sendable {
    /// What the practice is called in this job.
    public let practice: String
    /// By visit type.
    public let figures: [VisitFigures]

    public init(practice: String, figures: [VisitFigures]) {
      self.practice = practice
      self.figures = figures
    }
  }

  public let practices: [OfPractice]

  public init(practices: [OfPractice]) { self.practices = practices }

  public func adding(_ other: SharedFigures) -> SharedFigures {
    SharedFigures(practices: practices + other.practices)
  }
}

extension Practice.Sharing {
  /// Fewer visits of a type than this are not given: they would be single cases.
  static let fewestSharedVisits = 5

  /// The figures up to a moment; types with few visits are left out.
  func sharedFigures(called label: String, at now: Timestamp) throws -> SharedFigures {
    try reading {
      var byType: [String: VisitFigures] = [:]
      for visit in try connection.appointments.finished(after: .beginning, before: now) {
        guard let type = visit.appointment.visitType?.rawValue else { continue }
        let value = Glibc.log(visit.minutes)
        byType[type, default: VisitFigures(visitType: type)].timed += 1
        byType[type]?.logSum += value
        byType[type]?.logSquares += value * value
      }
      for (type, kept, missed) in try connection.appointments.attendance(before: now) {
        byType[type, default: VisitFigures(visitType: type)].appointments = kept + missed
        byType[type]?.noShows = missed
      }
      let figures = byType.values.sorted { $0.visitType < $1.visitType }.compactMap { figure -> VisitFigures? in
        var figure = figure
        if figure.timed < Self.fewestSharedVisits { (figure.timed, figure.logSum, figure.logSquares) = (0, 0, 0) }
        if figure.appointments < Self.fewestSharedVisits { (figure.appointments, figure.noShows) = (0, 0) }
        return figure.timed + figure.appointments > 0 ? figure : nil
      }
      return SharedFigures(practices: [.init(practice: label, figures: figures)])
    }
  }
}
