import { openPkcs11, type Pkcs11, Pkcs11Error } from '@icosa/pkcs11'
import type { CallName, Calls, TokenConfig } from '../calls.ts'
import { createToken, openToken, placeToken, type Token } from '../token.ts'
import { bundled, type Request, type Response } from './messages.ts'

// Process of one token, the only one that loads the library. It ends with the node.

const config: TokenConfig = JSON.parse(process.argv[2] ?? '')
let library: Pkcs11 | undefined
let token: Token | undefined

const loadLibrary = (): Pkcs11 => {
  library ??= openPkcs11(config.library)
  return library
}

type Work = { readonly [C in CallName]: (input: Calls[C][0]) => Calls[C][1] | Promise<Calls[C][1]> }

const work: Work = {
  version: () => loadLibrary().version(),
  create: ({ label, pins }) => createToken(loadLibrary(), config, label, pins),
  open({ label, pins, files }) {
    placeToken(config, files)
    token = openToken(loadLibrary(), config, label, pins)
    return undefined
  },
  async load({ id, files }) {
    await openedToken().load(id, files)
    return undefined
  },
  make: ({ id, spec }) => openedToken().make(id, spec),
  unwrap: (input) => openedToken().unwrap(input),
  wrap: (input) => openedToken().wrap(input),
  sign: ({ id, ...toSign }) => openedToken().sign(id, toSign),
  verify: ({ id, signature, ...toSign }) => openedToken().verify(id, toSign, signature),
  encrypt: (input) => openedToken().encrypt(input),
  decrypt: (input) => openedToken().decrypt(input),
  forget: ({ ids }) => void openedToken().forget(ids),
  zeroise: () => void openedToken().zeroise(),
}

function openedToken(): Token {
  if (!token) throw new Error('The token is not open.')
  return token
}

process.once('disconnect', () => process.exit()) // the node has ended
const send = bundled<Response>((responses) => process.send?.(responses))
process.on('message', (requests: readonly Request[]) => {
  for (const request of requests) void handle(request).then(send)
})

function handle({ id, call, input }: Request): Promise<Response> {
  return run(call, input).then(
    (value) => ({ id, value }),
    (error: Error & { readonly kind?: string }) => ({
      id,
      error: {
        message: error.message,
        ...(error.kind !== undefined && { kind: error.kind }),
        ...(error instanceof Pkcs11Error && { answer: error.answer }),
      },
    }),
  )
}

async function run(call: CallName, input: unknown): Promise<unknown> {
  return work[call](input as never)
}
