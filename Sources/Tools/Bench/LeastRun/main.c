// SPDX-License-Identifier: Apache-2.0
// LeastRun PROGRAM [ARGUMENTS …]: makes only those system calls that a run of `ipv6check` cannot do without: a yardstick for scripts/bench.
// It checks nothing, serves nothing and translates nothing.
//
//   this process                                      the client's place, forked from it
//   network namespace, TUN, addresses, 10 sockets     network, mount and PID namespace, TUN, address, route, files
//   takes the other TUN, reads both in a thread       the program, as a child of PID 1
//   says "go", waits for its end, ends the thread     tells how it ended
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { loopback = 1, failed = 125, octets = 8192 };

static int checked(int result, const char *call) {
    if (result >= 0) return result;
    fprintf(stderr, "LeastRun: %s: %s\n", call, strerror(errno));
    _exit(failed);
}
#define CHECKED(call) checked((int)(call), #call)

// MARK: - Netlink: all messages in one send, and one answer, to the last

struct batch {
    int length;
    unsigned count;
    _Alignas(struct nlmsghdr) char octets[octets];
};

static struct nlmsghdr *add(struct batch *batch, int type, int flags, const void *body, int length) {
    struct nlmsghdr *message = (struct nlmsghdr *)(batch->octets + batch->length);
    *message = (struct nlmsghdr){
        .nlmsg_len = NLMSG_LENGTH(length), .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | flags,
        .nlmsg_seq = ++batch->count};
    memcpy(NLMSG_DATA(message), body, length);
    batch->length += NLMSG_SPACE(length);
    return message;
}

static void attach(struct batch *batch, struct nlmsghdr *message, int type, const void *value, int length) {
    struct rtattr *attribute = (struct rtattr *)(batch->octets + batch->length);
    attribute->rta_type = type;
    attribute->rta_len = RTA_LENGTH(length);
    memcpy(RTA_DATA(attribute), value, length);
    batch->length += RTA_SPACE(length);
    message->nlmsg_len = batch->octets + batch->length - (char *)message;
}

