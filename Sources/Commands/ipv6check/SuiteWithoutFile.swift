// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import SuiteRunner
import Terminal

extension SuiteOptions {
    /// Of a suite that no file has, in a world of its own.
    init(withoutFile parallel: JobsOption, _ reports: ReportOptions, _ colour: ColourOptions) {
        self.init()
        simulator = ChosenSimulator.own
        jobs = parallel.jobs
        self.reports = reports.paths(results: nil)
        // There is no file at whose lines they could stand, but where the program's own are known.
        annotations = reports.annotations == .auto ? .never : reports.annotations
        self.colour = colour.color
    }
}
