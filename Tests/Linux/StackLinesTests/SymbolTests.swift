// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import StackLines

@Suite struct `Names of symbols` {
    @Test(arguments: [
        ("main", "main"), ("_ZN3net7connectEPKc", "net::connect"),
        ("_ZNK3net6Client4openEv", "net::Client::open"),
        ("_ZN4demo4main17h0123456789abcdefE", "demo::main"),
        ("$s3net13connectServeryyF", "net.connectServer()"),
        ("$s4shop7AppKindO7connect4host4portySS_s6UInt16VtKFSbSPys5UInt8VGXEfU_", "shop.AppKind.connect(host:port:)"),
        ("_Zbroken", "_Zbroken"), ("$snonsense", "$snonsense"), ("", ""),
    ])
    func `have no mangling`(symbol: String, name: String) throws {
        _ = try StackLines()
        #expect(Symbol.plainName(symbol) == name)
    }
}
