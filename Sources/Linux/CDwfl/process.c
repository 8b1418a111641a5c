// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CDwfl.h"
#include "functions.h"
#include "opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cdwfl_process {
    Dwfl *dwfl;
    // Used during unwinding.
    const struct cdwfl_stack *stack;
    struct cdwfl_place *places;
    size_t room, count;
};

// The number does not matter: there is one process, with one thread.
enum { only_thread = 1 };

static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **path, Elf **elf) {
    (void)module, (void)data, (void)base, (void)elf;
    const int descriptor = cdwfl_open_regular(name);
    if (descriptor >= 0) *path = strdup(name);
    return descriptor;
}

// Unwind tables are in the files themselves; no other debug information is needed here.
static const Dwfl_Callbacks callbacks = {.find_elf = find_elf, .find_debuginfo = cdwfl_find_nothing};

static pid_t next_thread(Dwfl *dwfl, void *argument, void **thread) {
    (void)dwfl;
    if (*thread) return 0;
    *thread = argument;
    return only_thread;
}

static bool get_thread(Dwfl *dwfl, pid_t number, void *argument, void **thread) {
    (void)dwfl;
    *thread = argument;
    return number == only_thread;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *argument) {
    (void)dwfl;
    const struct cdwfl_stack *stack = ((struct cdwfl_process *)argument)->stack;
    const uint64_t offset = address - stack->address;
    if (address < stack->address || stack->length < sizeof *result || offset > stack->length - sizeof *result) return false;
    memcpy(result, stack->octets + offset, sizeof *result);
    return true;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *argument) {
    const struct cdwfl_stack *stack = ((struct cdwfl_process *)argument)->stack;
#if defined(__aarch64__)
    if (stack->register_count != 33) return false;
    dw.dwfl_thread_state_register_pc(thread, stack->registers[32]);
    return dw.dwfl_thread_state_registers(thread, 0, 32, stack->registers);
#elif defined(__x86_64__)
    return stack->register_count == 17 && dw.dwfl_thread_state_registers(thread, 0, 17, stack->registers);
#else
#error "name the registers of the architecture"
#endif
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = memory_read,
    .set_initial_registers = set_initial_registers,
};

struct cdwfl_process *cdwfl_process_open(const char *maps, size_t length) {
    if (length == 0) return NULL;
    struct cdwfl_process *process = calloc(1, sizeof *process);
    FILE *text = fmemopen((void *)maps, length, "r");
    if (process && text && (process->dwfl = dw.dwfl_begin(&callbacks))) {
        dw.dwfl_report_begin(process->dwfl);
        const bool is_read = dw.dwfl_linux_proc_maps_report(process->dwfl, text) == 0;
        dw.dwfl_report_end(process->dwfl, NULL, NULL);
        if (is_read && dw.dwfl_attach_state(process->dwfl, NULL, only_thread, &thread_callbacks, process)) {
            fclose(text);
            return process;
        }
    }
    if (text) fclose(text);
    if (process) cdwfl_process_close(process);
    return NULL;
}

void cdwfl_process_close(struct cdwfl_process *process) {
    if (process->dwfl) dw.dwfl_end(process->dwfl);
    free(process);
}

static struct cdwfl_place place_of(struct cdwfl_process *process, Dwarf_Addr address) {
    struct cdwfl_place place = {.module = NULL, .address = address};
    Dwfl_Module *module = dw.dwfl_addrmodule(process->dwfl, address);
    if (!module) return place;
    Dwarf_Addr start = 0;
    place.module = dw.dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    GElf_Addr bias;
    place.address -= dw.dwfl_module_getelf(module, &bias) ? bias : start;
    return place;
}

struct cdwfl_place cdwfl_locate(struct cdwfl_process *process, uint64_t return_address) {
    return place_of(process, return_address - 1);
}

static int take(Dwfl_Frame *frame, void *argument) {
    struct cdwfl_process *process = argument;
    Dwarf_Addr address;
    bool is_innermost;
    if (process->count == process->room || !dw.dwfl_frame_pc(frame, &address, &is_innermost)) return DWARF_CB_ABORT;
    // A return address follows the call, which may be the last instruction of a function or of a line.
    if (!is_innermost) address--;
    process->places[process->count++] = place_of(process, address);
    return DWARF_CB_OK;
}

size_t cdwfl_unwind(
    struct cdwfl_process *process, const struct cdwfl_stack *stack, struct cdwfl_place *places, size_t room
) {
    process->stack = stack;
    process->places = places;
    process->room = room;
    process->count = 0;
    dw.dwfl_getthread_frames(process->dwfl, only_thread, take, process);
    process->stack = NULL;
    return process->count;
}
