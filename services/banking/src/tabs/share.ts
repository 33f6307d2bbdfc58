import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CellVault, Vault } from '@icosa/kernel'
import { serviceName } from '../names.ts'

export interface Shared {
  readonly tenant: string
  readonly kind: 'tab' | 'fundraiser'
  readonly id: string
}

const mac = (vault: Vault, text: string) =>
  createHmac('sha256', vault.derive(`${serviceName} share URLs`))
    .update(text)
    .digest()
    .subarray(0, 16)

/** Self-contained, and authenticated by a MAC. */
export function shareToken(vault: Vault, { tenant, kind, id }: Shared): string {
  const text = `${Buffer.from(tenant).toString('base64url')}.${kind}.${id}`
  return `${text}.${mac(vault, text).toString('base64url')}`
}

export async function readShareToken(cellVault: CellVault, token: string): Promise<Shared | undefined> {
  const [, text, encoded, kind, id, seal] = /^(([\w-]+)\.(tab|fundraiser)\.(\d{1,15}))\.([\w-]{22})$/.exec(token) ?? []
  if (text === undefined || encoded === undefined || seal === undefined || id === undefined) return undefined
  const tenant = Buffer.from(encoded, 'base64url').toString()
  if (!timingSafeEqual(mac(await cellVault.find(tenant), text), Buffer.from(seal, 'base64url'))) return undefined
  return { tenant, kind: kind as Shared['kind'], id }
}

export const shareUrl = (publicUrl: string, vault: Vault, shared: Shared) =>
  `${publicUrl}/pay/${shareToken(vault, shared)}`
