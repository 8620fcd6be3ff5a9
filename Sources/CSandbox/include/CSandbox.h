#ifndef VETNET_CSANDBOX_H
#define VETNET_CSANDBOX_H
// Of the system's headers only this one: what another declares here would be taken for this module's.
#include <stdint.h>

// What the kernel can take from a process for good, in a few calls without a library: seccomp with a filter of some twenty
// instructions, and Landlock's rules for TCP (since Linux 6.7), which Debian 12's headers don't have.

// Rights of linux/landlock.h, of which Debian 12's has not all.
#define VETNET_MAY_READ 0xcu      // files, and lists of folders
#define VETNET_MAY_WRITE 0x4002u  // files, and cut them off (since version 3)
#define VETNET_MAY_MAKE 0x21b0u   // and remove and rename, files and folders

// Refuses sockets with EACCES: all, or all but those between programs of one machine. Calls of another kind than the program's own
// (32 bit, x32) and io_uring, which would be ways around, are refused too. It is inherited by threads and programs that are
// started later, and can't be taken back. Returns 0, or -1 with errno.
int vetnet_refuse_sockets(int allows_local);

// Leaves a server what it needs, sockets that listen for TCP, and refuses the rest with EACCES: connecting, also by the first
// bytes sent, other kinds of sockets, and bytes to an address. For the calling thread and what it starts. Returns 0, or -1 with
// errno.
int vetnet_refuse_connections(void);

// The version of Landlock that the kernel has; 0 for none.
int vetnet_landlock_version(void);

// Begins a set of rules: what none of them allows of files, or of TCP, is refused. Returns a descriptor, or -1 with errno.
int vetnet_landlock_begin(int version, int restricts_files, int restricts_tcp);

// Allows something of a file, or of all below a folder. What isn't there is passed over. Returns 0, or -1 with errno.
int vetnet_landlock_allow_path(int rules, int version, const char *path, uint64_t access);

// Allows to listen on a TCP port; 0 for whichever is free. Returns 0, or -1 with errno.
int vetnet_landlock_allow_port(int rules, uint64_t port);

// Puts the rules into force for the calling thread and what it starts, and closes them. Returns 0, or -1 with errno.
int vetnet_landlock_enforce(int rules);

// Whether the list of a folder that anybody may read is refused to this process, by trying.
int vetnet_folder_is_refused(const char *path);

// Whether to connect is refused to this process whatever the address, by trying with a descriptor that is none.
int vetnet_calling_is_refused(void);

// Whether a socket of a family is refused to this process, by trying: 1 refused for want of right, 0 opened or failed otherwise.
int vetnet_socket_is_refused(int family);

// A program that may be wrong or worse, started with as little as it needs: two pipes, a few variables, limits, and of the network
// nothing or one listening socket in a network of its own, whose other end the caller holds. Between fork and exec only system
// calls are made.

// Where starting failed.
enum vetnet_guest_stage {
  VETNET_GUEST_FILES = 1,
  VETNET_GUEST_LIMITS,
  VETNET_GUEST_NETWORK,
  VETNET_GUEST_LISTENER,
  VETNET_GUEST_SOCKETS,
  VETNET_GUEST_PROGRAM,
};

struct vetnet_guest {
  // Its standard input and output.
  int input;
  int output;
  // One end of a pair of sockets through which the listening socket is handed out; -1 for no network.
  int gate;
  // Where it finds the listener, in host order.
  uint32_t address;
  uint16_t port;
  uint64_t memory_bytes;
  uint64_t processor_seconds;
};

struct vetnet_guest_failure {
  int32_t stage;
  int32_t error;
};

// Refuses every socket but those of TCP over IPv4 and connected pairs of streams, which reach nobody else. Returns 0, or -1 with errno.
int vetnet_refuse_sockets_but_tcp(void);

// Has Landlock, where the kernel has it, let TCP through to one port only (to bind to it, too, where `binds`), and, for a guest, no
// signals to others. What the kernel doesn't know is left out: this holds a second time what other means hold.
void vetnet_allow_only_tcp_port(uint16_t port, int binds, int is_guest);

// Whether this system lets a program have a network of its own, by trying.
int vetnet_can_leave_network(void);

// The listener that a guest handed out; -1 where there is none.
int vetnet_take_gate(int gate);

// Calling one server and nobody else: a child that was told its addresses connects to them, whenever it is asked to, and hands the
// connection over. Who asks can then give up sockets itself, for good. The child opens no file and starts nothing; it ends with
// who asks.

// A socket address, `struct sockaddr_in` or `sockaddr_in6`, of `size` bytes.
struct vetnet_address {
  uint8_t bytes[28];
  uint32_t size;
};

#define VETNET_MOST_ADDRESSES 16

// Starts it; each of its calls takes `seconds` at most for each address. Returns the descriptor by which it is asked, or -1 with errno.
int vetnet_start_dialer(const struct vetnet_address *addresses, int count, int seconds);

// A connection to the first of the addresses that answers, or -1 with errno.
int vetnet_dial(int gate);

// Takes sockets from whoever has a dialer, in the same way as vetnet_refuse_sockets; to connect what the dialer gave does nothing, with
// success, whatever the address. Returns 0, or -1 with errno.
int vetnet_leave_sockets_to_dialer(void);

// Starts a program in a process group of its own. Returns its process, or -1 with where and why it failed; nothing runs then.
int32_t vetnet_start_guest(
    const struct vetnet_guest *guest, char *const words[], char *variables[], struct vetnet_guest_failure *failure);

// Which build of the program this is: what the linker made of all that went into it. Returns how many bytes were given, 0 for a
// program that was linked without one.
int vetnet_build_id(uint8_t *bytes, int room);

// Has the heap grow by so many bytes of addresses now, for the kernel to hand out in pages of megabytes where it has any. For the first
// thread of a process, once. Returns 0, or -1 where the heap didn't grow or there are no such pages.
int vetnet_heap_in_large_pages(int bytes);

#endif
