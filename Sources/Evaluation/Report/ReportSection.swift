/// A part of a report beyond its figures: what to look at when a figure is not what was hoped for.
public struct ReportSection: Hashable, Sendable {
  /// What the part shows.
  public enum Content: Hashable, Sendable {
    case table(head: [String], rows: [[String]])
    /// Counts by label (rows) and what was said (columns).
    case confusion(labels: [String], counts: [[Int]])
    /// Lines over one axis each way; a diagonal where agreement would lie on it.
    case curves([Curve], x: String, y: String, diagonal: Bool)
    /// A value with its interval per name.
    case bars([Bar], x: String)
    /// Cases with what was said of them and why.
    case cases([WorstCase])
  }

  /// Points in the order in which they are joined.
  public struct Curve: Hashable, Sendable {
    public var name: String
    public var points: [Point]

    public init(_ name: String, _ points: [Point]) {
      self.name = name
      self.points = points
    }
  }

  public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  public struct Bar: Hashable, Sendable {
    public var name: String
    public var estimate: Estimate

    public init(_ name: String, _ estimate: Estimate) {
      self.name = name
      self.estimate = estimate
    }
  }

  /// A case in which the program was wrong by much.
  public struct WorstCase: Hashable, Sendable {
    public var id: String
    /// `labelled red, said green`
    public var verdict: String
    public var text: String
    /// The program's reasons, a line each, indented by depth.
    public var reasons: [String]

    public init(id: String, verdict: String, text: String, reasons: [String]) {
      self.id = id
      self.verdict = verdict
      self.text = text
      self.reasons = reasons
    }
  }

  public var title: String
  public var content: Content

  public init(_ title: String, _ content: Content) {
    self.title = title
    self.content = content
  }

  /// Whether it is drawn, and can stand beside another.
  var isPlot: Bool {
    switch content {
    case .confusion, .curves, .bars: true
    case .table, .cases: false
    }
  }
}
