import { randomBytes } from 'node:crypto'

/** Names an invocation in its answer and in the log: short, and not to be guessed. */
export const newInvocationId = () => randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')
