import CSandbox
import Glibc

/// Whom a command may talk to, beside the person at the terminal and the files of this machine.
public enum Reach: Hashable, Sendable {
  /// Nobody: no socket can be opened.
  case nothing
  /// Programs on the same machine, as an editor needs that a person chose.
  case thisMachine
  /// Whoever comes to a TCP port, 0 for any that is free: it connects to nobody.
  case listening(port: Int)
  /// Whoever the command is for: a reader that was given the network, a browser that is started.
  case network
}

/// What the kernel has taken from this process, for good and for whatever it starts.
public enum Confinement {
  /// Takes the network away, as far as the kernel can; what it can't is said by `doctor`.
  ///
  /// It holds for the thread that calls it and those that it starts later: call it before there are others.
  public static func take(_ reach: Reach) {
    guard reach != .network else { return }
    // Names of accounts may come from a service that is asked through a socket.
    _ = Actor.local
    if case .listening(let port) = reach {
      _ = vetnet_refuse_tcp(Int32(port))
      _ = vetnet_refuse_connections()
    } else {
      _ = vetnet_refuse_tcp(-1)
      _ = vetnet_refuse_sockets(reach == .thisMachine ? 1 : 0)
    }
  }

  /// What holds for this process, found by trying.
  static var finding: DoctorFinding {
    let refusesNetwork = vetnet_socket_is_refused(AF_INET) == 1 && vetnet_socket_is_refused(AF_INET6) == 1
    let refusesLocal = vetnet_socket_is_refused(AF_UNIX) == 1
    let landlock = vetnet_landlock_version()
    let words =
      if refusesNetwork && refusesLocal {
        "the kernel refuses this program every socket (seccomp)"
          + (landlock >= 4 ? ", and TCP once more (Landlock)" : "; its Landlock is too old to refuse TCP once more")
      } else if refusesNetwork {
        "the kernel refuses this program the network (seccomp); sockets to programs of this machine are let through"
      } else {
        "the kernel doesn't keep this process from the network: it serves somebody, or the kernel has no seccomp; the program opens no connection by itself all the same"
      }
    return DoctorFinding(.remark, "network", words)
  }
}
