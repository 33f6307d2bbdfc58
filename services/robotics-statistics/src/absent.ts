import type { Absences } from '@icosa/module'

export const absent = {
  contents: {
    name: "the maker's own seasons",
    answer: 'differs',
    instead: 'A season is there once an operator has imported, mirrored or generated it; any other is 404.',
  },
} as const satisfies Absences
