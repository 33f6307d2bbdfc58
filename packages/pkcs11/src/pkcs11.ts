import { CKF, CKU } from './constants.ts'
import { openLibrary, Pkcs11Error } from './library.ts'

/** An attribute of an object. */
export type Attribute = readonly [type: number, value: Uint8Array | boolean | number]

export interface Mechanism {
  readonly type: number
  readonly parameter?: Uint8Array
  /** For AES-GCM, whose parameter contains pointers. */
  readonly gcm?: { readonly iv: Uint8Array; readonly aad: Uint8Array }
}

/**
 * An open PKCS#11 library, SoftHSM's or a device's, with only the functions a module needs. Slow ones run on threads
 * off the event loop; a session does one thing at a time.
 */
export interface Pkcs11 {
  version(): string
  /** Slots with a token, and its label; `isFree` if it is not initialized. */
  slots(): { readonly id: number; readonly label: string; readonly isFree: boolean; readonly flags: number }[]
  initToken(slot: number, soPin: string, label: string): void
  initPin(session: number, pin: string): void
  openSession(slot: number): number
  closeSession(session: number): void
  login(session: number, user: 'so' | 'user', pin: string): void
  logout(session: number): void
  find(session: number, template: readonly Attribute[]): number[]
  attribute(session: number, object: number, type: number): Buffer
  createObject(session: number, template: readonly Attribute[]): number
  destroyObject(session: number, object: number): void
  generateKey(session: number, mechanism: Mechanism, template: readonly Attribute[]): Promise<number>
  generateKeyPair(
    session: number,
    mechanism: Mechanism,
    publicTemplate: readonly Attribute[],
    privateTemplate: readonly Attribute[],
  ): Promise<{ readonly publicKey: number; readonly privateKey: number }>
  sign(session: number, mechanism: Mechanism, key: number, data: Uint8Array): Promise<Buffer>
  verify(session: number, mechanism: Mechanism, key: number, data: Uint8Array, signature: Uint8Array): Promise<boolean>
  encrypt(session: number, mechanism: Mechanism, key: number, data: Uint8Array): Promise<Buffer>
  decrypt(session: number, mechanism: Mechanism, key: number, data: Uint8Array): Promise<Buffer>
  wrapKey(session: number, mechanism: Mechanism, wrapping: number, key: number): Promise<Buffer>
  unwrapKey(
    session: number,
    mechanism: Mechanism,
    unwrapping: number,
    wrapped: Uint8Array,
    template: readonly Attribute[],
  ): Promise<number>
  finalize(): void
}

/** Maximum size of a wrapped key, and overhead of encryption. */
const maxOverheadBytes = 8 * 1024
const signatureBytes = 1024
const attributeBytes = 8 * 1024
const tokenInfo = { bytes: 208, label: 32, flags: 96 }
const unavailable = 2n ** 64n - 1n

