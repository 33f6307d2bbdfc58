import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Failure, type Vault } from '@icosa/kernel'
import { Contributor } from '../../dialect/caller.ts'
import { serviceName, subjectPrefix } from '../../names.ts'

const lifetimeMs = 24 * 3_600_000

/** Signed form tokens, which identify visitors without an account. */
export interface FormSeal {
  make(tenant: string, assignment: string, now: Date): string
  /** The visitor. Refuses forged and expired tokens, and those of another assignment. */
  open(token: string, tenant: string, assignment: string, now: Date, ip: string): Contributor
}

export function formSeal(vault: Vault): FormSeal {
  const key = vault.derive(`${serviceName} forms`)
  const mac = (...parts: readonly string[]) => createHmac('sha256', key).update(parts.join('\n')).digest()
  return {
    make(tenant, assignment, now) {
      const [visitor, expires] = [randomUUID(), String(now.getTime() + lifetimeMs)]
      return `${visitor}.${expires}.${mac(tenant, assignment, visitor, expires).toString('base64url')}`
    },
    open(token, tenant, assignment, now, ip) {
      const [, visitor = '', expires = '', seal = ''] = /^([0-9a-f-]{36})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
      const isValid = timingSafeEqual(mac(tenant, assignment, visitor, expires), padded(Buffer.from(seal, 'base64url')))
      if (!isValid || Number(expires) < now.getTime())
        throw new Failure('forbidden', 'This form is invalid or has expired: reload the page.')
      return new Contributor({ id: `${subjectPrefix}page.visitor-${visitor}`, tenant, allows: () => false }, ip)
    },
  }
}

const padded = (seal: Buffer) => (seal.length === 32 ? seal : Buffer.alloc(32))
