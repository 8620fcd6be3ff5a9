/// Where the practice file is when nobody says: an option, then `$VETNET_PRACTICE`, then the user's data folder.
public enum PracticeLocation {
  /// - Returns: a path; whether a file is there is for ``Practice`` to find out.
  public static func path(option: String?, environment: [String: String]) -> String {
    if let option { return option }
    if let variable = environment["VETNET_PRACTICE"], !variable.isEmpty { return variable }
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? (environment["HOME"] ?? ".") + "/.local/share"
    return data + "/vetnet/practice.vetnet"
  }
}
