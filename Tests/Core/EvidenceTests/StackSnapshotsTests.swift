// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing

@Suite struct StackSnapshotsTests {
    @Test func `a file that is elsewhere for us is found in the maps by its whole path`() {
        var stacks = StackSnapshots()
        let lines = [
            "7f00-7f10 r-xp 00000000 00:2a 7                          /media/a/lib.so",
            "7f10-7f20 r-xp 00000000 00:2a 8                          /x/media/a/lib.so",
            "7f20-7f30 rw-p 00000000 00:00 0", "",
        ]
        stacks.maps = [Array(lines.joined(separator: "\n").utf8)]
        stacks.replace("/media/a/lib.so", by: "/usr/lib/b.so")
        let text = String(decoding: stacks.maps[0], as: UTF8.self)
        #expect(text == lines.joined(separator: "\n").replacing(" /media/a/lib.so", with: " /usr/lib/b.so"))
    }
}
