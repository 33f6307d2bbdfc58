import { expect, test } from 'vitest'
import { networkOf } from './network.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['1::', '1:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
  ['unknown', 'unknown'],
])('%s belongs to the network %s', (address, network) => expect(networkOf(address)).toBe(network))
