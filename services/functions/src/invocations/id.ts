import { randomBytes } from 'node:crypto'

/** Id of an invocation in its response and log: short and unguessable. */
export const newInvocationId = () => randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')
