import { openPkcs11, type Pkcs11, Pkcs11Error } from '@icosa/pkcs11'
import type { CallName, Calls, Surroundings } from '../calls.ts'
import { createToken, openToken, placeToken, type Token } from '../token.ts'
import { type Asked, bundled, type Told } from './messages.ts'

// The process of one token: the library is loaded here and nowhere else, and this ends with the node.

const around: Surroundings = JSON.parse(process.argv[2] ?? '')
let library: Pkcs11 | undefined
let token: Token | undefined

const loaded = (): Pkcs11 => {
  library ??= openPkcs11(around.library)
  return library
}

type Work = { readonly [C in CallName]: (given: Calls[C][0]) => Calls[C][1] | Promise<Calls[C][1]> }

const work: Work = {
  version: () => loaded().version(),
  create: ({ label, pins }) => createToken(loaded(), around, label, pins),
  open({ label, pins, files }) {
    placeToken(around, files)
    token = openToken(loaded(), around, label, pins)
    return undefined
  },
  async load({ id, files }) {
    await opened().load(id, files)
    return undefined
  },
  make: ({ id, spec }) => opened().make(id, spec),
  unwrap: (given) => opened().unwrap(given),
  wrap: (given) => opened().wrap(given),
  sign: ({ id, ...what }) => opened().sign(id, what),
  verify: ({ id, signature, ...what }) => opened().verify(id, what, signature),
  encrypt: (given) => opened().encrypt(given),
  decrypt: (given) => opened().decrypt(given),
  forget: ({ ids }) => void opened().forget(ids),
  zeroise: () => void opened().zeroise(),
}

function opened(): Token {
  if (!token) throw new Error('The token is not open.')
  return token
}

process.once('disconnect', () => process.exit()) // the node is gone
const tell = bundled<Told>((all) => process.send?.(all))
process.on('message', (all: readonly Asked[]) => {
  for (const asked of all) void told(asked).then(tell)
})

function told({ turn, call, given }: Asked): Promise<Told> {
  return answer(call, given).then(
    (value) => ({ turn, value }),
    (error: Error & { readonly kind?: string }) => ({
      turn,
      error: {
        message: error.message,
        ...(error.kind !== undefined && { kind: error.kind }),
        ...(error instanceof Pkcs11Error && { answer: error.answer }),
      },
    }),
  )
}

async function answer(call: CallName, given: unknown): Promise<unknown> {
  return work[call](given as never)
}
