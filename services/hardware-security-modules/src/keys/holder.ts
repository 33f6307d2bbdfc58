import { randomBytes } from 'node:crypto'
import { Failure, type KeyHolder, type KeyUse, type Platform } from '@icosa/kernel'
import { ModuleCaller } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { KeyOperation } from './names.ts'
import * as store from './store.ts'
import { missing, refusalOf, use } from './use.ts'

const ivBytes = 12
/** Matches a key URL on any host: the module's id identifies it. */
const pattern =
  /^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/modules\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/keys\/([\w-]{1,64})$/

/**
 * Lets other services of the platform wrap their data keys with keys of modules, under their own caller id: the key's
 * access is checked and every use is recorded, as for other callers.
 */
export function moduleKeys(
  { database: db }: Platform,
  runtime: Pick<ServiceRuntime, 'directory' | 'tokens' | 'record'>,
): KeyHolder {
  async function callerFor({ tenant, address, caller: id }: KeyUse) {
    const [, moduleId = '', keyName = ''] = pattern.exec(address) ?? []
    const module = moduleId ? await runtime.directory.find(moduleId) : undefined
    if (module?.tenant !== tenant)
      throw new Failure('notFound', `The module '${moduleId}' was not found: name a key of a module of your own.`)
    if (module.state !== 'Succeeded')
      throw new Failure('unavailable', `The module is not ready: ${module.statusMessage}`, {
        retryAfterSeconds: 5,
      })
    return { caller: new ModuleCaller(module, { id, allows: () => true }, false), keyName }
  }

  async function crypt(keyUse: KeyUse, operation: 'encrypt' | 'decrypt', bytes: Uint8Array): Promise<Buffer> {
    const { caller, keyName } = await callerFor(keyUse)
    const { module } = caller
    const { type } = (await store.find(db, module, keyName)) ?? missing(keyName)
    const isGcm = type !== 'RSA'
    const algorithm = isGcm ? 'AES-GCM' : 'RSA-OAEP'
    const head = isGcm && operation === 'decrypt' ? ivBytes : 0
    const iv = isGcm && operation === 'encrypt' ? randomBytes(ivBytes) : Buffer.from(bytes.subarray(0, head))
    const context = { db, caller, runtime: runtime as ServiceRuntime }
    const output = await use(context, keyName, { operation, algorithm }, async (key) => {
      demandBoth(key, caller)
      const aad = Buffer.from(isGcm ? keyUse.context : '')
      const input = { id: key.id, algorithm, data: bytes.subarray(head), iv, aad } as const
      return runtime.tokens.ask(module, [key.id], operation, input)
    })
    return Buffer.concat(operation === 'encrypt' ? [iv, output] : [output])
  }

  return {
    isAddress: (address) => pattern.test(address),
    wrap: (keyUse, dataKey) => crypt(keyUse, 'encrypt', dataKey),
    unwrap: (keyUse, wrapped) => crypt(keyUse, 'decrypt', wrapped),
  }
}

/** Demands both operations before wrapping, so that the result can be unwrapped. */
function demandBoth(key: store.Row, caller: ModuleCaller): void {
  const needed: readonly KeyOperation[] = ['encrypt', 'decrypt']
  if (!needed.every((operation) => key.operations.includes(operation)))
    throw new Failure(
      'forbidden',
      `The key '${key.name}' can only ${key.operations.join(', ')}: create an RSA or AES key with the operations encrypt and decrypt.`,
      { code: 'KeyDoesNot' },
    )
  for (const operation of needed) {
    const refusal = refusalOf(key, operation, caller)
    if (refusal) throw refusal
  }
}
