import type { Gaps } from '@icosa/module'

export const unsupported = {
  stolenBytes: {
    name: 'instructions that a packer has moved from the entry point into itself',
    answer: 'differs',
    instead:
      'In Windows programs they are restored if they precede a jump to the rest of the function, and were replaced by filler. Otherwise the entry point is the target of the packer.',
  },
  elf32: {
    name: 'Linux programs for other machines than x86-64, and kernel modules',
    answer: 'differs',
    instead:
      'They are refused. Send a program for Windows (x86, x64) or Linux (x86-64). YARA rules without unpacking accept any file.',
  },
  linked: {
    name: 'libraries of dynamically linked Linux programs',
    answer: 'differs',
    instead:
      'None is loaded: about a hundred functions of the C library are emulated, all others return 0. Static programs run all of theirs.',
  },
  threads: {
    name: 'threads and child processes',
    answer: 'differs',
    instead: 'There is one thread: others run immediately and to their end. After a fork, the child is followed.',
  },
  unwinding: {
    name: 'table-based exception handling (`__try` on x64)',
    answer: 'differs',
    instead: 'Vectored handlers, 32-bit frames and the filter for unhandled exceptions are called.',
  },
} as const satisfies Gaps