/** Throws if the file is not such a library, or does not initialize. */
export function openPkcs11(file: string): Pkcs11 {
  const { now, later } = openLibrary(file)

  now('Initialize', 'IcosaInit *init')({ flags: CKF.OS_LOCKING_OK })
  const getInfo = now('GetInfo', 'uint8_t *info')
  const getSlotList = now('GetSlotList', 'uint8_t present', '_Out_ ulong *slots', '_Inout_ ulong *count')
  const getTokenInfo = now('GetTokenInfo', 'ulong slot', 'uint8_t *info')
  const initToken = now('InitToken', 'ulong slot', 'uint8_t *pin', 'ulong length', 'uint8_t *label')
  const initPin = now('InitPIN', 'ulong session', 'uint8_t *pin', 'ulong length')
  const openSession = now('OpenSession', 'ulong slot', 'ulong flags', 'void *a', 'void *b', '_Out_ ulong *session')
  const closeSession = now('CloseSession', 'ulong session')
  const login = now('Login', 'ulong session', 'ulong user', 'uint8_t *pin', 'ulong length')
  const logout = now('Logout', 'ulong session')
  const findInit = now('FindObjectsInit', 'ulong session', 'IcosaAttribute *template', 'ulong count')
  const findNext = now('FindObjects', 'ulong session', '_Out_ ulong *objects', 'ulong max', '_Out_ ulong *count')
  const findFinal = now('FindObjectsFinal', 'ulong session')
  const getAttribute = now(
    'GetAttributeValue',
    ...['ulong session', 'ulong object', '_Inout_ IcosaAttribute *template', 'ulong count'],
  )
  const createObject = now(
    'CreateObject',
    ...['ulong session', 'IcosaAttribute *template', 'ulong count', '_Out_ ulong *object'],
  )
  const destroyObject = now('DestroyObject', 'ulong session', 'ulong object')
  const { generateKey, generateKeyPair, wrapKey, unwrapKey } = keyFunctions(later)
  const data = ['ulong session', 'uint8_t *data', 'ulong length', 'uint8_t *out', '_Inout_ ulong *outLength']
  const init = (name: string) => {
    const plain = now(name, 'ulong session', 'IcosaMechanism *how', 'ulong key')
    const gcm = now(name, 'ulong session', 'IcosaGcmMechanism *how', 'ulong key')
    return (session: number, mechanism: Mechanism, key: number) =>
      mechanism.gcm ? gcm(session, gcmOf(mechanism.gcm, mechanism.type), key) : plain(session, plainOf(mechanism), key)
  }
  const verify = later('Verify', ...data.slice(0, 3), 'uint8_t *signature', 'ulong signatureLength')
  const verifyInit = init('VerifyInit')

  /** Initializes an operation, then runs it; the output length is reported by the library. */
  const twoStep = (name: string, bytesOf: (input: Uint8Array) => number) => {
    const [begin, end] = [init(`${name}Init`), later(name, ...data)]
    return async (session: number, mechanism: Mechanism, key: number, input: Uint8Array) => {
      begin(session, mechanism, key)
      return outputOf(bytesOf(input), (out, length) => end(session, input, input.length, out, length))
    }
  }
  const withOverhead = ({ length }: Uint8Array) => length + maxOverheadBytes

  return {
    version() {
      const info = Buffer.alloc(88)
      getInfo(info)
      const [maker, description] = [info.subarray(2, 34), info.subarray(48, 80)].map((part) => part.toString().trim())
      return `${maker} ${description} ${info[80]}.${info[81]}`
    },
    slots() {
      const [ids, count] = [new BigUint64Array(1024), [1024]]
      getSlotList(1, ids, count)
      return Array.from(ids.subarray(0, count[0]), (id) => {
        const info = Buffer.alloc(tokenInfo.bytes)
        getTokenInfo(Number(id), info)
        const label = info.subarray(0, tokenInfo.label).toString().trimEnd()
        const flags = Number(info.readBigUInt64LE(tokenInfo.flags))
        return { id: Number(id), label, isFree: (flags & CKF.TOKEN_INITIALIZED) === 0, flags }
      })
    },
    initToken: (slot, pin, label) =>
      initToken(slot, Buffer.from(pin), Buffer.byteLength(pin), Buffer.from(label.padEnd(32))),
    initPin: (session, pin) => initPin(session, Buffer.from(pin), Buffer.byteLength(pin)),
    openSession: (slot) => handle((out) => openSession(slot, CKF.RW_SESSION | CKF.SERIAL_SESSION, null, null, out)),
    closeSession,
    login: (session, user, pin) =>
      login(session, user === 'so' ? CKU.SO : CKU.USER, Buffer.from(pin), Buffer.byteLength(pin)),
    logout,
    find(session, template) {
      findInit(session, template.map(attributeOf), template.length)
      try {
        const [handles, count] = [new BigUint64Array(64), [0]]
        findNext(session, handles, handles.length, count)
        return Array.from(handles.subarray(0, count[0]), Number)
      } finally {
        findFinal(session)
      }
    },
    attribute(session, object, type) {
      const value = Buffer.alloc(attributeBytes)
      const template = [{ type, pValue: value, ulValueLen: value.length }]
      getAttribute(session, object, template, 1)
      const length = BigInt(template[0]?.ulValueLen ?? 0)
      return length === unavailable ? Buffer.alloc(0) : value.subarray(0, Number(length))
    },
    createObject: (session, template) =>
      handle((out) => createObject(session, template.map(attributeOf), template.length, out)),
    destroyObject,
    async generateKey(session, mechanism, template) {
      const out = [0]
      await generateKey(session, plainOf(mechanism), template.map(attributeOf), template.length, out)
      return out[0] as number
    },
    async generateKeyPair(session, mechanism, open, secret) {
      const [publicKey, privateKey] = [[0], [0]]
      const templates = [open.map(attributeOf), open.length, secret.map(attributeOf), secret.length]
      await generateKeyPair(session, plainOf(mechanism), ...templates, publicKey, privateKey)
      return { publicKey: publicKey[0] as number, privateKey: privateKey[0] as number }
    },
    sign: twoStep('Sign', () => signatureBytes),
    async verify(session, mechanism, key, input, signature) {
      verifyInit(session, mechanism, key)
      try {
        await verify(session, input, input.length, signature, signature.length)
        return true
      } catch (error) {
        if (!(error instanceof Pkcs11Error)) throw error
        if (error.is('CKR_SIGNATURE_INVALID') || error.is('CKR_SIGNATURE_LEN_RANGE')) return false
        throw error
      }
    },
    encrypt: twoStep('Encrypt', withOverhead),
    decrypt: twoStep('Decrypt', withOverhead),
    wrapKey: (session, mechanism, wrapping, key) =>
      outputOf(maxOverheadBytes, (out, length) => wrapKey(session, plainOf(mechanism), wrapping, key, out, length)),
    async unwrapKey(session, mechanism, unwrapping, wrapped, template) {
      const out = [0]
      const parameters = [template.map(attributeOf), template.length, out]
      await unwrapKey(session, plainOf(mechanism), unwrapping, wrapped, wrapped.length, ...parameters)
      return out[0] as number
    },
    finalize: () => now('Finalize', 'void *reserved')(null),
  }
}

