// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import SuiteRunner
import Terminal

extension SuiteOptions {
    /// The options of a suite without a file, with its own simulator.
    init(withoutFile parallel: JobsOption, _ reports: ReportOptions, _ colour: ColourOptions) {
        self.init()
        simulator = ChosenSimulator.own
        jobs = parallel.jobs
        self.reports = reports.paths(results: nil)
        // Annotations need a file with lines. They are only made if asked for, as lines of the program's own files may be known.
        annotations = reports.annotations == .auto ? .never : reports.annotations
        self.colour = colour.color
    }
}
