// SPDX-License-Identifier: Apache-2.0
/// Telling the runner what the client asked for. Never waits, never fails the client, leaves no descriptor open.
#ifndef CSYNTHESIS_EVIDENCE_H
#define CSYNTHESIS_EVIDENCE_H

#include "../include/record.h"

/// Whether evidence is collected.
bool evidence_wanted(void);

/// Fills in who called from where, and sends the record. errno and h_errno stay as they are. Without a return address
/// there is no caller's place in the record, and no lock is taken.
void evidence_send(struct synthesis_record *record, const void *return_address);

/// Whether a call is worth a record: the first with this node from this place in this process. For calls that a program
/// makes by the thousand.
bool evidence_is_new(const char *call, const char *node, const void *return_address);

#endif
