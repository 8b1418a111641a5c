// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension CallEvidence {
    /// Connections that its own machine refused, at ports where the client never listened and never connected successfully.
    var refusedLocally: [TracedCall] {
        func isLocal(_ call: TracedCall) -> Bool { call.address?.ip?.isOfTheMachine == true }
        let served = Set(
            own.filter { $0.name == .listen || $0.name == .connect && isLocal($0) && $0.error == nil }
                .compactMap(\.address?.port))
        return own.filter { call in
            guard call.name == .connect, call.error == .connectionRefused, isLocal(call), let port = call.address?.port
            else { return false }
            return !served.contains(port)
        }
    }

    package var portsRefusedLocally: Set<UInt16> { Set(refusedLocally.compactMap(\.address?.port)) }
}
