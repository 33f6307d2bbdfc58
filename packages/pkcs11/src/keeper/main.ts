import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'
import { CKA, CKG, CKK, CKM, CKO, CKZ_DATA_SPECIFIED } from '../constants.ts'
import { Pkcs11Error } from '../library.ts'
import { type Attribute, type Mechanism, numbers, openPkcs11, type Pkcs11 } from '../pkcs11.ts'
import type { KeeperReply, KeeperRequest, Trouble } from './messages.ts'
import { pinTrouble } from './pin.ts'

// The process that uses a token once: the library is loaded here, and never into a node.

const ivBytes = 12
const oaep: Mechanism = {
  type: CKM.RSA_PKCS_OAEP,
  parameter: numbers(CKM.SHA_1, CKG.MGF1_SHA1, CKZ_DATA_SPECIFIED, 0, 0),
}

class TokenTrouble extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, detail: string) {
    super(detail)
    this.trouble = trouble
  }
}

function open(library: string): Pkcs11 {
  try {
    return openPkcs11(library)
  } catch (error) {
    throw new TokenTrouble(error instanceof Pkcs11Error ? 'start' : 'library', (error as Error).message)
  }
}

/** Logs in once. Does not try a PIN if a wrong one would lock the token. */
function logIn(pkcs11: Pkcs11, { token, pin }: KeeperRequest): number {
  const labels = pkcs11.slots()
  const slot = labels.find(({ label, isFree }) => label === token && !isFree)
  if (!slot)
    throw new TokenTrouble(
      'token',
      labels
        .map(({ label }) => label)
        .filter(Boolean)
        .join(', '),
    )
  const trouble = pinTrouble(slot.flags)
  if (trouble) throw new TokenTrouble(trouble, '')
  const session = pkcs11.openSession(slot.id)
  try {
    pkcs11.login(session, 'user', pin)
  } catch (error) {
    if (!(error instanceof Pkcs11Error)) throw error
    if (error.is('CKR_PIN_LOCKED')) throw new TokenTrouble('locked', '')
    if (['CKR_PIN_INCORRECT', 'CKR_PIN_INVALID', 'CKR_PIN_LEN_RANGE'].some((name) => error.is(name)))
      throw new TokenTrouble('pin', error.message)
    throw error
  }
  return session
}

interface Key {
  readonly handle: number
  readonly isRsa: boolean
}

function keyIn(pkcs11: Pkcs11, session: number, { object, id }: KeeperRequest): Key {
  const template: Attribute[] = [
    ...(object === undefined ? [] : [[CKA.LABEL, Buffer.from(object)] as const]),
    ...(id === undefined ? [] : [[CKA.ID, Buffer.from(id, 'latin1')] as const]),
  ]
  for (const kind of [CKO.SECRET_KEY, CKO.PRIVATE_KEY]) {
    const [handle, ...others] = pkcs11.find(session, [[CKA.CLASS, kind], ...template])
    if (handle === undefined) continue
    if (others.length > 0) throw new TokenTrouble('key', 'several keys have this name: add id=')
    const type = Number(pkcs11.attribute(session, handle, CKA.KEY_TYPE).readBigUInt64LE())
    if (type === CKK.RSA || type === CKK.AES) return { handle, isRsa: type === CKK.RSA }
    throw new TokenTrouble('key', 'it is neither RSA nor AES')
  }
  throw new TokenTrouble('key', 'the token has no key of this name')
}

async function answer(request: KeeperRequest): Promise<Uint8Array> {
  const pkcs11 = open(request.library)
  const session = logIn(pkcs11, request)
  const { handle, isRsa } = keyIn(pkcs11, session, request)
  const { data, context } = request
  const aad = Buffer.from(context)
  if (request.call === 'unwrap') {
    const mechanism = isRsa ? oaep : { type: CKM.AES_GCM, gcm: { iv: data.subarray(0, ivBytes), aad } }
    return pkcs11.decrypt(session, mechanism, handle, isRsa ? data : data.subarray(ivBytes)).catch((error) => {
      throw new TokenTrouble('refused', (error as Error).message)
    })
  }
  if (isRsa) {
    const number = (type: number) => pkcs11.attribute(session, handle, type).toString('base64url')
    const key = { kty: 'RSA', n: number(CKA.MODULUS), e: number(CKA.PUBLIC_EXPONENT) }
    const publicKey = createPublicKey({ key, format: 'jwk' })
    return publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, data)
  }
  const iv = randomBytes(ivBytes)
  return Buffer.concat([iv, await pkcs11.encrypt(session, { type: CKM.AES_GCM, gcm: { iv, aad } }, handle, data)])
}

process.once('message', (request: KeeperRequest) => {
  const send = (reply: KeeperReply) => process.send?.(reply, () => process.exit())
  answer(request).then(
    (value) => send({ value }),
    (error: Error) =>
      send({ trouble: error instanceof TokenTrouble ? error.trouble : 'failed', detail: error.message }),
  )
})
process.once('disconnect', () => process.exit())
