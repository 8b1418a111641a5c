// SPDX-License-Identifier: Apache-2.0
// See executable_symbols.h. The table is not loaded with the program: it is read from the file, and every offset in it is checked before it
// is used. A running executable cannot be written to (ETXTBSY), so a checked offset stays valid.
#define _GNU_SOURCE
#include "executable_symbols.h"

#include <fcntl.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The segments that the kernel loaded: their headers and the load address.
struct loaded {
    const ElfW(Phdr) *headers;
    size_t count;
    uintptr_t bias;
};

static struct loaded executable(void) {
    struct loaded loaded = {(const ElfW(Phdr) *)getauxval(AT_PHDR), getauxval(AT_PHNUM), 0};
    if (loaded.headers == NULL) loaded.count = 0;
    for (size_t i = 0; i < loaded.count; i++)
        if (loaded.headers[i].p_type == PT_PHDR) loaded.bias = (uintptr_t)loaded.headers - loaded.headers[i].p_vaddr;
    return loaded;
}

bool executable_contains(uintptr_t address) {
    struct loaded loaded = executable();
    for (size_t i = 0; i < loaded.count; i++) {
        const ElfW(Phdr) *segment = &loaded.headers[i];
        if (segment->p_type == PT_LOAD && address - loaded.bias - segment->p_vaddr < segment->p_memsz) return true;
    }
    return false;
}

/// A file in memory.
struct image {
    const uint8_t *octets;
    size_t size;
};

/// `count` items of `size` octets at `offset`; NULL if the file is too short, or they are not aligned.
static const void *items(const struct image *image, uint64_t offset, uint64_t count, size_t size) {
    if (offset > image->size || count > (image->size - offset) / size || offset % _Alignof(ElfW(Addr)) != 0) return NULL;
    return image->octets + offset;
}

static bool find_in(const struct image *image, uintptr_t address, char *name, size_t size) {
    const ElfW(Ehdr) *header = items(image, 0, 1, sizeof *header);
    if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(ElfW(Shdr)))
        return false;
    const ElfW(Shdr) *sections = items(image, header->e_shoff, header->e_shnum, sizeof *sections);
    if (sections == NULL) return false;
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
        size_t count = sections[i].sh_size / sizeof(ElfW(Sym));
        const ElfW(Sym) *symbols = items(image, sections[i].sh_offset, count, sizeof *symbols);
        const ElfW(Shdr) *names = &sections[sections[i].sh_link];
        if (symbols == NULL || names->sh_offset > image->size || names->sh_size > image->size - names->sh_offset) return false;
        for (size_t s = 0; s < count; s++) {
            bool is_function = (symbols[s].st_info & 0xf) == STT_FUNC;
            if (!is_function || address - symbols[s].st_value >= symbols[s].st_size || symbols[s].st_name >= names->sh_size)
                continue;
            const char *text = (const char *)image->octets + names->sh_offset + symbols[s].st_name;
            size_t length = strnlen(text, names->sh_size - symbols[s].st_name);
            if (length >= size) length = size - 1;
            memcpy(name, text, length);
            name[length] = '\0';
            return true;
        }
    }
    return false;
}

bool executable_symbol(uintptr_t address, char *name, size_t size) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    off_t length = lseek(file, 0, SEEK_END);
    void *octets = length > 0 ? mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (octets == MAP_FAILED) return false;
    const struct image image = {octets, (size_t)length};
    bool is_found = find_in(&image, address - executable().bias, name, size);
    munmap(octets, (size_t)length);
    return is_found;
}
