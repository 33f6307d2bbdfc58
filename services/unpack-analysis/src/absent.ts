import type { Absences } from '@icosa/module'

export const absent = {} as const satisfies Absences
