import type { Caller } from '@icosa/kernel'
import { subjectPrefix } from '../names.ts'
import { allowsPublic, isPublicKey } from './public.ts'

/** Whoever calls: a user of ours by a token, or a credential of the platform, which is a user under its own id. */
export class Contributor implements Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Caller['allows']
  /** Who it is here. */
  readonly user: string
  /** Of a token that our endpoint gave out. */
  readonly session: string | undefined
  /** Where it calls from. */
  readonly ip: string
  /** A key that web pages show: it reads what is public. */
  readonly isPublic: boolean

  constructor({ id, tenant, allows }: Caller, ip: string) {
    const [, session, user] = subject.exec(id) ?? []
    this.id = id
    this.tenant = tenant
    this.isPublic = isPublicKey(allows)
    this.allows = this.isPublic ? allowsPublic : allows
    this.user = user ?? id
    this.session = session
    this.ip = ip
  }

  /**
   * A credential of the platform is the tenant's own, so all of the tenant's is in its jurisdiction. A user of ours has
   * only its own.
   */
  get isTenant(): boolean {
    return this.session === undefined && !this.isPublic
  }
}

const subject = new RegExp(`^${subjectPrefix.replace('.', '\\.')}([\\w-]+)\\.(.+)$`)

/** The caller of a handler, which the dialect has made. */
export function contributor(caller: Caller): Contributor {
  if (!(caller instanceof Contributor)) throw new Error('Callers of this service are made by its dialect.')
  return caller
}
