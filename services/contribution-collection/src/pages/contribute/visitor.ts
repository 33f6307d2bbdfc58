import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Failure, type Vault } from '@icosa/kernel'
import { Contributor } from '../../dialect/caller.ts'
import { serviceName, subjectPrefix } from '../../names.ts'

const lifetimeMs = 24 * 3_600_000

/**
 * A form knows whom it was given to: what it brings belongs to nobody else, and nobody can make one up. People who use the
 * page need no account.
 */
export interface FormSeal {
  make(tenant: string, assignment: string, now: Date): string
  /** Who has filled in the form; refuses one that is not ours, of another assignment, or a day old. */
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
      const isOurs = timingSafeEqual(mac(tenant, assignment, visitor, expires), padded(Buffer.from(seal, 'base64url')))
      if (!isOurs || Number(expires) < now.getTime())
        throw new Failure('forbidden', 'This form is too old, or was not made here: load the page again.')
      return new Contributor({ id: `${subjectPrefix}page.visitor-${visitor}`, tenant, allows: () => false }, ip)
    },
  }
}

const padded = (seal: Buffer) => (seal.length === 32 ? seal : Buffer.alloc(32))
