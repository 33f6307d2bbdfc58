import { createHash } from 'node:crypto'

/** GUID of a tenant in the scope of a snapshot. Not a secret. */
export function accountOf(tenant: string): string {
  const hex = createHash('sha256').update(`icosa face account ${tenant}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
