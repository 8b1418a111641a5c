// SPDX-License-Identifier: Apache-2.0
// An executor for Swift tasks that name none, in a process that cannot open files.
//
// Dispatch, the usual one, checks its threads once a second while tasks wait, in /proc/PID/task/TID/stat, and ends the process if it
// cannot. So a confined process has its own pool: a queue, and threads that are started when there is work for them. Swift's runtime
// has a hook for it, which SwiftNIO uses as well
// (NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor).
// Task.sleep does not use the hook, and is not used (HTTPServing/Pause.swift).
#ifndef CLINUX_TASKS_H
#define CLINUX_TASKS_H

// Runs tasks on at most so many threads from now on. To be called once, before the first task.
void clinux_run_tasks(int threads);

#endif
