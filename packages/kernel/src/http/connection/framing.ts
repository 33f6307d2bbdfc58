import type { IncomingMessage } from 'node:http'
import { Failure } from '../../errors.ts'
import { limits } from '../limits.ts'

// Node keeps the first and drops the rest, the next hop may keep the last: request smuggling.
const single = ['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding']
/** By length first: most headers need no closer look, and this is on the path of every request. */
const byLength = new Map(single.map((name, index) => [name.length, { name, bit: 1 << index }]))
if (byLength.size < single.length) throw new Error('Two of these headers have the same length: look them up by name.')

/** Refuses requests that two servers could parse differently (request smuggling). */
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

const ampersand = 38

/** Refuses queries and forms with an absurd number of fields. */
export function refuseManyFields(text: string | Uint8Array): void {
  if (text.length <= limits.fields) return
  let count = 1
  const separator = typeof text === 'string' ? '&' : ampersand
  for (let at = text.indexOf(separator as never); at >= 0; at = text.indexOf(separator as never, at + 1))
    if (++count > limits.fields) throw new Failure('invalid', `The request has more than ${limits.fields} fields.`)
}
