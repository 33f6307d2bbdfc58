import { ipv6Groups } from '../address.ts'

/** Non-public addresses, and the many ways to write them. */

/** The first and last address of each non-public range, one in between, and the best-known targets. */
export const privateIpv4 = [
  ...['0.0.0.0', '0.0.0.1', '0.127.0.1', '0.255.255.255'],
  ...['10.0.0.0', '10.0.0.1', '10.96.0.1', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.0.1.1', '127.1.2.3', '127.255.255.255'],
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ...['172.16.0.0', '172.17.0.1', '172.31.255.255'],
  ...['192.0.0.0', '192.0.0.192', '192.0.0.255', '192.0.2.0', '192.0.2.7', '192.0.2.255'],
  ...['192.88.99.0', '192.88.99.1', '192.88.99.255', '192.168.0.0', '192.168.1.1', '192.168.255.255'],
  ...['198.18.0.0', '198.19.7.7', '198.19.255.255', '198.51.100.0', '198.51.100.7', '198.51.100.255'],
  ...['203.0.113.0', '203.0.113.7', '203.0.113.255', '224.0.0.0', '224.0.0.251', '239.255.255.255'],
  ...['240.0.0.0', '250.1.2.3', '255.255.255.254', '255.255.255.255'],
]

export const privateIpv6 = [
  ...['::', '::1', '::2', '::fffe:0:1', '1::1', '64:ff9b:1::1', '64:ff9b:1:ffff::1', '100::', '100::1', '100:0:0:1::1'],
  ...['200::1', '400::1', '1fff:ffff::1', '2001::', '2001::1', '2001:2::1', '2001:10::1', '2001:1ff:ffff::1'],
  ...['2001:db8::', '2001:db8:ffff::1', '2002::', '2002:ffff:ffff::1', '3fff::1', '3fff:fff:ffff::1', '4000::1'],
  ...['5f00::1', '8000::1', 'c000::1', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe00::1', 'fe80::1', 'febf::1'],
  ...['fec0::1', 'feff::1', 'ff00::1', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

const shifted = (from: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(from + Number(digit)))
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (ascii) => String.fromCodePoint(0xfee0 + ascii.charCodeAt(0)))
const percent = (text: string) =>
  Buffer.from(text)
    .toString('hex')
    .replace(/../g, (byte) => `%${byte}`)
const hex = (value: number) => `0x${value.toString(16)}`
const octal = (value: number) => `0${value.toString(8)}`

/** Spellings of an IPv4 address in a URL, all of which the URL parser normalizes to the dotted form. */
export function ipv4Spellings(address: string): string[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const low16 = c * 256 + d
  const low24 = b * 65536 + low16
  const whole = a * 16777216 + low24
  return [
    ...[address, `${address}.`, `${whole}`, `${whole}.`, hex(whole), `${hex(whole)}.`, octal(whole)],
    ...[hex(whole).toUpperCase().replace('0X', '0x'), hex(whole).toUpperCase(), `0x00000000${whole.toString(16)}`],
    ...[`0000000000${whole.toString(8)}`, bytes.map(hex).join('.'), bytes.map(octal).join('.')],
    ...[bytes.map((byte) => `000${octal(byte)}`).join('.'), bytes.map((byte) => hex(byte).toUpperCase()).join('.')],
    ...[`${a}.${low24}`, `${a}.${b}.${low16}`, `${hex(a)}.${low24}`, `${octal(a)}.${hex(b)}.${low16}`],
    ...[`${hex(a)}.${b}.${octal(c)}.${d}`, `${a}.${octal(low24)}`, `${a}.${hex(low24)}.`],
    ...[percent(address), address.replaceAll('.', '%2e'), address.replaceAll('.', '%2E'), percent(`${whole}`)],
    ...[fullWidth(address), fullWidth(`${whole}`), fullWidth(hex(whole)), percent(fullWidth(address))],
    ...[
      address.replaceAll('.', '。'),
      address.replaceAll('.', '｡'),
      `${address}。`,
      percent(address.replaceAll('.', '。')),
    ],
    ...[shifted(0x1d7ce)(address), shifted(0x1d7d8)(address), shifted(0x1d7e2)(`${whole}`), shifted(0x2080)(address)],
    ...[address.replaceAll('.', '\u00ad.'), address.replaceAll('.', '.\u200b'), `\u2060${whole}`],
  ]
}

/** IPv6 addresses that embed an IPv4 address: mapped, compatible, translated, NAT64, 6to4 and Teredo. */
export function ipv6Carrying(address: string): string[] {
  const bytes = Buffer.from(address.split('.').map(Number))
  const [high, low] = [bytes.readUInt16BE(0).toString(16), bytes.readUInt16BE(2).toString(16)]
  const inverted = Buffer.from(bytes.map((byte) => ~byte))
  const [highInverted, lowInverted] = [inverted.readUInt16BE(0).toString(16), inverted.readUInt16BE(2).toString(16)]
  return [
    ...[`::ffff:${address}`, `::ffff:${high}:${low}`, `::FFFF:${high.toUpperCase()}:${low.toUpperCase()}`],
    ...[`0:0:0:0:0:ffff:${address}`, `0000:0000:0000:0000:0000:ffff:${high.padStart(4, '0')}:${low.padStart(4, '0')}`],
    ...[`::${address}`, `::${high}:${low}`, `::ffff:0:${address}`, `64:ff9b::${address}`, `64:ff9b::${high}:${low}`],
    ...[`0064:FF9B:0:0:0:0:${address}`, `64:ff9b:1::${address}`, `64:ff9b:1:${high}:0:${low}::`],
    ...[`2002:${high}:${low}::`, `2002:${high}:${low}::1`, `2002:${high}:${low}:0:0:0:${address}`],
    ...[`2001::${highInverted}:${lowInverted}`, `2001:0:${high}:${low}:0:0:${highInverted}:${lowInverted}`],
  ]
}

/** Other spellings of an IPv6 address. */
export function ipv6Spellings(address: string): string[] {
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const groups = ipv6Groups(address)
  const padded = groups.map((group) => group.padStart(4, '0')).join(':')
  return [...new Set([address, short, short.toUpperCase(), groups.join(':'), padded, padded.toUpperCase()])]
}

/** Disguised spellings of `localhost`. */
export const localNames = [
  ...[
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'localhost.',
    'a.localhost',
    'a.b.LOCALHOST.',
    '%6c%6f%63%61%6c%68%6f%73%74',
  ],
  ...[
    fullWidth('localhost'),
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'local\u00adhost',
    'x。localhost',
    'ｌocalhost。',
    percent(fullWidth('localhost.')),
  ],
]
