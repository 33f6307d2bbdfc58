import { createPublicKey, randomBytes, verify as verifySignature } from 'node:crypto'
import type { Mechanism, Pkcs11 } from '@icosa/pkcs11'
import { CKA, CKM, CKO } from '@icosa/pkcs11'
import type { Given, MadeKey, Pins, Surroundings } from './calls.ts'
import { type Files, openFolder, restoreToken, type TokenFolder, tokenFiles } from './files.ts'
import { generation, givenPublicTemplate, type KeySpec, publicPem, publicTemplate, secretTemplate } from './keys.ts'
import { oaep, signing, type ToSign, wrapping } from './mechanisms.ts'
import { openSessions, type Sessions } from './sessions.ts'

/** The two halves of a key pair in the token, or twice the same key. */
interface Handles {
  readonly secret: number
  readonly open: number
}

/** A token that is logged in to. Every call takes a session; what changes the token happens one at a time. */
export interface Token {
  load(id: string, files: Files): Promise<void>
  make(id: string, spec: KeySpec): Promise<MadeKey>
  unwrap(given: Given<'unwrap'>): Promise<MadeKey>
  wrap(given: Given<'wrap'>): Promise<Uint8Array>
  sign(id: string, what: ToSign): Promise<Uint8Array>
  verify(id: string, what: ToSign, signature: Uint8Array): Promise<boolean>
  encrypt(given: Given<'encrypt'>): Promise<Uint8Array>
  decrypt(given: Given<'decrypt'>): Promise<Uint8Array>
  forget(ids: readonly string[]): void
  zeroise(): void
}

/** A new token under a label, with its PINs. Answers its files, if it is kept in any. */
export function createToken(pkcs11: Pkcs11, around: Surroundings, label: string, pins: Pins): Files {
  // One that a broken attempt left behind, where the library keeps it: it is made anew, under the same label.
  const slots = pkcs11.slots()
  const slot = slots.find((one) => one.label === label) ?? slots.find(({ isFree }) => isFree)
  if (!slot) throw new Error('The library has no free slot left for another module.')
  pkcs11.initToken(slot.id, pins.so, label)
  const made = slotOf(pkcs11, label)
  const session = pkcs11.openSession(made)
  pkcs11.login(session, 'so', pins.so)
  pkcs11.initPin(session, pins.user)
  pkcs11.logout(session)
  pkcs11.closeSession(session)
  return around.keeps === 'sealed' ? tokenFiles(around.folder) : {}
}

/** To be called before the library is opened. */
export function placeToken({ keeps, folder }: Surroundings, files: Files): void {
  if (keeps === 'sealed') restoreToken(folder, files)
}

