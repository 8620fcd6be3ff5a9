internal import CIcal

/// libical, which is found when the first calendar is read or written.
enum CalendarLibrary {
  /// Whether it is installed; the package depends on it.
  static let isAvailable = vetnet_ical_load()

  static let remedy = "install libical (apt install libical3)"
}
