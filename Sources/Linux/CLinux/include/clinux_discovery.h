// SPDX-License-Identifier: Apache-2.0
// Packet sockets on an Ethernet link with many devices: <linux/if_packet.h> and <linux/filter.h>.
#ifndef CLINUX_DISCOVERY_H
#define CLINUX_DISCOVERY_H

#include <stdint.h>

// Ethernet addresses are the lower 48 bits of a number.

// A socket like that of `clinux_packet_socket`, which receives nothing yet. While it is open, the interface accepts frames to all
// addresses.
int clinux_device_socket(const char *interface);

// From now on the socket receives IPv6 from `device` to `own` or to a group; nothing if `device` is 0. Needs no privileges.
int clinux_device_socket_choose(int socket, uint64_t own, uint64_t device);

// A socket that receives the frames by which devices are discovered: neighbour discovery, listener reports, DHCPv4 requests.
// Non-blocking, close-on-exec. Needs CAP_NET_RAW.
int clinux_discovery_socket(const char *interface);

// From these devices the socket now receives only advertisements of routers and of the router's address, and DHCPv4. Needs no privileges.
int clinux_discovery_socket_leave_out(int socket, const uint64_t *devices, unsigned count);

// Maximum number of devices to leave out.
enum { clinux_discovery_limit = 64 };

// The address of an interface of the thread's network namespace; 0 with errno, which is EINVAL for an interface that is not Ethernet.
uint64_t clinux_interface_address(const char *interface);

#endif
