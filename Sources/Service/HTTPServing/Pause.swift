// SPDX-License-Identifier: Apache-2.0
package import NIOCore

extension EventLoop {
    /// Lets the task wait, in place of `Task.sleep`: the timers of that are Dispatch's, which has no place in a confined process
    /// (`clinux_tasks.h`). Throws where the task is cancelled.
    package func pause(for time: TimeAmount) async throws {
        let end = scheduleTask(in: time) {}
        try await withTaskCancellationHandler {
            try await end.futureResult.get()
        } onCancel: {
            end.cancel()
        }
    }
}
