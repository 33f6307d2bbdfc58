import { createHash, randomBytes } from 'node:crypto'
import { invalid } from '@icosa/kernel'
import { functionName } from '../names.ts'
import type { Place } from './store.ts'

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

const inLetters = (bytes: Uint8Array) => Array.from(bytes, (byte) => letters[byte % letters.length]).join('')

/** Maximum length of a name and of a DNS label. */
const maxLabel = 63

/**
 * Turns an address into a DNS label: truncates the name, but not the hash, and avoids the prefix of Punycode.
 */
export function labelOf(address: string): string {
  const label = address.replace(/^xn--/, 'xn-')
  return label.length > maxLabel ? label.slice(0, maxLabel - 11) + label.slice(-11) : label
}

/** Hyphen, hash, hyphen and tag at the end of an address. */
const suffixLength = 1 + 10 + 1 + 12

/** Address of a function, stable as long as its name. Ends in the tenant's tag; older ones end in the hash. */
export function addressOf(
  { tenant, tag }: { readonly tenant: string; readonly tag: string },
  { project, location, function: id }: Place,
): string {
  const digest = createHash('sha256')
    .update(`${tenant}\n${functionName(project, location, id)}`)
    .digest()
  return labelOf(`${id.slice(0, maxLabel - suffixLength)}-${inLetters(digest.subarray(0, 10))}-${tag}`)
}

export const revisionId = (id: string, number: number): string =>
  `${id}-${String(number).padStart(5, '0')}-${inLetters(randomBytes(6)).slice(0, 6)}`

const syntax = /^[a-z]([a-z0-9-]{2,61}[a-z0-9])$/

/** Id of a new function: `functionId`, or from `name`, or generated. */
export function functionIdOf(
  { project, location }: Omit<Place, 'function'>,
  functionId: string | undefined,
  name: string | undefined,
): string {
  const [, prefix, nameId] = name ? (/^(projects\/[^/]+\/locations\/[^/]+\/functions)\/([^/]+)$/.exec(name) ?? []) : []
  if (name && prefix !== functionName(project, location, '').slice(0, -1))
    invalid([{ at: 'body/name', message: `must begin with ${functionName(project, location, '')}` }])
  if (functionId && nameId && functionId !== nameId)
    invalid([{ at: 'query/functionId', message: `is '${functionId}', but the name ends in '${nameId}'` }])
  const id = functionId || nameId || `function-${inLetters(randomBytes(8))}`
  if (!syntax.test(id))
    invalid([
      {
        at: 'query/functionId',
        message: 'must be 4 to 63 lower-case letters, digits or -, begin with a letter and not end with -',
      },
    ])
  return id
}
