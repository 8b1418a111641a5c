// SPDX-License-Identifier: Apache-2.0
// What the data path and the sandbox need of Linux and `import Glibc` does not show.
//
// Functions return what the system call returned: -1 with errno set where it failed. Addresses and ports are numbers in
// the host's order; sockaddr and control messages stay on this side.
#ifndef CLINUX_H
#define CLINUX_H

#include "clinux_calls.h"
#include "clinux_cgroup.h"
#include "clinux_confinement.h"
#include "clinux_door.h"
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
