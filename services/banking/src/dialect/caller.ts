import type { KeyObject } from 'node:crypto'
import type { Operation } from '@icosa/contract'
import type { Caller } from '@icosa/kernel'
import type { Installation } from '../access/tokens.ts'
import { serviceName } from '../names.ts'
import type { Limiter } from './rates.ts'

const allows = (permission: string) => permission.startsWith(`${serviceName}:`)

/** Somebody who has installed a key pair, and is nobody's customer yet. */
export class InstallationCaller implements Caller {
  readonly id: string
  readonly tenant = ''
  readonly allows = allows
  readonly installation: Installation
  readonly publicKey: KeyObject
  /** Where it calls from. */
  readonly ip: string
  readonly #limit: Limiter

  constructor(installation: Installation, publicKey: KeyObject, { ip, limit }: { ip: string; limit: Limiter }) {
    this.ip = ip
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
  /** The consent of its user, if an application acts. */
  readonly grant: string | null
  readonly device: string
  readonly installation: string
  readonly publicKey: KeyObject
  readonly limit: Limiter
}

/** A user of the bank, in a session. */
export class SessionCaller implements Caller {
  readonly id: string
  readonly tenant: string
  readonly allows = allows
  readonly user: string
  readonly grant: string | null
  readonly device: string
  readonly installation: string
  readonly publicKey: KeyObject
  readonly #limit: Limiter

  constructor({ id, tenant, user, grant, device, installation, publicKey, limit }: Session) {
    this.id = `session ${tenant} ${id}`
    this.tenant = tenant
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

/** Whoever makes a user of the sandbox without any credential. */
export const sandboxVisitor = (tenant: string): Caller => ({
  id: 'sandbox',
  tenant,
  allows: (permission) => permission.startsWith(`${serviceName}:createSandboxUser`),
})
