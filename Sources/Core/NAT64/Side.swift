// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The origin or destination of a packet: a NAT64 has a side for each family (RFC 6146 §1.2).
public typealias Side = IPFamily
