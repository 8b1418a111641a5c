// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension EventLoop {
    /// Suspends the task, in place of `Task.sleep`: its timers are Dispatch's, which cannot be used in a confined process
    /// (`clinux_tasks.h`). Throws if the task is cancelled.
    package func pause(for time: TimeAmount) async throws {
        let end = scheduleTask(in: time) {}
        try await withTaskCancellationHandler {
            try await end.futureResult.get()
        } onCancel: {
            end.cancel()
        }
    }
}
