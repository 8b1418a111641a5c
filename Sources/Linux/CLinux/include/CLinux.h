// SPDX-License-Identifier: Apache-2.0
// Functions of Linux that the data path and the sandbox need and `import Glibc` does not offer.
//
// Functions return the result of the system call: -1 with errno set if it failed. Addresses and ports are numbers in
// host byte order; sockaddr and control messages are not visible to Swift.
#ifndef CLINUX_H
#define CLINUX_H

#include "clinux_calls.h"
#include "clinux_cgroup.h"
#include "clinux_closed_sockets.h"
#include "clinux_confinement.h"
#include "clinux_discovery.h"
#include "clinux_event.h"
#include "clinux_keeper.h"
#include "clinux_listeners.h"
#include "clinux_memory.h"
#include "clinux_namespace.h"
#include "clinux_packet.h"
#include "clinux_room.h"
#include "clinux_socket.h"
#include "clinux_splice.h"
#include "clinux_tasks.h"
#include "clinux_terminal.h"
#include "clinux_tracing.h"
#include "clinux_tun.h"
#include "clinux_unix.h"

#endif
