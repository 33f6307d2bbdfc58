import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { type Sending, startSending } from '@icosa/delivery'
import { type Deliver, deliverBy } from '@icosa/delivery/mail'
import type { OnStop, Platform, SealedColumn } from '@icosa/kernel'
import { type Callers, openCallers } from './access/callers.ts'
import { findServerKey, insertServerKey } from './access/store.ts'
import { type AddressLimiter, openAddressLimiter, openLimiter } from './dialect/rates.ts'
import type { Fee } from './invoices/fees.ts'
import { serviceName } from './names.ts'
import { type Cashier, openCashier } from './payments/cashier.ts'
import type { BankSettings } from './settings.ts'

/** Per-node state of the bank. */
export interface ServiceRuntime extends Sending {
  readonly callers: Callers
  readonly limitAddress: AddressLimiter
  /** The tenant in which anonymous callers may create users. */
  readonly sandboxTenant: string | undefined
  readonly serverKey: { readonly publicKey: string; readonly privateKey: KeyObject }
  /** Authenticates installation tokens. */
  readonly installationKey: Buffer
  readonly publicUrl: string
  readonly fees: readonly Fee[]
  readonly cashier: Cashier
  readonly sendMail: Deliver
  /** Whether the operator has configured mail. */
  readonly canMail: boolean
}

export const startWith =
  ({ sandboxTenant, rates, anonymousPerMinute, publicUrl, fees = [], mail }: BankSettings) =>
  async (platform: Platform, onStop: OnStop): Promise<ServiceRuntime> => {
    const installationKey = platform.cellVault.derive(`${serviceName} installations`)
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
      cashier: openCashier(platform),
      sendMail: deliverBy(mail, platform.traces),
      canMail: mail.transport.kind !== 'none',
      ...startSending(platform, onStop),
    }
  }

export const sealedKey: SealedColumn = {
  table: 'banking.server_keys',
  column: 'private_key',
  context: 'banking server key {id}',
  isOfCell: true,
}

/** The first node creates the key; all others read it. */
async function serverKey({ database, cellVault }: Platform): Promise<ServiceRuntime['serverKey']> {
  const context = sealedKey.context.replace('{id}', 'current')
  let stored = await findServerKey(database)
  if (!stored) {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    stored = await insertServerKey(database, { publicKey, privateKey: cellVault.seal(privateKey, context) })
  }
  return { publicKey: stored.publicKey, privateKey: createPrivateKey(cellVault.open(stored.privateKey, context)) }
}
