import { isIPv6 } from 'node:net'

/** An IPv6 customer has at least 2^64 addresses: all of them count as one. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(plain)?.[1]
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain
  const [head = '', tail = ''] = plain.split('::').map((part) => part.replace(/\d+(\.\d+){3}$/, '0:0'))
  const first = head.split(':').filter(Boolean)
  const last = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(8 - first.length - last.length, 0) }, () => '0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
