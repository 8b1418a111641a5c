// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
package import Diagnosis

extension Severity: ExpressibleByArgument {}
