import Foundation

/// Of a large body of cases that are alike `make test` tries every so-manieth, `make acceptance` (`VETNET_TESTS=all`) each.
public enum Portion {
  public static let isWhole = ProcessInfo.processInfo.environment["VETNET_TESTS"] == "all"

  /// The first, and from there on one of each `step`; all where everything is tried.
  public static func of<Cases: Sequence>(_ all: Cases, every step: Int) -> [Cases.Element] {
    isWhole ? Array(all) : all.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
  }
}
