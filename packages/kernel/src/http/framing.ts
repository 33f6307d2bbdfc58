import type { IncomingMessage } from 'node:http'
import { Failure } from '../errors.ts'

// Node keeps the first and drops the rest, where the next hop may keep the last: two readers, two meanings.
const single = ['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding']
/** By length first: most headers need no closer look, and this is on the path of every request. */
const byLength = new Map(single.map((name, index) => [name.length, { name, bit: 1 << index }]))
if (byLength.size < single.length) throw new Error('Two of these headers have the same length: look them up by name.')

/** Refuses a request that two readers could understand differently. */
export function refuseAmbiguity({ rawHeaders, headers }: IncomingMessage): void {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    const candidate = byLength.get(name.length)
    if (candidate === undefined || name.toLowerCase() !== candidate.name) continue
    if (seen & candidate.bit) throw new Failure('invalid', `The request has two ${candidate.name} headers.`)
    seen |= candidate.bit
  }
  if (headers['content-length'] !== undefined && headers['transfer-encoding'] !== undefined)
    throw new Failure('invalid', 'The request has both content-length and transfer-encoding.')
}