export function openToken(pkcs11: Pkcs11, { keeps, folder: root }: Surroundings, label: string, pins: Pins): Token {
  const slot = slotOf(pkcs11, label)
  const sessions: Sessions = openSessions(pkcs11, slot, pins.user)
  const folder: TokenFolder | undefined = keeps === 'sealed' ? openFolder(root) : undefined
  const known = new Map<string, Handles>()
  const filesOf = new Map<string, readonly string[]>()

  function find(session: number, id: string): Handles | undefined {
    const one = (kind: number) =>
      pkcs11.find(session, [
        [CKA.ID, Buffer.from(id)],
        [CKA.CLASS, kind],
      ])[0]
    const secret = one(CKO.PRIVATE_KEY) ?? one(CKO.SECRET_KEY)
    return secret === undefined ? undefined : { secret, open: one(CKO.PUBLIC_KEY) ?? secret }
  }

  function handlesOf(session: number, id: string): Handles {
    const found = known.get(id) ?? find(session, id)
    if (!found) throw new Error('The token does not have this key.')
    known.set(id, found)
    return found
  }

  /** What is new in the folder afterwards belongs to the key. If it does not come to an end, nothing of it stays. */
  function making(id: string, make: (session: number) => Promise<string | null>): Promise<MadeKey> {
    return sessions.alone(async (session) => {
      const before = folder?.names() ?? new Set<string>()
      try {
        const publicKey = await make(session)
        const files = folder?.newSince(before) ?? {}
        filesOf.set(id, Object.keys(files))
        return { publicKey, files }
      } catch (error) {
        filesOf.set(id, Object.keys(folder?.newSince(before) ?? {}))
        destroy(session, id)
        throw error
      }
    })
  }

  function destroy(session: number, id: string): void {
    const zero = folder?.zeroiser(filesOf.get(id) ?? [])
    try {
      for (const object of pkcs11.find(session, [[CKA.ID, Buffer.from(id)]])) pkcs11.destroyObject(session, object)
    } finally {
      zero?.()
    }
    known.delete(id)
    filesOf.delete(id)
  }

  const crypt =
    (direction: 'encrypt' | 'decrypt') =>
    ({ id, algorithm, data, iv, aad }: Given<'encrypt'>) =>
      sessions.any((session) => {
        const { secret, open } = handlesOf(session, id)
        const gcm = { iv: iv ?? new Uint8Array(), aad: aad ?? new Uint8Array() }
        const mechanism: Mechanism = algorithm === 'RSA-OAEP' ? oaep : { type: CKM.AES_GCM, gcm }
        return pkcs11[direction](session, mechanism, direction === 'encrypt' ? open : secret, data)
      })

  return {
    // Not while a key is being made: these files would be taken for the new key's, and go with it if it fails.
    load: (id, files) =>
      sessions.alone(async () => {
        if (!folder || filesOf.has(id)) return
        folder.put(files)
        filesOf.set(id, Object.keys(files))
      }),
    make: (id, spec) =>
      making(id, async (session) => {
        const secret = secretTemplate(id, spec, 'made')
        if (spec.type === 'AES') {
          await pkcs11.generateKey(session, generation(spec), secret)
          return null
        }
        const { publicKey } = await pkcs11.generateKeyPair(session, generation(spec), publicTemplate(id, spec), secret)
        return publicPem(pkcs11, session, publicKey, spec)
      }),
    unwrap: ({ unwrapping, algorithm, wrapped, id, spec, publicKey }) =>
      making(id, async (session) => {
        const { secret } = handlesOf(session, unwrapping)
        const template = secretTemplate(id, spec, 'unwrapped')
        const key = await pkcs11.unwrapKey(session, wrapping(algorithm), secret, wrapped, template)
        if (spec.type === 'AES') return null
        const pem = spec.type === 'RSA' ? publicPem(pkcs11, session, key, spec) : (publicKey ?? '')
        if (spec.type !== 'RSA') await demandPair(pkcs11, session, key, spec, pem)
        pkcs11.createObject(session, givenPublicTemplate(id, spec, pem))
        return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
      }),
    wrap: ({ wrapping: by, algorithm, id }) =>
      sessions.any((session) =>
        pkcs11.wrapKey(session, wrapping(algorithm), handlesOf(session, by).open, handlesOf(session, id).secret),
      ),
    sign: (id, what) =>
      sessions.any((session) => {
        const { mechanism, data } = signing(what)
        return pkcs11.sign(session, mechanism, handlesOf(session, id).secret, data)
      }),
    verify: (id, what, signature) =>
      sessions.any((session) => {
        const { mechanism, data } = signing(what)
        return pkcs11.verify(session, mechanism, handlesOf(session, id).open, data, signature)
      }),
    encrypt: crypt('encrypt'),
    decrypt: crypt('decrypt'),
    forget(ids) {
      for (const id of ids) destroy(sessions.own, id)
    },
    zeroise() {
      for (let some = pkcs11.find(sessions.own, []); some.length > 0; some = pkcs11.find(sessions.own, []))
        for (const object of some) pkcs11.destroyObject(sessions.own, object)
    },
  }
}

function slotOf(pkcs11: Pkcs11, label: string): number {
  const slot = pkcs11.slots().find((one) => one.label === label)
  if (!slot) throw new Error(`The library has no token '${label}'.`)
  return slot.id
}

/** A private key that came wrapped, and the public one that came with it, must belong together: RSA keys have both. */
async function demandPair(pkcs11: Pkcs11, session: number, key: number, spec: KeySpec, pem: string): Promise<void> {
  const algorithm = spec.type === 'OKP' ? 'EdDSA' : 'ES256'
  const probe = randomBytes(32)
  const { mechanism, data } = signing({ algorithm, data: probe, isDigest: false })
  const signature = await pkcs11.sign(session, mechanism, key, data)
  const hash = spec.type === 'OKP' ? null : 'sha256'
  if (!verifySignature(hash, probe, { key: pem, dsaEncoding: 'ieee-p1363' }, signature))
    throw Object.assign(new Error('The public key does not belong to the private key.'), { kind: 'invalid' })
}
