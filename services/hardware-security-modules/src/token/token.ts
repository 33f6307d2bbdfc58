import { createPublicKey, randomBytes, verify as verifySignature } from 'node:crypto'
import type { Mechanism, Pkcs11 } from '@icosa/pkcs11'
import { CKA, CKM, CKO } from '@icosa/pkcs11'
import type { Input, Pins, TokenConfig, TokenKey } from './calls.ts'
import { type Files, openFolder, restoreToken, type TokenFolder, tokenFiles } from './files.ts'
import { generation, importedPublicTemplate, type KeySpec, publicPem, publicTemplate, secretTemplate } from './keys.ts'
import { oaep, signing, type ToSign, wrapping } from './mechanisms.ts'
import { openSessions, type Sessions } from './sessions.ts'

/** Private and public key of a pair, or a secret key twice. */
interface Handles {
  readonly secret: number
  readonly open: number
}

/** A token with a logged-in user. Every call takes a session; changes are sequential. */
export interface Token {
  load(id: string, files: Files): Promise<void>
  make(id: string, spec: KeySpec): Promise<TokenKey>
  unwrap(input: Input<'unwrap'>): Promise<TokenKey>
  wrap(input: Input<'wrap'>): Promise<Uint8Array>
  sign(id: string, toSign: ToSign): Promise<Uint8Array>
  verify(id: string, toSign: ToSign, signature: Uint8Array): Promise<boolean>
  encrypt(input: Input<'encrypt'>): Promise<Uint8Array>
  decrypt(input: Input<'decrypt'>): Promise<Uint8Array>
  forget(ids: readonly string[]): void
  zeroise(): void
}

/** Initializes a token. Returns its files, if it is stored in files. */
export function createToken(pkcs11: Pkcs11, config: TokenConfig, label: string, pins: Pins): Files {
  // A token of a failed attempt has the same label, and is initialized again.
  const slots = pkcs11.slots()
  const slot = slots.find((candidate) => candidate.label === label) ?? slots.find(({ isFree }) => isFree)
  if (!slot) throw new Error('The library has no free slot left for another module.')
  pkcs11.initToken(slot.id, pins.so, label)
  const session = pkcs11.openSession(slotOf(pkcs11, label))
  pkcs11.login(session, 'so', pins.so)
  pkcs11.initPin(session, pins.user)
  pkcs11.logout(session)
  pkcs11.closeSession(session)
  return config.keeps === 'sealed' ? tokenFiles(config.folder) : {}
}

/** Must be called before the library is opened. */
export function placeToken({ keeps, folder }: TokenConfig, files: Files): void {
  if (keeps === 'sealed') restoreToken(folder, files)
}

