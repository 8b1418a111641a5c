// SPDX-License-Identifier: Apache-2.0
import Evidence
import Sandbox

extension SurvivingProcesses {
    init(_ survivors: Survivors) {
        self.init(
            processes: survivors.processes.map { Process(process: $0.process, name: $0.name) }, more: survivors.more)
    }
}
