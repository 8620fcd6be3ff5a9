import VetNet

/// The group whose practices a server holds: who signed in to it may enter those that take that.
struct ServedGroup: Sendable {
  /// Of the group's own file.
  let id: String
  /// The group's sessions, whose pages' tokens are those of all its practices.
  let sessions: Sessions
}

/// Somebody who signed in to the group, on the way into one of its practices.
struct GroupEntry: Sendable {
  let member: GroupMember
  /// The practice, as it is served.
  let practice: String
  /// What pages of the group's session send along.
  let pageToken: String

  /// What shows their session in that practice and in no other.
  var token: SessionToken { member.token(in: practice) }
}

/// What pages say of the server that they are on, where it holds several practices.
struct GroupPlace: Sendable {
  /// One practice among those that somebody may enter.
  struct Way: Sendable {
    let name: String
    /// Of this server.
    let path: String
  }

  /// Whether the pages are the group's own and no practice's.
  var isHome = false
  /// The practices that somebody may enter, by the name under which they signed in.
  let ways: @Sendable (String) -> [Way]
}
