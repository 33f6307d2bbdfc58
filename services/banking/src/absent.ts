import type { Absences } from '@icosa/module'

export const absent = {
  operations: {
    name: 'operations that are described and not built',
    answer: 501,
    instead: 'src/unbuilt/operations.ts lists them.',
  },
} as const satisfies Absences
