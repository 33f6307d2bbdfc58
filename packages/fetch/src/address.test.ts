import { expect, test } from 'vitest'
import { addressGuard } from './address.ts'
import { ipv4Spellings, ipv6Carrying, ipv6Spellings, privateIpv4, privateIpv6 } from './testing/hostile-hosts.ts'

const guard = addressGuard([])

test('public addresses are allowed', () => {
  const allowed = [
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...[
      '128.0.0.0',
      '169.253.255.255',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
      '198.17.255.255',
    ],
    ...['198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
    ...['2000::', '2001:200::1', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1', '2606:4700::1111', '3ffe::1'],
    ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  ]
  expect(allowed.filter((address) => !guard(address))).toEqual([])
})

test('non-public addresses are refused, however they are embedded', () => {
  const refused = [...privateIpv4, ...privateIpv4.flatMap(ipv6Carrying), ...privateIpv6]
  expect(refused.filter((address) => spellingsOf(address).some(guard))).toEqual([])
})

test('ambiguous embeddings are refused even with a public address', () => {
  const embedded = ['::8.8.8.8', '::ffff:0:8.8.8.8', '64:ff9b:1::8.8.8.8', '2002:808:808::1', '2001::f7f7:f7f7']
  expect(embedded.filter(guard)).toEqual([])
})

test('anything but an address is refused', () => {
  const nonsense = [
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '1.2.3.4.5',
    '8.8.8.8 ',
    '[::1]',
    '2606:4700::1%eth0',
    ':::',
  ]
  expect(nonsense.filter(guard)).toEqual([])
})

test('an operator allows ranges, and nothing else', () => {
  const guard = addressGuard(['127.0.0.2/32', '10.1.0.0/16', 'fd00:1::/32', '192.168.7.7'])
  const allowed = ['127.0.0.2', '::ffff:127.0.0.2', '10.1.255.255', 'fd00:1:ffff::1', '192.168.7.7', '8.8.8.8']
  const refused = ['127.0.0.1', '127.0.0.3', '10.2.0.0', 'fd00:2::', '192.168.7.8', '::1', '::127.0.0.2']
  expect(allowed.filter((address) => !guard(address))).toEqual([])
  expect(refused.filter(guard)).toEqual([])
})

test('allowing one family does not allow the other', () => {
  expect(addressGuard(['::/0'])('10.0.0.1')).toBe(false)
  expect(addressGuard(['::/0'])('fd00::1')).toBe(true)
  expect(addressGuard(['0.0.0.0/0'])('::1')).toBe(false)
  // Behind NAT64, an address of the operator's own network is foreign.
  expect(addressGuard(['10.0.0.0/8'])('64:ff9b::10.0.0.1')).toBe(false)
})

test('an invalid range is reported, not ignored', () => {
  for (const range of [
    '',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::1/x',
    '1.1.1.1/-1',
  ]) {
    expect(() => addressGuard([range])).toThrow(/ICOSA_FETCH_ALLOW/)
  }
})

test('the URL parser normalizes all hostile spellings to their address', () => {
  for (const address of privateIpv4) {
    for (const spelling of ipv4Spellings(address)) expect(new URL(`http://${spelling}/`).hostname).toBe(address)
  }
})

function spellingsOf(address: string): string[] {
  return address.includes(':') ? ipv6Spellings(address) : [address]
}
