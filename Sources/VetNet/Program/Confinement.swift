import CSandbox
import Glibc

/// Whom a command may talk to, beside the person at the terminal.
public enum Reach: Hashable, Sendable {
  /// Nobody: no socket can be opened.
  case nothing
  /// Programs on the same machine, as an editor needs that a person chose.
  case thisMachine
  /// TCP over IPv4 alone, for a reader that is let reach the address which the practice allows.
  case readerAddress
  /// One server, by names that are looked up once: no socket can be opened but by a child that knows its addresses and no others.
  case hub([HubURL])
  /// Whoever comes to a TCP port, 0 for any that is free: it connects to nobody.
  case listening(port: Int)
  /// Whoever the command is for: a browser that is started.
  case network
}

/// Which files a command may touch, beside the system's own programs and tables, which it may read.
public struct FileReach: Hashable, Sendable {
  /// Files, and folders with all below them.
  public var readable: [String]
  public var writable: [String]

  public init(readable: [String] = [], writable: [String] = []) {
    self.readable = readable
    self.writable = writable
  }

  /// What programs of this system need to run at all: libraries, time zones, accounts, what the kernel says of the machine.
  static let system = ["/usr", "/lib", "/lib64", "/etc", "/opt", "/proc", "/sys"]
  static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/pts", "/dev/random", "/dev/urandom"]
}

/// What the kernel has taken from this process, for good and for whatever it starts.
public enum Confinement {
  /// Takes the network and the files away, as far as the kernel can; what it can't is said by `doctor`.
  ///
  /// It holds for the thread that calls it and those that it starts later: call it before there are others.
  ///
  /// - Parameters:
  ///   - reach: whom it may talk to.
  ///   - files: what it may touch; nil for whatever the account may, as programs need that somebody else wrote.
  public static func take(_ reach: Reach, files: FileReach?) {
    // Names of accounts may come from a service that is asked through a socket.
    _ = Actor.local
    if case .hub(let urls) = reach { Dialer.hold(urls) }
    restrict(reach, files)
    switch reach {
    case .nothing: _ = vetnet_refuse_sockets(0)
    case .hub: _ = vetnet_leave_sockets_to_dialer()
    case .thisMachine: _ = vetnet_refuse_sockets(1)
    // The port is known when the practice is open.
    case .readerAddress: _ = vetnet_refuse_sockets_but_tcp()
    case .listening: _ = vetnet_refuse_connections()
    case .network: break
    }
  }

  private static func restrict(_ reach: Reach, _ files: FileReach?) {
    let version = vetnet_landlock_version()
    guard version > 0 else { return }
    // The first version refuses every renaming from one folder to another, whatever is allowed.
    let files = version >= 2 ? files : nil
    let keepsTCP = reach == .network || reach == .readerAddress
    let rules = vetnet_landlock_begin(version, files == nil ? 0 : 1, keepsTCP ? 0 : 1)
    guard rules >= 0 else { return }
    if case .listening(let port) = reach, version >= 4 { _ = vetnet_landlock_allow_port(rules, UInt64(max(0, port))) }
    if let files {
      func allow(_ paths: [String], _ access: UInt64) {
        for path in paths { _ = vetnet_landlock_allow_path(rules, version, path, access) }
      }
      let reading = UInt64(VETNET_MAY_READ)
      let writing = reading | UInt64(VETNET_MAY_WRITE)
      allow(FileReach.system + files.readable, reading)
      allow(FileReach.devices, writing)
      allow(files.writable, writing | UInt64(VETNET_MAY_MAKE))
    }
    _ = vetnet_landlock_enforce(rules)
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
  static var findings: [DoctorFinding] {
    let refusesNetwork = vetnet_socket_is_refused(AF_INET) == 1 && vetnet_socket_is_refused(AF_INET6) == 1
    let refusesLocal = vetnet_socket_is_refused(AF_UNIX) == 1
    let version = vetnet_landlock_version()
    let network =
      if refusesNetwork && refusesLocal {
        "the kernel refuses this program every socket (seccomp)"
          + (version >= 4 ? ", and TCP once more (Landlock)" : "; its Landlock is too old to refuse TCP once more")
      } else if refusesNetwork {
        "the kernel refuses this program the network (seccomp); sockets to programs of this machine are let through"
      } else if vetnet_calling_is_refused() == 1 {
        "the kernel lets this program be called on and refuses it to call anybody (seccomp)"
          + (version >= 4 ? "; it listens on one port (Landlock)" : "")
      } else {
        "the kernel doesn't keep this process from the network: it was given the network, or the kernel has no seccomp; the program opens no connection by itself all the same"
      }
    let files =
      if vetnet_folder_is_refused("/") == 1 {
        "the kernel lets this program read and write the practice file's folder and files that were named, read its models and the system's own files, and start no program (Landlock \(version))"
      } else {
        version > 0
          ? "the kernel doesn't restrict which files this process may touch, beyond the rights of the account"
          : "the kernel has no Landlock: which files this program may touch is what the account may"
      }
    return [DoctorFinding(.remark, "network", network), DoctorFinding(.remark, "files", files)]
  }
}
