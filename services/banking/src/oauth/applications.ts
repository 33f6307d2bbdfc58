import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CellVault, Vault } from '@icosa/kernel'
import { documentStore } from '../documents/store.ts'
import { serviceName } from '../names.ts'

/** An application that users can authorize to act for them. */
export interface ClientBody {
  readonly name: string
}

export const clients = documentStore<ClientBody>('OauthClient')
export const callbackUrls = documentStore<{ readonly url: string }>('OauthCallbackUrl')

const mac = (vault: Vault, purpose: string, text: string) =>
  createHmac('sha256', vault.derive(`${serviceName} OAuth ${purpose}`))
    .update(text)
    .digest()

/** Contains the id and tenant of the application, authenticated by a MAC. */
export function clientIdOf(vault: Vault, tenant: string, id: string): string {
  const text = `${Buffer.from(tenant).toString('base64url')}.${id}`
  return `${text}.${mac(vault, 'clients', text).subarray(0, 16).toString('base64url')}`
}

/** The vault is that of the application's tenant. */
export interface Application {
  readonly tenant: string
  readonly id: string
  readonly vault: Vault
}

export async function readClientId(cellVault: CellVault, clientId: string): Promise<Application | undefined> {
  const [, text, encoded, id, seal] = /^(([\w-]{1,200})\.(\d{1,15}))\.([\w-]{22})$/.exec(clientId) ?? []
  if (text === undefined || encoded === undefined || id === undefined || seal === undefined) return undefined
  const tenant = Buffer.from(encoded, 'base64url').toString()
  const vault = await cellVault.find(tenant)
  const expected = mac(vault, 'clients', text).subarray(0, 16)
  if (!timingSafeEqual(expected, Buffer.from(seal, 'base64url'))) return undefined
  return { tenant, id, vault }
}

/** Derived from the client id, so that no secret is stored. */
export const clientSecretOf = (vault: Vault, clientId: string) => mac(vault, 'secrets', clientId).toString('hex')

export function isClientSecret(vault: Vault, clientId: string, secret: string): boolean {
  const [expected, actual] = [Buffer.from(clientSecretOf(vault, clientId)), Buffer.from(secret)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
