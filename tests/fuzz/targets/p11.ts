import { answer } from '../../../services/hardware-security-modules/src/remote/calls.ts'
import { Remote, type RemoteRuntime } from '../../../services/hardware-security-modules/src/remote/session.ts'
import {
  frames,
  MalformedMessage,
  toBytes,
  Writer,
} from '../../../services/hardware-security-modules/src/remote/wire.ts'
import type { Target } from '../target.ts'

const call = (number: number, given: string, fill: (to: Writer) => Writer = (to) => to) =>
  toBytes({
    code: 1,
    options: Buffer.alloc(0),
    body: fill(new Writer().short(number).text(Buffer.from(given))).toBytes(),
  })

const module = { id: '00000000-0000-4000-8000-000000000000', tenant: 'acme', name: 'fuzzed', state: 'Succeeded' }
/** A module without keys that accepts any PIN. */
const runtime = {
  directory: { find: async () => module },
  pins: { try: async () => 'right' },
} as unknown as RemoteRuntime
const db = { many: async () => [], maybe: async () => undefined, point: async () => undefined }

const open = call(10, 'uu', (to) => to.number(1).number(2))
const login = call(18, 'uuay', (to) => to.number(1).number(1).byte(1).text(Buffer.from('1234')))

export const target: Target = {
  seeds: [
    Buffer.concat([
      call(1, 'ayyay', (to) => to.byte(1).text(Buffer.from('PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1'))),
      call(3, ''),
      call(4, 'yfu', (to) => to.byte(1).short(10)),
    ]),
    Buffer.concat([
      open,
      login,
      call(26, 'uaA', (to) => to.number(1).short(1).short(3).byte(1).short(1).text(Buffer.from('a'))),
      call(27, 'ufu', (to) => to.number(1).short(5)),
      call(28, 'u', (to) => to.number(1)),
    ]),
    Buffer.concat([
      open,
      login,
      call(42, 'uMu', (to) => to.number(1).short(1).number(1)),
      call(44, 'uay', (to) => to.number(1).byte(1).text(Buffer.from('data'))),
      call(45, 'ufy', (to) => to.number(1).short(512)),
    ]),
    Buffer.concat([
      open,
      call(24, 'uufA', (to) => to.number(1).number(1).short(1).short(3).short(64)),
      call(6, 'u', (to) => to.number(1)),
      call(8, 'uu', (to) => to.number(1).number(1)),
    ]),
  ],
  dictionary: [
    Buffer.from('ffffffff', 'hex'),
    Buffer.from('ffffffffffffffff', 'hex'),
    Buffer.from('0000000100000000', 'hex'),
    open,
    login,
  ],
  refusals: [MalformedMessage],
  maxBytes: 200_000,
  async run(bytes) {
    const remote = new Remote({ module, runtime, db } as unknown as ConstructorParameters<typeof Remote>[0])
    const take = frames(() => 2 ** 21)
    const size = 1 + ((bytes[0] ?? 0) % 64) // in small chunks, like a slow sender
    for (let at = 0; at < bytes.length; at += size)
      for (const { body } of take(bytes.subarray(at, at + size)))
        await answer(remote, body, (error) => {
          throw error
        })
  },
}
