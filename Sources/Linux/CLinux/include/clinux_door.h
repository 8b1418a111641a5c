// SPDX-License-Identifier: Apache-2.0
// Packet sockets at a link of Ethernet with many devices: <linux/if_packet.h> and <linux/filter.h>.
#ifndef CLINUX_DOOR_H
#define CLINUX_DOOR_H

#include <stdint.h>

// Ethernet addresses stand in the lower 48 bits of a number.

// A socket as `clinux_packet_socket` makes them, which gets nothing yet. While it is open, the interface takes frames to all addresses.
int clinux_device_socket(const char *interface);

// The socket gets from now on IPv6 from `device` to `own` or to a group; nothing where `device` is 0. Takes no rights.
int clinux_device_socket_choose(int socket, uint64_t own, uint64_t device);

// A socket of whole frames by which devices show that they are there: neighbour discovery, listener reports, DHCPv4's questions.
// Non-blocking, close-on-exec. Takes CAP_NET_RAW.
int clinux_door_socket(const char *interface);

// The socket gets from now on, of these devices, advertisements of routers and of the router's address alone, and DHCPv4. Takes no rights.
int clinux_door_socket_leave_out(int socket, const uint64_t *devices, unsigned count);

// More devices cannot be left out.
enum { clinux_door_limit = 64 };

// The address of an interface of the thread's network namespace; 0 with errno, which is EINVAL for what is no Ethernet.
uint64_t clinux_interface_address(const char *interface);

#endif
