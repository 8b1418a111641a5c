// SPDX-License-Identifier: Apache-2.0
// The functions of libdw and libelf in use, by their own names.
#ifndef CDWFL_FUNCTIONS_H
#define CDWFL_FUNCTIONS_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#define CDWFL_FUNCTIONS(FUNCTION) \
    FUNCTION(dwarf_attr) \
    FUNCTION(dwarf_attr_integrate) \
    FUNCTION(dwarf_child) \
    FUNCTION(dwarf_diename) \
    FUNCTION(dwarf_filesrc) \
    FUNCTION(dwarf_formstring) \
    FUNCTION(dwarf_formudata) \
    FUNCTION(dwarf_getsrc_die) \
    FUNCTION(dwarf_getsrcfiles) \
    FUNCTION(dwarf_haspc) \
    FUNCTION(dwarf_lineno) \
    FUNCTION(dwarf_linesrc) \
    FUNCTION(dwarf_ranges) \
    FUNCTION(dwarf_siblingof) \
    FUNCTION(dwarf_tag) \
    FUNCTION(dwfl_addrmodule) \
    FUNCTION(dwfl_attach_state) \
    FUNCTION(dwfl_begin) \
    FUNCTION(dwfl_end) \
    FUNCTION(dwfl_frame_pc) \
    FUNCTION(dwfl_getthread_frames) \
    FUNCTION(dwfl_linux_proc_maps_report) \
    FUNCTION(dwfl_module_addrinfo) \
    FUNCTION(dwfl_module_build_id) \
    FUNCTION(dwfl_module_getelf) \
    FUNCTION(dwfl_module_info) \
    FUNCTION(dwfl_module_nextcu) \
    FUNCTION(dwfl_offline_section_address) \
    FUNCTION(dwfl_report_begin) \
    FUNCTION(dwfl_report_elf) \
    FUNCTION(dwfl_report_end) \
    FUNCTION(dwfl_standard_find_debuginfo) \
    FUNCTION(dwfl_thread_state_register_pc) \
    FUNCTION(dwfl_thread_state_registers)

struct cdwfl_functions {
#define FUNCTION(name) __typeof__(&name) name;
    CDWFL_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

// Valid once cdwfl_load has returned null.
extern struct cdwfl_functions dw;

#endif
