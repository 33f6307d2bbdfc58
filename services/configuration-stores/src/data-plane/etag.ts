import { randomBytes } from 'node:crypto'

/** Unique for every state. Unquoted in bodies, quoted in headers. */
export const newEtag = () => randomBytes(16).toString('hex')

export const quoted = (etag: string) => `"${etag}"`
