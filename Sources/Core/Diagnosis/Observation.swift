// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Evidence
package import Translation
package import Wire

/// One thing that was seen and meets a rule.
package struct Observation: Hashable, Sendable {
    package var subject: Subject
    /// What was seen.
    package var statement: Statement
    /// Where in the client it comes from, if that is known.
    package var site: CallSite?
    /// What it is about, where that can be named; what has no counterpart elsewhere may have a name all the same.
    package var target: Target?

    /// What an observation is about, the same on every network and in every rule: what is seen of one subject on both networks
    /// is no cause of a difference, and of two rules that say something of one subject, one may supersede the other.
    package enum Subject: Hashable, Sendable {
        case name(DomainName)
        case farEnd(Host, Flow.Transport, port: UInt16)
        case drop(DropReason)
        /// Nothing that has a counterpart elsewhere.
        case itself(Statement)
    }

    /// A host, by its name if the client had one for it.
    package enum Host: Hashable, Sendable {
        case name(DomainName)
        case address(IPAddress)
    }

    init(_ subject: Subject, _ statement: Statement, at site: CallSite? = nil) {
        self.subject = subject
        self.statement = statement
        self.site = site
        target = Target(subject)
    }

    /// Of what has no counterpart.
    init(_ statement: Statement, at site: CallSite? = nil, about target: Target? = nil) {
        self.init(.itself(statement), statement, at: site)
        self.target = target
    }
}
