// SPDX-License-Identifier: Apache-2.0
/// Reports the client's questions to the runner. Never waits, never makes the client fail, leaves no descriptor open.
#ifndef CSYNTHESIS_EVIDENCE_H
#define CSYNTHESIS_EVIDENCE_H

#include "../include/record.h"

/// Whether evidence is collected.
bool evidence_wanted(void);

/// Fills in the caller and its place, and sends the record. errno and h_errno are preserved. Without a return address the record has no
/// place of the caller, and no lock is taken.
void evidence_send(struct synthesis_record *record, const void *return_address);

/// Whether a call is worth a record: it is the first with this node from this place in this process. For calls that a program makes by the
/// thousand.
bool evidence_is_new(const char *call, const char *node, const void *return_address);

/// Reports that this process asked for the addresses of the machine, once.
void evidence_of_interfaces(void);

#endif
