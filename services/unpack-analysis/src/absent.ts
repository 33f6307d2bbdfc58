import type { Absences } from '@icosa/module'

export const absent = {
  elf: {
    name: 'programs for Linux (ELF)',
    answer: 501,
    instead: 'Send a program for Windows (PE), x86 or x64. YARA rules without unpacking take any file.',
  },
  stolenBytes: {
    name: 'instructions that a packer has moved from the entry point into itself',
    answer: 'differs',
    instead: 'The entry point is where the packer goes on in the program; the moved instructions are not put back.',
  },
  unwinding: {
    name: 'exceptions that are handled by tables (`__try` on x64)',
    answer: 'differs',
    instead: 'Vectored handlers, frames of 32 bits and the filter for unhandled exceptions are called.',
  },
} as const satisfies Absences