static void link_up(struct batch *batch, int link, unsigned mtu) {
    const struct ifinfomsg body = {.ifi_index = link, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    struct nlmsghdr *message = add(batch, RTM_NEWLINK, 0, &body, sizeof body);
    if (mtu != 0) attach(batch, message, IFLA_MTU, &mtu, sizeof mtu);
}

static void address(struct batch *batch, int link, int family, const char *text, int prefix) {
    unsigned char value[16];
    const int length = family == AF_INET ? 4 : 16;
    inet_pton(family, text, value);
    const struct ifaddrmsg body = {
        .ifa_family = family, .ifa_prefixlen = prefix, .ifa_index = link, .ifa_flags = family == AF_INET6 ? IFA_F_NODAD : 0};
    struct nlmsghdr *message = add(batch, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &body, sizeof body);
    attach(batch, message, IFA_LOCAL, value, length);
    attach(batch, message, IFA_ADDRESS, value, length);
}

static void route(struct batch *batch, int link, int family, const char *text, int prefix, int flags) {
    unsigned char value[16];
    const struct rtmsg body = {
        .rtm_family = family, .rtm_dst_len = prefix, .rtm_table = RT_TABLE_MAIN, .rtm_protocol = RTPROT_BOOT,
        .rtm_scope = family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE, .rtm_type = RTN_UNICAST};
    struct nlmsghdr *message = add(batch, RTM_NEWROUTE, NLM_F_CREATE | flags, &body, sizeof body);
    if (prefix != 0) {
        inet_pton(family, text, value);
        attach(batch, message, RTA_DST, value, family == AF_INET ? 4 : 16);
    }
    attach(batch, message, RTA_OIF, &link, sizeof link);
}

/// Only the last message requests an answer; an earlier one that fails is answered anyway.
static void send_all(const struct batch *batch) {
    const int netlink = CHECKED(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    CHECKED(send(netlink, batch->octets, batch->length, 0));
    _Alignas(struct nlmsghdr) char answer[octets];
    for (;;) {
        int length = CHECKED(recv(netlink, answer, sizeof answer, 0));
        for (struct nlmsghdr *next = (struct nlmsghdr *)answer; NLMSG_OK(next, length); next = NLMSG_NEXT(next, length)) {
            if (next->nlmsg_type != NLMSG_ERROR) continue;
            const struct nlmsgerr *error = NLMSG_DATA(next);
            errno = -error->error;
            if (error->error != 0) checked(-1, "netlink");
            if (next->nlmsg_seq == batch->count) {
                close(netlink);
                return;
            }
        }
    }
}

// MARK: - Links

static int make_tun(const char *name, int *link) {
    const int tun = CHECKED(open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK));
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
    strcpy(request.ifr_name, name);
    CHECKED(ioctl(tun, TUNSETIFF, &request));
    CHECKED(ioctl(tun, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6));
    // Closing a TUN that is not persistent deletes its interface, which waits for the kernel's grace periods.
    CHECKED(ioctl(tun, TUNSETPERSIST, 1));
    *link = (int)if_nametoindex(name);
    return tun;
}

static int make_world(void) {
    int link;
    const int tun = make_tun("world", &link);
    struct batch batch = {0};
    link_up(&batch, loopback, 0);
    link_up(&batch, link, 1500);
    static const char *const ipv4[] = {"198.51.100.1", "198.51.100.10", "198.51.100.11", "198.51.100.7", "198.51.100.20"};
    static const char *const ipv6[] = {"2001:db8::1", "2001:db8::20", "2001:db8::6"};
    for (size_t index = 0; index < sizeof ipv4 / sizeof *ipv4; index++) address(&batch, loopback, AF_INET, ipv4[index], 32);
    for (size_t index = 0; index < sizeof ipv6 / sizeof *ipv6; index++) address(&batch, loopback, AF_INET6, ipv6[index], 128);
    route(&batch, link, AF_INET, "192.0.2.0", 24, 0);
    route(&batch, link, AF_INET6, "2001:db8:0:1::", 64, NLM_F_ACK);
    send_all(&batch);
    return tun;
}

static int make_client_link(void) {
    int link;
    const int tun = make_tun("eth0", &link);
    struct batch batch = {0};
    link_up(&batch, loopback, 0);
    link_up(&batch, link, 1500);
    address(&batch, link, AF_INET6, "2001:db8:0:1::2", 64);
    route(&batch, link, AF_INET6, "", 0, NLM_F_ACK);
    send_all(&batch);
    return tun;
}

/// A DNS server's socket and nine listeners.
static void listen_in_world(void) {
    for (int number = 0; number < 10; number++) {
        const int type = number == 0 ? SOCK_DGRAM : SOCK_STREAM;
        const int listener = CHECKED(socket(AF_INET6, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const struct sockaddr_in6 end = {.sin6_family = AF_INET6, .sin6_port = htons(number < 2 ? 53 : 80 + number)};
        CHECKED(bind(listener, (const struct sockaddr *)&end, sizeof end));
        if (type == SOCK_STREAM) CHECKED(listen(listener, 128));
    }
}

// MARK: - Between the two

union control {
    struct cmsghdr header;
    char octets[CMSG_SPACE(sizeof(int))];
};

static void send_descriptor(int socket, int descriptor) {
    char octet = 0;
    struct iovec data = {&octet, 1};
    union control control = {.header = {CMSG_LEN(sizeof descriptor), SOL_SOCKET, SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    const struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    CHECKED(sendmsg(socket, &message, 0));
}

static int take_descriptor(int socket) {
    char octet;
    struct iovec data = {&octet, 1};
    union control control;
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int descriptor = -1;
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || CMSG_FIRSTHDR(&message) == NULL) _exit(failed);
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

// MARK: - The client's place

static void write_file(const char *path, const char *text) {
    const int file = CHECKED(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    CHECKED(write(file, text, strlen(text)));
    close(file);
}

/// In a user namespace, an ordinary user may do all of the following.
static void enter_namespace(void) {
    const unsigned user = geteuid(), group = getegid();
    CHECKED(unshare(CLONE_NEWNET | (user == 0 ? 0 : CLONE_NEWUSER)));
    if (user == 0) return;
    char map[64];
    write_file("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "0 %u 1", user);
    write_file("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "0 %u 1", group);
    write_file("/proc/self/gid_map", map);
}

static void show_files(void) {
    CHECKED(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    CHECKED(mount("LeastRun", "/mnt", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m"));
    write_file("/mnt/resolv.conf", "nameserver 2001:db8::1\n");
    write_file("/mnt/nsswitch.conf", "hosts: files dns\n");
    write_file("/mnt/hosts", "::1 localhost\n");
    CHECKED(mount("/mnt/resolv.conf", "/etc/resolv.conf", NULL, MS_BIND, NULL));
    CHECKED(mount("/mnt/nsswitch.conf", "/etc/nsswitch.conf", NULL, MS_BIND, NULL));
    CHECKED(mount("/mnt/hosts", "/etc/hosts", NULL, MS_BIND, NULL));
    CHECKED(umount2("/mnt", MNT_DETACH));
}

/// Runs as PID 1 of the client's namespace.
static void keep(int control, char **command) {
    CHECKED(prctl(PR_SET_PDEATHSIG, SIGKILL));
    CHECKED(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
    char go;
    if (read(control, &go, 1) != 1) _exit(failed);
    const pid_t client = CHECKED(fork());
    if (client == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    int status;
    CHECKED(waitpid(client, &status, 0));
    CHECKED(write(control, &status, sizeof status));
    _exit(EXIT_SUCCESS);
}

static void make_place(int control, char **command) {
    CHECKED(unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID));
    send_descriptor(control, make_client_link());
    show_files();
    const pid_t keeper = CHECKED(fork());
    if (keeper == 0) keep(control, command);
    CHECKED(waitpid(keeper, NULL, 0));
    _exit(EXIT_SUCCESS);
}

// MARK: - This process

static struct pollfd links[3];

static void *read_links(void *unused) {
    static char packet[1 << 17];
    while (poll(links, 3, -1) > 0 && links[2].revents == 0)
        for (int side = 0; side < 2; side++)
            while (read(links[side].fd, packet, sizeof packet) > 0) {}
    return unused;
}

int main(int count, char **words) {
    if (count < 2) {
        fputs("usage: LeastRun PROGRAM [ARGUMENTS …]\n", stderr);
        return 2;
    }
    enter_namespace();
    int control[2];
    CHECKED(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control));
    const pid_t place = CHECKED(fork());
    if (place == 0) make_place(control[1], words + 1);
    close(control[1]);

    links[0].fd = make_world();
    listen_in_world();
    links[1].fd = take_descriptor(control[0]);
    links[2].fd = CHECKED(eventfd(0, EFD_CLOEXEC));
    for (int index = 0; index < 3; index++) links[index].events = POLLIN;
    pthread_t reader;
    errno = pthread_create(&reader, NULL, read_links, NULL);
    if (errno != 0) checked(-1, "pthread_create");

    CHECKED(send(control[0], "", 1, MSG_NOSIGNAL));
    int status;
    if (read(control[0], &status, sizeof status) != sizeof status) return failed;
    CHECKED(waitpid(place, NULL, 0));
    CHECKED(eventfd_write(links[2].fd, 1));
    pthread_join(reader, NULL);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : failed);
}
