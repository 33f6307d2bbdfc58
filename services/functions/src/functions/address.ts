import { createHash, randomBytes } from 'node:crypto'
import { invalid } from '@icosa/kernel'
import { functionName } from '../names.ts'
import type { Place } from './store.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

const inLetters = (bytes: Uint8Array) => Array.from(bytes, (byte) => letters[byte % letters.length]).join('')

/** The longest name and the longest DNS label. */
const maxLabel = 63

/**
 * An address as a DNS label. Its hash, which makes it unique, is kept where it is too long; a label that begins as Punycode does
 * would have to be Punycode.
 */
export function labelOf(address: string): string {
  const label = address.replace(/^xn--/, 'xn-')
  return label.length > maxLabel ? label.slice(0, maxLabel - 11) + label.slice(-11) : label
}

/** Where a function is called: the same for as long as it has its name, and another one for each tenant's. */
export function addressOf(tenant: string, { project, location, function: id }: Place): string {
  const digest = createHash('sha256')
    .update(`${tenant}\n${functionName(project, location, id)}`)
    .digest()
  return labelOf(`${id}-${inLetters(digest.subarray(0, 10))}`)
}

/** The name of a revision. */
export const revisionId = (id: string, number: number): string =>
  `${id}-${String(number).padStart(5, '0')}-${inLetters(randomBytes(6)).slice(0, 6)}`

const syntax = /^[a-z]([a-z0-9-]{2,61}[a-z0-9])$/

/** The id of a new function: as it was asked for, as its name says, or made up. */
export function functionIdOf(
  { project, location }: Omit<Place, 'function'>,
  functionId: string | undefined,
  name: string | undefined,
): string {
  const [, own, named] = name ? (/^(projects\/[^/]+\/locations\/[^/]+\/functions)\/([^/]+)$/.exec(name) ?? []) : []
  if (name && own !== functionName(project, location, '').slice(0, -1))
    invalid([{ at: 'body/name', message: `must begin with ${functionName(project, location, '')}` }])
  if (functionId && named && functionId !== named)
    invalid([{ at: 'query/functionId', message: `is '${functionId}', but the name ends in '${named}'` }])
  const id = functionId || named || `function-${inLetters(randomBytes(8))}`
  if (!syntax.test(id))
    invalid([
      {
        at: 'query/functionId',
        message: 'must be 4 to 63 lower-case letters, digits or -, begin with a letter and not end with -',
      },
    ])
  return id
}
