// SPDX-License-Identifier: Apache-2.0
// Where Swift's tasks run that name no executor, in a process that can open no file.
//
// The library for that, Dispatch, has a look at its threads once a second where tasks wait, in /proc/PID/task/TID/stat, and ends
// the process where it cannot. So a confined process has a pool of its own: a queue, and threads that are started when there is work
// for them. Swift's runtime has a hook for it, which SwiftNIO uses as well
// (NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor).
// Task.sleep does not go through it, and is not used (HTTPServing/Pause.swift).
#ifndef CLINUX_TASKS_H
#define CLINUX_TASKS_H

// Runs tasks on at most so many threads from now on. To be called once, before the first task.
void clinux_run_tasks(int threads);

#endif