const keyFunctions = (later: ReturnType<typeof openLibrary>['later']) => ({
  generateKey: later(
    'GenerateKey',
    ...['ulong session', 'IcosaMechanism *how', 'IcosaAttribute *template', 'ulong count', '_Out_ ulong *key'],
  ),
  generateKeyPair: later(
    'GenerateKeyPair',
    ...['ulong session', 'IcosaMechanism *how', 'IcosaAttribute *open', 'ulong openCount', 'IcosaAttribute *secret'],
    ...['ulong secretCount', '_Out_ ulong *openKey', '_Out_ ulong *secretKey'],
  ),
  wrapKey: later(
    'WrapKey',
    ...['ulong session', 'IcosaMechanism *how', 'ulong wrapping', 'ulong key', 'uint8_t *out', '_Inout_ ulong *length'],
  ),
  unwrapKey: later(
    'UnwrapKey',
    ...['ulong session', 'IcosaMechanism *how', 'ulong unwrapping', 'uint8_t *wrapped', 'ulong length'],
    ...['IcosaAttribute *template', 'ulong count', '_Out_ ulong *key'],
  ),
})

function handle(call: (out: number[]) => void): number {
  const out = [0]
  call(out)
  return out[0] as number
}

async function outputOf(bytes: number, call: (out: Buffer, length: number[]) => Promise<void>): Promise<Buffer> {
  const [out, length] = [Buffer.allocUnsafe(bytes), [bytes]]
  await call(out, length)
  return Buffer.from(out.subarray(0, length[0]))
}

function attributeOf([type, value]: Attribute) {
  const pValue = bytesOf(value)
  return { type, pValue, ulValueLen: pValue.length }
}

function bytesOf(value: Attribute[1]): Uint8Array {
  if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0)
  return typeof value === 'number' ? numbers(value) : value
}

/** Numbers in the machine's native format. */
export const numbers = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(BigUint64Array.from(values, BigInt).buffer)

const plainOf = ({ type, parameter }: Mechanism) => ({
  mechanism: type,
  pParameter: parameter ?? null,
  ulParameterLen: parameter?.length ?? 0,
})

function gcmOf({ iv, aad }: NonNullable<Mechanism['gcm']>, mechanism: number) {
  const pParameter = {
    ...{ pIv: iv, ulIvLen: iv.length, ulIvBits: iv.length * 8 },
    ...{ pAAD: aad.length > 0 ? aad : null, ulAADLen: aad.length, ulTagBits: 128 },
  }
  return { mechanism, pParameter, ulParameterLen: 48 }
}
