import { startInstance } from './start.ts'
import type { Start } from './types.ts'

export type * from './types.ts'

/** Starts an instance of Icosa for tests. It prints nothing and listens to no signals. */
export const start: Start = startInstance
