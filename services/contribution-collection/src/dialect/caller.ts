import type { Caller } from '@icosa/kernel'
import { subjectPrefix } from '../names.ts'
import { allowsPublic, isPublicKey } from './public.ts'

/** A user of this service with a token, or a platform credential, which acts as a user under its own id. */
export class Contributor implements Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Caller['allows']
  /** Id of the user. */
  readonly user: string
  /** Session of a token from our token endpoint. */
  readonly session: string | undefined
  readonly ip: string
  /** Whether it is a publishable key, which reads only public content. */
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

  /** Platform credentials have jurisdiction over the whole tenant, users only over their own assignments. */
  get isTenant(): boolean {
    return this.session === undefined && !this.isPublic
  }
}

const subject = new RegExp(`^${subjectPrefix.replace('.', '\\.')}([\\w-]+)\\.(.+)$`)

/** The caller of a handler, created by the dialect. */
export function contributor(caller: Caller): Contributor {
  if (!(caller instanceof Contributor)) throw new Error('Callers of this service are created by its dialect.')
  return caller
}
