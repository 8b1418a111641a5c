// SPDX-License-Identifier: Apache-2.0
// Traces a client's system calls (ptrace(2), seccomp(2)), as far as `import Glibc` does not offer it.
//
// The client installs a seccomp filter that stops it at calls that concern the network; a thread of the runner traces it and its
// descendants, and continues them. Other calls cost only the filter's few instructions.
#ifndef CLINUX_TRACING_H
#define CLINUX_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Makes the calling thread, and all that it starts, stop at the traced calls. Without a tracer those calls fail with ENOSYS, so it must
// be traced before. Returns -1 with errno set if the kernel or this process's rights do not allow it.
int clinux_stop_at_calls(void);

// Traces a process and all its descendants; they are killed when the calling thread ends. Returns -1 with errno set.
int clinux_trace(pid_t process);

enum {
    // No process is traced any more.
    clinux_stop_none = 0,
    // The process or thread has ended; `value` is its wait status.
    clinux_stop_ended = 1,
    // At a traced call.
    clinux_stop_call = 2,
    // At the end of a call.
    clinux_stop_return = 3,
    // It has started the process or thread `value`.
    clinux_stop_started = 4,
    // It has executed another program; its thread id was `value` before.
    clinux_stop_executed = 5,
    // The signal `value` is about to reach it.
    clinux_stop_signal = 6,
    // It is stopped, as by SIGSTOP.
    clinux_stop_stopped = 7,
    // It has just started, or continues after a stop.
    clinux_stop_begun = 8,
};

struct clinux_stop {
    pid_t thread;
    int32_t kind;
    int64_t value;
};

// Waits until a traced thread stops. The calling thread must be the tracer.
struct clinux_stop clinux_await_stop(void);

enum {
    // Until the next stop.
    clinux_go_on = 0,
    // Until the end of the current call.
    clinux_finish_call = 1,
    // It stays stopped, until a signal wakes it.
    clinux_stay_stopped = 2,
};

// Continues a stopped thread, and delivers a signal unless that is 0. False if the thread is gone.
bool clinux_let_go(pid_t thread, int how, int signal);

// The traced calls, independent of the architecture's numbers.
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
    /// chown and similar calls.
    clinux_called_change_owner,
    /// setuid, setgid and similar calls.
    clinux_called_change_user,
    /// exit_group with an error.
    clinux_called_exit,
};

struct clinux_traced_call {
    int32_t call;
    // Whether its pointers are those of a 32-bit program.
    bool is_32_bit;
    uint64_t arguments[6];
    uint64_t instruction;
    uint64_t stack;
};

// Gets the call at which a thread is stopped; false if the thread is gone.
bool clinux_get_call(pid_t thread, struct clinux_traced_call *call);

// Gets the return value of the call at whose end a thread is stopped: a negative errno on failure. False if the thread is gone.
bool clinux_get_return(pid_t thread, int64_t *value);

enum { clinux_register_limit = 33 };

// The registers in DWARF's numbering; returns their number, 0 if they are not available.
int clinux_get_registers(pid_t thread, uint64_t registers[clinux_register_limit], uint64_t *stack);

// Copies memory of a process; returns the number of octets copied, or -1.
ssize_t clinux_read_memory(pid_t process, uint64_t address, void *buffer, size_t size);

struct clinux_socket_kind {
    int32_t family, type, protocol;
    // Identifies the socket itself, regardless of its descriptors.
    uint64_t inode;
};

// A handle of a process (given by its thread group id), close-on-exec; -1 if there is none.
int clinux_open_process(pid_t process);

// The kind of another process's socket; false if the descriptor is no socket.
bool clinux_get_socket_kind(int handle, int descriptor, struct clinux_socket_kind *kind);

// The address that the socket is bound to; returns its size, 0 if there is none.
size_t clinux_get_socket_name(int handle, int descriptor, void *address, size_t size);

#endif
