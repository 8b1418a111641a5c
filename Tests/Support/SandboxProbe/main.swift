// SPDX-License-Identifier: Apache-2.0
import Topology
// A runner without a simulator: it gives a client its place, and says on standard error what came of it. The tests of
// Sandbox drive it, since a process can enter a user namespace only while it has one thread.
//
//     SandboxProbe [OPTION…] -- CLIENT ARGUMENT…   or   SandboxProbe doctor   or   SandboxProbe launcher   or as in Scan.swift
//
//     deadline=MILLISECONDS     end the client then
//     show=PATH:TEXT            show the client this file
//     show-optional=PATH:TEXT   the same, or not at all
//     mask=PATH                 mask this socket
//     dual-stack                give the client IPv4, too
//     facts                     report namespaces and processes

import Glibc
import LinuxNet
import Sandbox
import Wire

func report(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
}

struct Options {
    var deadline: Duration?
    var files: [ShownFile] = []
    var sockets = ClientPlan.resolverSockets
    var isDualStack = false
    var command: [OSString] = []

    init(_ words: ArraySlice<OSString>) {
        var words = words
        while let word = words.popFirst(), word != "--" {
            let parts = word.description.split(separator: "=", maxSplits: 1).map(String.init)
            let value = parts.count == 2 ? parts[1] : ""
            switch parts[0] {
            case "deadline": deadline = .milliseconds(Int(value)!)
            case "show", "show-optional":
                let halves = value.split(separator: ":", maxSplits: 1).map(String.init)
                let file = ShownFile(
                    paths: [halves[0]], contents: Array((halves[1] + "\n").utf8),
                    isOptional: parts[0] == "show-optional")
                files.append(file)
            case "extend", "extend-other":
                let halves = value.split(separator: ":", maxSplits: 2).map(String.init)
                // No file was last changed in 1970.
                let other = FileIdentity(device: 1, inode: 1, changed: 1)
                files.append(
                    ShownFile(
                        paths: [halves[0]],
                        beginning: .init(path: halves[1], identity: parts[0] == "extend" ? nil : other),
                        contents: Array((halves[2] + "\n").utf8)))
            case "mask": sockets.append(value)
            case "dual-stack": isDualStack = true
            default: fatalError("unknown option \(word)")
            }
        }
        command = Array(words)
    }
}

func run(_ inheritance: Inheritance) throws(SandboxError) -> Int32 {
    let options = Options(inheritance.arguments.dropFirst())
    let program: OSString
    switch Executable.find(options.command[0], path: inheritance.environment["PATH"]) {
    case .success(let path): program = path
    case .failure(let reason):
        report("not found: \(reason)")
        return 126
    }

    let start = MonotonicClock.now()
    try WorldNamespace.enter(inheritance)
    let zygote = try Zygote.start(inheritance)
    var network = ClientNetwork(
        ipv6: .init(
            address: IPv6Address("2e00:2:0:1::2")!, prefixLength: 64, gateway: IPv6Address("2e00:2:0:1::1")!))
    if options.isDualStack {
        network.ipv4 = .init(
            address: IPv4Address("192.0.2.2")!, prefixLength: 24, gateway: IPv4Address("192.0.2.1")!)
    }
    Signals.ignore([.interrupt, .quit])
    Signals.block([.terminate, .hangUp])
    let signals: SignalQueue
    do throws(SystemError) { signals = try SignalQueue([.terminate, .hangUp]) } catch { fatalError("\(error)") }

    var client = try Client.start(
        ClientPlan(
            program: program, arguments: options.command, environment: inheritance.environment, network: network,
            files: options.files, maskedSockets: options.sockets, inheritance: inheritance),
        by: zygote.launch())
    let world = try WorldNetwork(
        routerIPv6: [IPv6Address("2e00:2:0:1::1")!], routesIPv6: [IPv6Prefix("2e00:2:0:1::/64")!],
        hostIPv4: [IPv4Address("198.51.100.10")!], hostIPv6: [IPv6Address("2e00:2:0:cafe::20")!]
    ).make()
    let device = try client.takeLink()
    try client.go()
    report("link: \(device.isTUN && world.isTUN ? "TUN" : "Ethernet"), process: \(client.process ?? -1)")
    let deadline = options.deadline.map { MonotonicClock.now() + $0 }
    let ending = client.wait(until: deadline, forwarding: signals)
    report("protection: \(client.protection.map { $0.weakness ?? "namespace" } ?? "unknown")")
    let survivors = client.end().survivors
    if survivors != .none {
        let names = survivors.processes.map { "\($0.name) \($0.process)" }
        report("survivors: \(names.joined(separator: ", ")) + \(survivors.more)")
    }
    report("microseconds: \((MonotonicClock.now() - start).wholeNanoseconds / 1000)")

    switch ending?.outcome {
    case .exited(let code): return code
    case .signaled(let number, _): return 128 + number
    case .notExecuted(let reason):
        report("not executed: \(reason)")
        return 126
    case .lost:
        report("lost")
        return 125
    case nil:
        return 124
    }
}

/// Has a launcher that gets no plan, and waits for ever.
func launcher(_ inheritance: Inheritance) throws(SandboxError) {
    try WorldNamespace.enter(inheritance)
    let zygote = try Zygote.start(inheritance)
    let launcher = try zygote.launch()
    withExtendedLifetime(zygote) { withExtendedLifetime(launcher) { while true { pause() } } }
}

func doctor(_ inheritance: Inheritance) throws(SandboxError) -> Int32 {
    for fact in Machine.facts(inheritance) {
        report("\(fact.name): \(fact.state): \(fact.detail)" + (fact.remedy.map { " (\($0))" } ?? ""))
    }
    let rehearsal = try Machine.rehearse(inheritance)
    report("rehearsal: \(rehearsal)")
    return 0
}

/// As a runner, it has entered a namespace first, and so a user namespace where it is an ordinary user.
func scan(_ inheritance: Inheritance) throws(SandboxError) -> Int32 {
    try WorldNamespace.enter(inheritance)
    let words = inheritance.arguments.dropFirst().map(\.description)
    do throws(SystemError) {
        if words[0] == "try" {
            try Scan.one(Array(words.dropFirst()))
        } else {
            try Scan.all(keepingRights: words[0] == "scan-rights")
        }
    } catch {
        report("\(error)")
        return 1
    }
    return 0
}

func scan(in process: Int32) -> Int32 {
    do throws(SystemError) {
        try Scan.others(in: process)
        return 0
    } catch {
        report("\(error)")
        return 1
    }
}

do throws(SandboxError) {
    let inheritance = Inheritance.take()
    switch inheritance.arguments.dropFirst().first {
    case "launcher": try launcher(inheritance)
    case "doctor": exit(try doctor(inheritance))
    case "scan", "scan-rights", "try": exit(try scan(inheritance))
    case "scan-in": exit(scan(in: Int32(inheritance.arguments.last?.description ?? "") ?? -1))
    default: exit(try run(inheritance))
    }
} catch {
    report("\(error.step): \(error)")
    exit(5)
}
