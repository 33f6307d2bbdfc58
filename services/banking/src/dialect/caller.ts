import type { KeyObject } from 'node:crypto'
import type { Operation } from '@icosa/contract'
import { AnonymousCaller, type Caller } from '@icosa/kernel'
import type { Installation } from '../access/tokens.ts'
import { serviceName } from '../names.ts'
import type { Limiter } from './rates.ts'

const allows = (permission: string) => permission.startsWith(`${serviceName}:`)

/** Has registered a key pair, but belongs to no tenant: anyone can get an installation token. */
export class InstallationCaller extends AnonymousCaller {
  override readonly id: string
  override readonly allows = allows
  readonly installation: Installation
  readonly publicKey: KeyObject
  readonly #limit: Limiter

  constructor(installation: Installation, publicKey: KeyObject, { ip, limit }: { ip: string; limit: Limiter }) {
    super(ip)
    this.id = `installation ${installation.id}`
    this.installation = installation
    this.publicKey = publicKey
    this.#limit = limit
  }

  limit(operation: Operation): void {
    this.#limit(this.id, operation)
  }
}

export interface Session {
  readonly id: string
  readonly tenant: string
  readonly user: string
  /** The user's consent, if an application acts. */
  readonly grant: string | null
  readonly device: string
  readonly installation: string
  readonly publicKey: KeyObject
  readonly limit: Limiter
}

export class SessionCaller implements Caller {
  readonly id: string
  readonly tenant: string
  readonly allows = allows
  readonly session: string
  readonly user: string
  readonly grant: string | null
  readonly device: string
  readonly installation: string
  readonly publicKey: KeyObject
  readonly #limit: Limiter

  constructor({ id, tenant, user, grant, device, installation, publicKey, limit }: Session) {
    this.id = `session ${tenant} ${id}`
    this.tenant = tenant
    this.session = id
    this.user = user
    this.grant = grant
    this.device = device
    this.installation = installation
    this.publicKey = publicKey
    this.#limit = limit
  }

  limit(operation: Operation): void {
    this.#limit(this.id, operation)
  }
}

/** Creates sandbox users without credentials. */
export const sandboxVisitor = (tenant: string): Caller => ({
  id: 'sandbox',
  isAnonymous: true,
  tenant,
  allows: (permission) => permission.startsWith(`${serviceName}:createSandboxUser`),
})
