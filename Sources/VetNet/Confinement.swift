import CSandbox
import Glibc

/// Whom a command may talk to, beside the person at the terminal and the files of this machine.
public enum Reach: Hashable, Sendable {
  /// Nobody: no socket can be opened.
  case nothing
  /// Programs on the same machine, as an editor needs that a person chose.
  case thisMachine
  /// TCP over IPv4 alone, for a reader that is let reach the address which the practice allows.
  case readerAddress
  /// Whoever comes to a TCP port, 0 for any that is free: it connects to nobody.
  case listening(port: Int)
  /// Whoever the command is for: a browser that is started.
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
    switch reach {
    case .readerAddress:
      // The port is known when the practice is open.
      _ = vetnet_refuse_sockets_but_tcp()
    case .listening(let port):
      _ = vetnet_refuse_tcp(Int32(port))
      _ = vetnet_refuse_connections()
    default:
      _ = vetnet_refuse_tcp(-1)
      _ = vetnet_refuse_sockets(reach == .thisMachine ? 1 : 0)
    }
  }

  /// Takes every port but an address's own from the calling thread and what it starts, where the kernel has Landlock for that.
  public static func narrow(to address: LoopbackAddress) { vetnet_allow_only_tcp_port(address.port, 1, 0) }

  /// What a reader's program would get here, found by trying.
  static func readerFinding(_ address: LoopbackAddress?) -> DoctorFinding {
    let refuses = vetnet_socket_is_refused(AF_INET) == 1 && vetnet_socket_is_refused(AF_UNIX) == 1
    let leaves = vetnet_can_leave_network() == 1
    guard refuses else {
      return DoctorFinding(
        .remark, "reader", "this process was not kept from sockets; where seccomp is missing, a reader is not run")
    }
    let way =
      switch (leaves, address) {
      case (true, let address?):
        "with --reader-network \(address) and nothing else, through a network of its own"
      case (true, nil): "with --reader-network nothing either: the practice allows no address (vetnet config)"
      case (false, _):
        "with --reader-network it is not run: this system lets nobody give a program a network of its own"
      }
    return DoctorFinding(.remark, "reader", "a reader's program reaches no network (seccomp); \(way)")
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
