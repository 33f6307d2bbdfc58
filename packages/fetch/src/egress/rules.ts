import { Failure } from '@icosa/kernel'
import { type AddressGuard, addressRange, isPublicAddress } from '../address.ts'

/** `public`, a host name, `*.example.com` or an address range, optionally with a port. */
export interface EgressEntry {
  readonly text: string
  readonly port: number | undefined
  /** Undefined for names. */
  readonly range: AddressGuard | undefined
  readonly hasName: (host: string) => boolean
}

/** Deny wins. What no entry allows is refused. */
export interface EgressRules {
  readonly allow: readonly EgressEntry[]
  readonly deny: readonly EgressEntry[]
}

export interface Destination {
  readonly host: string
  readonly port: number
  readonly addresses: readonly string[]
}

const form = /^(?:\[([^\]]+)\](\/\d+)?|([^:[\]]+))(?::(\d{1,5}))?$/
const name = /^(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/** Parses an entry. Ranges with colons are in brackets: `[fd00::]/8:5432`. */
export function egressEntry(text: string, setting: string): EgressEntry {
  const [, v6, bits = '', other = '', portText] = form.exec(text) ?? []
  const port = portText === undefined ? undefined : Number(portText)
  const target = v6 === undefined ? other.toLowerCase() : v6 + bits
  if (target === '' || (port !== undefined && !(port >= 1 && port <= 65_535)))
    throw new Failure(
      'invalid',
      `'${text}' is not a destination for ${setting}: write public, api.example.com:443 or 10.1.0.0/16:5432.`,
    )
  const always = () => true
  if (target === 'public') return { text, port, range: isPublicAddress, hasName: always }
  if (v6 !== undefined || /^[\d./]+$/.test(target))
    return { text, port, range: checkedRange(target, setting), hasName: always }
  if (!name.test(target)) throw new Failure('invalid', `'${text}' is not a host name for ${setting}.`)
  const suffix = target.startsWith('*.') ? target.slice(1) : undefined
  return { text, port, range: undefined, hasName: (host) => (suffix ? host.endsWith(suffix) : host === target) }
}

/** A range that also contains public addresses would open private ones by accident. */
function checkedRange(range: string, setting: string): AddressGuard {
  const bits = range.split('/')[1]
  if (bits !== undefined && Number(bits) < 7)
    throw new Failure('invalid', `'${range}' is too wide for ${setting}: write public, or the private range.`)
  return addressRange([range], setting)
}

const hasPort = (entry: EgressEntry, port: number) => entry.port === undefined || entry.port === port

/** Names only narrow the public addresses: a name server cannot open a private address, ranges do. */
function allows(entry: EgressEntry, { host, port }: Destination, address: string): boolean {
  return hasPort(entry, port) && entry.hasName(host) && (entry.range ?? isPublicAddress)(address)
}

function denies(entry: EgressEntry, { host, port }: Destination, address: string): boolean {
  return hasPort(entry, port) && entry.hasName(host) && (entry.range?.(address) ?? true)
}

/** Returns why a destination is refused, if it is. One refused address refuses them all. */
export function refusalOf({ allow, deny }: EgressRules, to: Destination): string | undefined {
  for (const address of to.addresses) {
    const denied = deny.find((entry) => denies(entry, to, address))
    if (denied) return `the operator denies ${denied.text}`
    if (!allow.some((entry) => allows(entry, to, address))) return 'no rule of the operator allows it'
  }
  return to.addresses.length === 0 ? 'it has no address' : undefined
}
