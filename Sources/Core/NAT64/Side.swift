// SPDX-License-Identifier: Apache-2.0
public import Wire

/// Where a packet came from, or goes to: a NAT64 has a side for each family (RFC 6146 §1.2).
public typealias Side = IPFamily
