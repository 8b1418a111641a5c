// SPDX-License-Identifier: Apache-2.0
package import DNSServer
package import LinuxNet
package import Sandbox

/// The reason why a simulator cannot be made.
package enum SimulatorError: Error, Sendable {
    case network(SandboxError)
    case dns(SystemError)
    case validation(ValidatorError)
    /// A line that names host, address and port.
    case servers(String)
    case path(SystemError)
}

extension SimulatorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .network(let error): "\(error)"
        case .dns(let error): "the DNS server does not start: \(error)"
        case .validation(let error): "\(error)"
        case .servers(let error): error
        case .path(let error): "the packet path does not start: \(error)"
        }
    }
}
