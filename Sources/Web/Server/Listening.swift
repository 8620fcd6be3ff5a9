import VetNet

/// Where a workspace is served, under which names, and how it proves itself.
public struct Listening: Sendable {
  public let address: ListenAddress
  public let certificate: ServerCertificate?
  /// Names that browsers may use beside the address, the first of which is the one to open.
  public let hosts: [String]
  /// What browsers call it where something stands before it, such as a load balancer; nil where they come to it themselves.
  public var origin: PublicOrigin?
  /// How long a request may take to arrive whole.
  public var arrivalSeconds = Limits.arrivalSeconds

  /// - Throws: ``PracticeError`` with `invalidArgument` for what is no name of a host.
  public init(_ address: ListenAddress, certificate: ServerCertificate? = nil, hosts: [String] = []) throws {
    for host in hosts {
      let isName =
        (1...253).contains(host.utf8.count)
        && host.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
      guard isName else {
        throw PracticeError(
          .invalidArgument, "'\(host.prefix(60))' is no name of a host",
          hint: "Write desk.practice.lan, without a port.")
      }
    }
    self.address = address
    self.certificate = certificate
    self.hosts = hosts
  }

  /// - Throws: ``PracticeError`` with `notPermitted` where other machines could reach it, themselves or through what stands before it, and
  ///   there is nothing to keep out whoever uses them.
  public func check(hasUsers: Bool, actsAsOne: Bool) throws {
    guard !address.isLoopback || origin != nil else { return }
    let place = "\(origin?.authority ?? address.host) can be reached from other machines"
    var missing: [String] = []
    // What stands before it on this machine has the certificate.
    if certificate == nil, !address.isLoopback { missing.append("TLS (--tls-cert FILE --tls-key FILE)") }
    if !hasUsers { missing.append("users (vetnet user add NAME --role administrator)") }
    guard missing.isEmpty else {
      throw PracticeError(
        .notPermitted, "\(place): that needs \(missing.joined(separator: " and "))",
        hint: "Or listen on 127.0.0.1, for whoever uses this machine.")
    }
    guard !actsAsOne else {
      throw PracticeError(
        .notPermitted, "\(place): with --as, whoever does would act as that user",
        hint: "Leave --as out: everybody signs in.")
    }
    guard !address.isWildcard || !hosts.isEmpty || origin != nil else {
      throw PracticeError(
        .invalidArgument, "\(address.host) is every address of this machine and the name of none",
        hint: "Say with --host NAME what browsers call it.")
    }
  }
}
