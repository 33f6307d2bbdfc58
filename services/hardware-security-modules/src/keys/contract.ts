import { extensions, named, oneOf, readOnly, type Static, secret, Type, writable } from '@icosa/contract'
import { api, bytes, maxDataBytes, page, pageOf } from '../data-plane/contract.ts'
import {
  curves,
  encryptionAlgorithms,
  keyOperations,
  keyTypes,
  signatureAlgorithms,
  wrappingAlgorithms,
} from './names.ts'

const Operations = Type.Array(oneOf(...keyOperations), { maxItems: keyOperations.length })

const Grant = named('Grant', {
  caller: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The id of a credential, `pin` for callers with the PIN of the module, or `*`.',
  }),
  operations: Operations,
})
export interface Grant extends Static<typeof Grant> {}

const kind = {
  type: oneOf(...keyTypes),
  size: Type.Optional(Type.Integer({ minimum: 128, maximum: 4096, description: 'Bits of an RSA or AES key.' })),
  curve: Type.Optional(oneOf(...curves)),
  operations: Type.Optional(Operations),
  exportable: Type.Optional(Type.Boolean({ description: 'Whether it may be exported, wrapped under another key.' })),
  access: Type.Optional(Type.Array(Grant, { maxItems: 100 })),
}

const Key = named('Key', {
  name: readOnly(Type.Optional(Type.String())),
  ...kind,
  imported: readOnly(Type.Optional(Type.Boolean())),
  publicKey: readOnly(Type.Optional(Type.String({ description: 'In PEM.' }))),
  createdAt: readOnly(Type.Optional(Type.String({ format: 'date-time' }))),
})
export interface Key extends Static<typeof Key> {}

const KeyInput = writable(Key)
export interface KeyInput extends Static<typeof KeyInput> {}

const digest = Type.Optional(bytes(64, 'The digest of the data, in base64.'))
const value = Type.Optional(bytes(maxDataBytes, 'The data, in base64.'))
const encoding = Type.Optional(oneOf('der', 'raw'))
const algorithm = oneOf(...signatureAlgorithms)
const aad = Type.Optional(bytes(1_024, 'Additional data, authenticated but not encrypted, in base64.'))

const at = '/keys/{keyName}'

export const keys = extensions({
  list: api.get('/keys', {
    summary: 'List the keys of a module.',
    query: Type.Object(page),
    replies: { 200: pageOf('KeyList', Key) },
  }),
  make: api.put(at, {
    summary: 'Create a key. An existing key with the same properties is returned unchanged.',
    body: KeyInput,
    replies: { 200: Key, 201: Key },
  }),
  get: api.get(at, {
    summary: 'Read the properties of a key, and its public half.',
    replies: { 200: Key },
  }),
  update: api.patch(at, {
    summary: 'Change the access list of a key.',
    body: named('KeyUpdate', { access: Type.Array(Grant, { maxItems: 100 }) }),
    replies: { 200: Key },
  }),
  delete: api.delete(at, {
    summary: 'Destroy a key irreversibly.',
    replies: { 204: null },
  }),
  sign: api.post(`${at}/sign`, {
    summary: 'Sign data, or its digest.',
    reads: true,
    body: named('SignRequest', { algorithm, digest, value, encoding }),
    replies: { 200: named('Signature', { signature: Type.String() }) },
  }),
  verify: api.post(`${at}/verify`, {
    summary: 'Verify a signature.',
    reads: true,
    body: named('VerifyRequest', { algorithm, digest, value, encoding, signature: bytes(1_024, 'In base64.') }),
    replies: { 200: named('Verification', { valid: Type.Boolean() }) },
  }),
  wrap: api.post(`${at}/wrap`, {
    summary: 'Wrap an exportable key of the module under this one.',
    reads: true,
    body: named('WrapRequest', {
      algorithm: oneOf(...wrappingAlgorithms),
      key: Type.String({ minLength: 1, maxLength: 64, description: 'The name of the key to wrap.' }),
    }),
    replies: { 200: named('WrappedKey', { value: Type.String() }) },
  }),
  unwrap: api.post(`${at}/unwrap`, {
    summary: 'Import a key that was wrapped under this one.',
    body: named('UnwrapRequest', {
      algorithm: oneOf(...wrappingAlgorithms),
      value: bytes(16_384, 'The wrapped key, in base64: of a pair the private one, in PKCS #8.'),
      name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The name of the imported key.' }),
      ...kind,
      publicKey: Type.Optional(Type.String({ maxLength: 10_000, description: 'In PEM: required for EC and OKP.' })),
    }),
    replies: { 201: Key },
  }),
  encrypt: api.post(`${at}/encrypt`, {
    summary: 'Encrypt data with this key.',
    reads: true,
    body: named('EncryptRequest', {
      algorithm: oneOf(...encryptionAlgorithms),
      value: secret(bytes(maxDataBytes, 'The data, in base64.')),
      aad,
    }),
    replies: { 200: named('Encrypted', { value: Type.String() }) },
  }),
  decrypt: api.post(`${at}/decrypt`, {
    summary: 'Decrypt data that was encrypted with this key.',
    reads: true,
    body: named('DecryptRequest', {
      algorithm: oneOf(...encryptionAlgorithms),
      value: bytes(maxDataBytes + 28, 'The result of encrypt, in base64.'),
      aad,
    }),
    replies: { 200: named('Decrypted', { value: secret(Type.String()) }) },
  }),
})
