// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Synchronization

/// A descriptor that another thread takes, once.
final class SharedDescriptor: Sendable {
    private let file: Mutex<Descriptor?>

    init(_ file: consuming sending Descriptor) {
        self.file = Mutex(file)
    }

    func take() -> sending Descriptor? {
        file.withLock { $0.take() }
    }
}
