// SPDX-License-Identifier: Apache-2.0
// expat: the elements of an XML text.
#include <expat.h>
