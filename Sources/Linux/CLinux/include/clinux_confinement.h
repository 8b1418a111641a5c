// Giving up for good what a service does not need once it stands.
#ifndef CLINUX_CONFINEMENT_H
#define CLINUX_CONFINEMENT_H

#include <stdbool.h>

enum { clinux_cap_net_bind_service = 10 };

// No exec gives rights any more (no_new_privs), and the system calls that make or change namespaces, mounts, kernels and
// other processes fail with EPERM, as do those of another architecture, and exec itself where it is not wanted. For this
// thread and all that it starts.
int clinux_confine(bool with_exec);

#endif
