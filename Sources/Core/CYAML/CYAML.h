// SPDX-License-Identifier: Apache-2.0
// libyaml: the events of a YAML text.
#include <yaml.h>
