import type { Connect, Start } from './types.ts'

export type * from './types.ts'

/** Starts an instance of Icosa for tests. It prints nothing and listens to no signals. */
export const start: Start = async (options) => (await import('./start.ts')).startInstance(options)

/** Uses an instance that another process of the test run has started, by its `address`. */
export const connect: Connect = async (address) => (await import('./share.ts')).connectTo(address)