export function openToken(pkcs11: Pkcs11, { keeps, folder: root }: TokenConfig, label: string, pins: Pins): Token {
  const slot = slotOf(pkcs11, label)
  const sessions: Sessions = openSessions(pkcs11, slot, pins.user)
  const folder: TokenFolder | undefined = keeps === 'sealed' ? openFolder(root) : undefined
  const handles = new Map<string, Handles>()
  const filesOf = new Map<string, readonly string[]>()

  function find(session: number, id: string): Handles | undefined {
    const objectOf = (kind: number) =>
      pkcs11.find(session, [
        [CKA.ID, Buffer.from(id)],
        [CKA.CLASS, kind],
      ])[0]
    const secret = objectOf(CKO.PRIVATE_KEY) ?? objectOf(CKO.SECRET_KEY)
    return secret === undefined ? undefined : { secret, open: objectOf(CKO.PUBLIC_KEY) ?? secret }
  }

  function handlesOf(session: number, id: string): Handles {
    const key = handles.get(id) ?? find(session, id)
    if (!key) throw new Error('The token does not have this key.')
    handles.set(id, key)
    return key
  }

  /** Attributes new files in the folder to the key. Destroys the key if `make` fails. */
  function createKey(id: string, make: (session: number) => Promise<string | null>): Promise<TokenKey> {
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
    handles.delete(id)
    filesOf.delete(id)
  }

  const crypt =
    (direction: 'encrypt' | 'decrypt') =>
    ({ id, algorithm, data, iv, aad }: Input<'encrypt'>) =>
      sessions.any((session) => {
        const { secret, open } = handlesOf(session, id)
        const gcm = { iv: iv ?? new Uint8Array(), aad: aad ?? new Uint8Array() }
        const mechanism: Mechanism = algorithm === 'RSA-OAEP' ? oaep : { type: CKM.AES_GCM, gcm }
        return pkcs11[direction](session, mechanism, direction === 'encrypt' ? open : secret, data)
      })

  return {
    // Not while a key is created: these files would be attributed to it, and destroyed if it fails.
    load: (id, files) =>
      sessions.alone(async () => {
        if (!folder || filesOf.has(id)) return
        folder.put(files)
        filesOf.set(id, Object.keys(files))
      }),
    make: (id, spec) =>
      createKey(id, async (session) => {
        const secret = secretTemplate(id, spec, 'generated')
        if (spec.type === 'AES') {
          await pkcs11.generateKey(session, generation(spec), secret)
          return null
        }
        const { publicKey } = await pkcs11.generateKeyPair(session, generation(spec), publicTemplate(id, spec), secret)
        return publicPem(pkcs11, session, publicKey, spec)
      }),
    unwrap: ({ unwrapping, algorithm, wrapped, id, spec, publicKey }) =>
      createKey(id, async (session) => {
        const { secret } = handlesOf(session, unwrapping)
        const template = secretTemplate(id, spec, 'unwrapped')
        const key = await pkcs11.unwrapKey(session, wrapping(algorithm), secret, wrapped, template)
        if (spec.type === 'AES') return null
        const pem = spec.type === 'RSA' ? publicPem(pkcs11, session, key, spec) : (publicKey ?? '')
        if (spec.type !== 'RSA') await demandPair(pkcs11, session, key, spec, pem)
        pkcs11.createObject(session, importedPublicTemplate(id, spec, pem))
        return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()
      }),
    wrap: ({ wrapping: wrappingId, algorithm, id }) =>
      sessions.any((session) =>
        pkcs11.wrapKey(
          session,
          wrapping(algorithm),
          handlesOf(session, wrappingId).open,
          handlesOf(session, id).secret,
        ),
      ),
    sign: (id, toSign) =>
      sessions.any((session) => {
        const { mechanism, data } = signing(toSign)
        return pkcs11.sign(session, mechanism, handlesOf(session, id).secret, data)
      }),
    verify: (id, toSign, signature) =>
      sessions.any((session) => {
        const { mechanism, data } = signing(toSign)
        return pkcs11.verify(session, mechanism, handlesOf(session, id).open, data, signature)
      }),
    encrypt: crypt('encrypt'),
    decrypt: crypt('decrypt'),
    forget(ids) {
      for (const id of ids) destroy(sessions.own, id)
    },
    zeroise() {
      for (let batch = pkcs11.find(sessions.own, []); batch.length > 0; batch = pkcs11.find(sessions.own, []))
        for (const object of batch) pkcs11.destroyObject(sessions.own, object)
    },
  }
}

function slotOf(pkcs11: Pkcs11, label: string): number {
  const slot = pkcs11.slots().find((candidate) => candidate.label === label)
  if (!slot) throw new Error(`The library has no token '${label}'.`)
  return slot.id
}

/** Verifies by a test signature that an imported private key matches its public key. RSA keys contain both. */
async function demandPair(pkcs11: Pkcs11, session: number, key: number, spec: KeySpec, pem: string): Promise<void> {
  const algorithm = spec.type === 'OKP' ? 'EdDSA' : 'ES256'
  const probe = randomBytes(32)
  const { mechanism, data } = signing({ algorithm, data: probe, isDigest: false })
  const signature = await pkcs11.sign(session, mechanism, key, data)
  const hash = spec.type === 'OKP' ? null : 'sha256'
  if (!verifySignature(hash, probe, { key: pem, dsaEncoding: 'ieee-p1363' }, signature))
    throw Object.assign(new Error('The public key does not belong to the private key.'), { kind: 'invalid' })
}
