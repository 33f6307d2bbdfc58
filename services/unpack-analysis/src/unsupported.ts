import type { Gaps } from '@icosa/module'

export const unsupported = {
  stolenBytes: {
    name: 'instructions that a packer has moved from the entry point into itself',
    answer: 'differs',
    instead:
      'In programs for Windows they are put back if they stand before a jump to what is left, and left filler behind. Else the entry point is where the packer goes on.',
  },
  elf32: {
    name: 'programs for Linux that are not for x86-64, and kernel modules',
    answer: 'differs',
    instead:
      'They are refused. Send a program for Windows (x86, x64) or for Linux (x86-64). YARA rules without unpacking take any file.',
  },
  linked: {
    name: 'libraries of Linux programs that are linked at run time',
    answer: 'differs',
    instead:
      'None is loaded: some hundred functions of the C library are answered, all others say 0. Static programs run all of theirs.',
  },
  threads: {
    name: 'threads and child processes',
    answer: 'differs',
    instead:
      'There is one thread: others run at once and to their end. Of a program that forks, the child is followed.',
  },
  unwinding: {
    name: 'exceptions that are handled by tables (`__try` on x64)',
    answer: 'differs',
    instead: 'Vectored handlers, frames of 32 bits and the filter for unhandled exceptions are called.',
  },
} as const satisfies Gaps
