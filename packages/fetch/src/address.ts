import { BlockList, isIP, isIPv4 } from 'node:net'
import { Failure } from '@icosa/kernel'

/** Whether an address may be dialled. False for anything but an IP address. */
export type AddressGuard = (address: string) => boolean

/** The IANA special-purpose registry for IPv4, with multicast and the reserved top of the space. */
const notPublic4 = ranges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/**
 * IPv6 is the reverse: only 2000::/3 is global unicast, so loopback, unique local, link-local, multicast,
 * IPv4-compatible, local NAT64 and all future ranges are refused for being outside it.
 */
const globalUnicast6 = ranges(['2000::/3'])

/** Protocol assignments with Teredo, documentation (twice) and 6to4, which is deprecated and wraps any IPv4. */
const notPublic6 = ranges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** SSRF guard: allows public addresses, and ranges allowed by the operator. */
export function addressGuard(allow: readonly string[]): AddressGuard {
  const allowed = addressRange(allow, 'ICOSA_FETCH_ALLOW')
  return (address) => allowed(address) || isPublicAddress(address)
}

export const isPublicAddress: AddressGuard = (address) => {
  const dialled = unmapped(address)
  return dialled !== undefined && isPublic(dialled)
}

/** Whether an address is in one of the CIDR ranges, which come from a setting. */
export function addressRange(list: readonly string[], setting: string): AddressGuard {
  const contains = ranges(list, setting)
  return (address) => {
    const dialled = unmapped(address)
    return dialled !== undefined && contains(dialled)
  }
}

function isPublic(address: string): boolean {
  if (isIPv4(address)) return !notPublic4(address)
  // An IPv6-only network reaches IPv4 servers by NAT64, so the embedded address decides.
  const translated = ipv4Behind('64:ff9b:0:0:0:0', address)
  if (translated !== undefined) return !notPublic4(translated)
  return globalUnicast6(address) && !notPublic6(address)
}

/** The system dials the IPv4 address of an IPv4-mapped IPv6 address, so that is the one to check. */
function unmapped(address: string): string | undefined {
  // A zone ID names a local interface: public addresses have none.
  if (isIP(address) === 0 || address.includes('%')) return undefined
  return isIPv4(address) ? address : (ipv4Behind('0:0:0:0:0:ffff', address) ?? address)
}

function ipv4Behind(prefix: string, address: string): string | undefined {
  const groups = ipv6Groups(address)
  if (groups.slice(0, 6).join(':') !== prefix) return undefined
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** Eight groups in lower-case hex without leading zeros, normalized by the URL parser. */
export function ipv6Groups(address: string): string[] {
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

/**
 * Families are separate because one `BlockList` mixes them: with `::/0` it also matches every IPv4 address. It also
 * returns `false` for invalid addresses, so only valid ones may get here.
 */
function ranges(list: readonly string[], setting = ''): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of list) {
    const [network = '', bits, ...rest] = range.split('/')
    const family = isIPv4(network) ? 'ipv4' : 'ipv6'
    const width = family === 'ipv4' ? 32 : 128
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (unmapped(network) === undefined || rest.length > 0 || !(prefix <= width)) {
      throw new Failure('invalid', `'${range}' is not an address range: write ${setting} as 10.1.0.0/16 or fd00::/8.`)
    }
    lists[family].addSubnet(network, prefix, family)
  }
  return (address) => (isIPv4(address) ? lists.ipv4.check(address, 'ipv4') : lists.ipv6.check(address, 'ipv6'))
}
