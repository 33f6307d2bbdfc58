import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { type Sending, startSending } from '@icosa/delivery'
import type { OnStop, Platform } from '@icosa/kernel'
import { type Callers, openCallers } from './access/callers.ts'
import { findServerKey, keepServerKey } from './access/server-key-store.ts'
import { type AddressLimiter, openAddressLimiter, openLimiter } from './dialect/rates.ts'
import type { Fee } from './invoices/fees.ts'
import { serviceName } from './names.ts'
import type { BankSettings } from './settings.ts'

/** What a node holds open for the bank. */
export interface ServiceRuntime extends Sending {
  readonly callers: Callers
  readonly limitAddress: AddressLimiter
  /** Whose users anonymous callers may make. */
  readonly sandboxTenant: string | undefined
  readonly serverKey: { readonly publicKey: string; readonly privateKey: KeyObject }
  /** By which the tokens of installations are known as ours. */
  readonly installationKey: Buffer
  readonly publicUrl: string
  /** What the bank charges; nothing at first. */
  readonly fees: readonly Fee[]
}

export const startWith =
  ({ sandboxTenant, rates, anonymousPerMinute, publicUrl, fees = [] }: BankSettings) =>
  async (platform: Platform, onStop: OnStop): Promise<ServiceRuntime> => {
    const installationKey = platform.vault.derive(`${serviceName} installations`)
    const limit = rates === 'none' ? () => {} : openLimiter()
    const limitAddress = openAddressLimiter(anonymousPerMinute)
    const { clock, database } = platform
    return {
      callers: openCallers({ db: database.reading, clock, installationKey, limit, limitAddress }),
      limitAddress,
      sandboxTenant,
      serverKey: await serverKey(platform),
      installationKey,
      publicUrl,
      fees,
      ...startSending(platform, onStop),
    }
  }

export const sealedKey = { table: 'banking.server_keys', column: 'private_key', context: 'banking server key {id}' }

/** The first node makes it, all others find it. */
async function serverKey({ database, vault }: Platform): Promise<ServiceRuntime['serverKey']> {
  const context = sealedKey.context.replace('{id}', 'current')
  let found = await findServerKey(database)
  if (!found) {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    found = await keepServerKey(database, { publicKey, privateKey: vault.seal(privateKey, context) })
  }
  return { publicKey: found.publicKey, privateKey: createPrivateKey(vault.open(found.privateKey, context)) }
}
