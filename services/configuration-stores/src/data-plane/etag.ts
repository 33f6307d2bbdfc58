import { randomBytes } from 'node:crypto'

/** Bodies show it like this, headers in quotes. No other state has or had it. */
export const newEtag = () => randomBytes(16).toString('hex')

export const quoted = (etag: string) => `"${etag}"`
