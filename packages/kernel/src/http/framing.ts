import type { IncomingMessage } from 'node:http'
import { Failure } from '../errors.ts'

// Node keeps the first and drops the rest, where the next hop may keep the last: two readers, two meanings.
const single = new Set(['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding'])

/** Refuses a request that two readers could understand differently. */
export function refuseAmbiguity({ rawHeaders, headers }: IncomingMessage): void {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    if (!single.has(name)) continue
    const bit = bits.get(name) as number
    if (seen & bit) throw new Failure('invalid', `The request has two ${name} headers.`)
    seen |= bit
  }
  if (headers['content-length'] !== undefined && headers['transfer-encoding'] !== undefined)
    throw new Failure('invalid', 'The request has both content-length and transfer-encoding.')
}

const bits = new Map([...single].map((name, index) => [name, 1 << index]))
