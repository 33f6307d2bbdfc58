import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Failure, invalid, type KeyHolder, type KeyUse } from '@icosa/kernel'
import { openWith, sealWith } from '@icosa/tokens/gcm'
import { serviceName } from '../names.ts'
import { addressOfKey, keyNameExample } from './names.ts'
import { openStream, sealStream } from './streams.ts'

/** A data key, wrapped by a key of a hardware security module. Stored next to what it encrypts. */
export interface WrappedKey {
  readonly kmsKeyName: string
  readonly id: string
  /** In base64. */
  readonly wrapped: string
}

/** An unwrapped data key. */
export interface DataKey {
  readonly stored: WrappedKey
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
  sealBlob(content: Readable): Readable
  openBlob(sealed: Readable): Readable
  /** Name of encrypted content by its hash. Tells neither the hash nor whether another key has the same content. */
  nameOf(hash: string): string
}

/** Owner of a data key. Access lists and logs of keys name the project. */
export interface KeyOwner {
  readonly tenant: string
  readonly project: string
}

/** Creates a data key, wrapped by the named key. */
export async function createDataKey(
  keys: KeyHolder,
  owner: KeyOwner,
  kmsKeyName: string,
  at = 'body/kmsKeyName',
): Promise<DataKey> {
  const address = addressOfKey(kmsKeyName)
  if (address === undefined) invalid([{ at, message: `must be the name of a key, as ${keyNameExample}` }])
  const id = randomUUID()
  const bytes = randomBytes(32)
  const wrapped = await keys.wrap(useOf(owner, address, id), bytes).catch((error: unknown) => {
    if (isOutage(error)) throw error
    return invalid([{ at, message: `cannot be used: ${(error as Failure).message}` }])
  })
  return dataKeyOf({ kmsKeyName, id, wrapped: wrapped.toString('base64') }, bytes)
}

/** Unwraps a data key. Fails by name if its key is destroyed or no longer accessible. */
export async function openDataKey(keys: KeyHolder, owner: KeyOwner, stored: WrappedKey): Promise<DataKey> {
  const { kmsKeyName, id, wrapped } = stored
  const use = useOf(owner, addressOfKey(kmsKeyName) ?? '', id)
  const bytes = await keys.unwrap(use, Buffer.from(wrapped, 'base64')).catch((error: unknown) => {
    if (isOutage(error)) throw error
    throw new Failure(
      'preconditionFailed',
      `The key ${kmsKeyName} of this function cannot be used: ${(error as Failure).message} Give ${callerOf(owner)} access to it again, or delete the function.`,
      { code: keyInaccessible, cause: error },
    )
  })
  return dataKeyOf(stored, bytes)
}

export const keyInaccessible = 'KeyInaccessible'

const callerOf = ({ project }: KeyOwner) => `${serviceName}:${project}`

const useOf = (owner: KeyOwner, address: string, id: string): KeyUse => ({
  ...{ tenant: owner.tenant, address, caller: callerOf(owner) },
  context: `${serviceName} ${id}`,
})

const isOutage = (error: unknown) =>
  !(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'internal'

function dataKeyOf(stored: WrappedKey, bytes: Buffer): DataKey {
  const key: KeyObject = createSecretKey(bytes)
  const names = createSecretKey(createHmac('sha256', key).update('names').digest())
  bytes.fill(0)
  const contextOf = (context: string) => `${stored.id} ${context}`
  return {
    stored,
    seal: (text, context) => sealWith(key, contextOf(context), Buffer.from(text)).toString('base64'),
    open: (sealed, context) => openWith(key, contextOf(context), Buffer.from(sealed, 'base64')).toString('utf8'),
    sealBlob: (content) => sealStream(key, contextOf('blob'), content),
    openBlob: (sealed) => openStream(key, contextOf('blob'), sealed),
    nameOf: (hash) => createHmac('sha256', names).update(hash).digest('hex'),
  }
}
