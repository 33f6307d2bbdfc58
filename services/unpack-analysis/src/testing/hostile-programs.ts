import type { Bits, Workshop } from './build.ts'

const program = (body: string) => `#include <windows.h>\nint main(void) { ${body} return 0; }`

/** Programs that try to exhaust resources. */
export const greedy: Readonly<Record<string, (workshop: Workshop, bits: Bits) => Buffer>> = {
  'an endless loop': (workshop, bits) => workshop.compile(bits, program('for (volatile int i = 0;; i++);')),
  'endless calls': (workshop, bits) => workshop.compile(bits, program('for (;;) GetTickCount();')),
  'repeated gigabytes': (workshop, bits) =>
    workshop.compile(
      bits,
      program(
        'for (int i = 0; i < 50; i++) { char *p = VirtualAlloc(0, 1u << 30, 0x3000, 4); if (p) for (long at = 0; at < 1 << 30; at += 4096) p[at] = 1; }',
      ),
    ),
}

/** Claims a number of sections. */
export function withSections(file: Buffer, count: number): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt16LE(count, copy.readUInt32LE(0x3c) + 6)
  return copy
}
