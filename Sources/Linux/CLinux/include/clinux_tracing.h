// SPDX-License-Identifier: Apache-2.0
// Following a client's system calls (ptrace(2), seccomp(2)): what `import Glibc` does not show of it.
//
// The client asks the kernel, by a filter of system calls, to stop it at those that concern the network; a thread of the runner
// follows it and its descendants, and lets them go on. Other calls cost the filter's few instructions.
#ifndef CLINUX_TRACING_H
#define CLINUX_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Makes the calling thread, and all that it starts, stop at the calls that are traced. Without a tracer those calls fail with
// ENOSYS: it must be followed before. Returns -1 with errno set where the kernel or this process's rights do not allow it.
int clinux_stop_at_calls(void);

// Follows a process and all its descendants; they are killed when the calling thread ends. Returns -1 with errno set.
int clinux_trace(pid_t process);

enum {
    // Nothing is followed any more.
    clinux_stop_none = 0,
    // The process or thread has ended; `value` is its wait status.
    clinux_stop_ended = 1,
    // At a call that is traced.
    clinux_stop_call = 2,
    // At the end of a call.
    clinux_stop_return = 3,
    // It has started the process or thread `value`.
    clinux_stop_started = 4,
    // It runs another program; it was the thread `value` before.
    clinux_stop_executed = 5,
    // The signal `value` is about to reach it.
    clinux_stop_signal = 6,
    // It is stopped, as by SIGSTOP.
    clinux_stop_stopped = 7,
    // It has just begun, or goes on after a stop.
    clinux_stop_begun = 8,
};

struct clinux_stop {
    pid_t thread;
    int32_t kind;
    int64_t value;
};

// Waits until a followed thread stops. The calling thread must be the one that follows.
struct clinux_stop clinux_await_stop(void);

enum {
    // Until the next stop.
    clinux_go_on = 0,
    // Until the end of the call that it is in.
    clinux_finish_call = 1,
    // It stays stopped, until something wakes it.
    clinux_stay_stopped = 2,
};

// Lets a stopped thread go on, with a signal that it gets; 0 is none. False where it is gone.
bool clinux_let_go(pid_t thread, int how, int signal);

// The calls that are traced, whatever the architecture's numbers are.
enum {
    clinux_called_other = 0,
    clinux_called_socket,
    clinux_called_connect,
    clinux_called_bind,
    clinux_called_listen,
    clinux_called_sendto,
    clinux_called_sendmsg,
    clinux_called_sendmmsg,
    clinux_called_setsockopt,
    clinux_called_getsockopt,
    clinux_called_ioctl,
    clinux_called_openat,
    clinux_called_io_uring_setup,
    clinux_called_ptrace,
    /// chown and its like.
    clinux_called_change_owner,
    /// setuid, setgid and their like.
    clinux_called_change_user,
};

struct clinux_traced_call {
    int32_t call;
    // Whether the pointers in it are those of a 32-bit program.
    bool is_32_bit;
    uint64_t arguments[6];
    uint64_t instruction;
    uint64_t stack;
};

// What a thread that is stopped at a call is about to do; false where it is gone.
bool clinux_get_call(pid_t thread, struct clinux_traced_call *call);

// What the call returned of a thread that is stopped at its end: an errno negated. False where it is gone.
bool clinux_get_return(pid_t thread, int64_t *value);

enum { clinux_register_limit = 33 };

// The registers in DWARF's numbering; returns how many, 0 where they cannot be had.
int clinux_get_registers(pid_t thread, uint64_t registers[clinux_register_limit], uint64_t *stack);

// Copies memory of a process; returns how much was there, or -1.
ssize_t clinux_read_memory(pid_t process, uint64_t address, void *buffer, size_t size);

struct clinux_socket_kind {
    int32_t family, type, protocol;
    // Of the socket itself, whatever descriptors it has.
    uint64_t inode;
};

// A handle of a process (its thread group's number), close-on-exec; -1 where there is none.
int clinux_open_process(pid_t process);

// Of a descriptor of another process; false where it is no socket.
bool clinux_get_socket_kind(int handle, int descriptor, struct clinux_socket_kind *kind);

// The address that it is bound to; returns its size, 0 where there is none.
size_t clinux_get_socket_name(int handle, int descriptor, void *address, size_t size);

#endif
