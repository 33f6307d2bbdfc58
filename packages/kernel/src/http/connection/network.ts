import { isIPv6 } from 'node:net'

/**
 * The network to which an anonymous request is charged: an IPv4 address, or the /64 of an IPv6 address, since a
 * subscriber can use all of it.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  const [head = [], tail = []] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
