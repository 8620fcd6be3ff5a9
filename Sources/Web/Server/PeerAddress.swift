import CMicroHTTPD
import Glibc

/// Where somebody comes from, as they are told apart when they sign in.
enum PeerAddress {
  /// `127.0.0.1`; of IPv6 the first half, for one household or practice has all of the other.
  static func text(_ address: UnsafeRawPointer) -> String {
    switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
    case AF_INET:
      return text(AF_INET, address.loadUnaligned(as: sockaddr_in.self).sin_addr)
    case AF_INET6:
      var six = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      let isMapped = withUnsafeBytes(of: &six) { bytes in
        bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
      }
      if isMapped {
        return withUnsafeBytes(of: &six) { text(AF_INET, $0.loadUnaligned(fromByteOffset: 12, as: in_addr.self)) }
      }
      withUnsafeMutableBytes(of: &six) { bytes in
        guard bytes[..<8].contains(where: { $0 != 0 }) else { return }
        for index in 8..<16 { bytes[index] = 0 }
      }
      return text(AF_INET6, six)
    default: return ""
    }
  }

  private static func text<Address>(_ family: Int32, _ address: Address) -> String {
    withUnsafePointer(to: address) { address in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { room in
        guard let start = room.baseAddress,
          inet_ntop(family, UnsafeRawPointer(address), start, socklen_t(INET6_ADDRSTRLEN)) != nil
        else { return "" }
        return String(cString: start)
      }
    }
  }
}
