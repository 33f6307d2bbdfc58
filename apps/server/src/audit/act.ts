import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { type Database, Failure, operatorService, virtualClock } from '@icosa/kernel'
import { type Arguments, type AuditFact, text, UsageError } from '@icosa/module'
import { appendTo, auditKeyPurpose } from '@icosa/platform/audit'
import type { Environment } from '@icosa/settings'
import type { Config } from '../config.ts'
import { vaultOf } from '../vault.ts'
import type { Action } from './action.ts'

/** An operator's action on the platform database, recorded in two rows of the audit log. */
export interface Act {
  note(fact: AuditFact): void
  /**
   * Writes one row before the work and one after it. Without the first the work does not start, so an action whose
   * process was killed is in the log without an outcome.
   */
  around<T>(database: Database, work: () => Promise<T>): Promise<T>
}

/** HTTP status codes, as in the rows of requests. */
const statuses = { begun: 102, done: 200, refused: 400, failed: 500 } as const

export function actOf({ operation, words, ...action }: Action, said: Arguments['flags'], config: Config): Act {
  const flags = action.flags.flatMap((name) => (said[name] === undefined ? [] : `--${name} ${said[name]}`))
  const facts: AuditFact[] = []
  const subject = () => facts.find(({ tenant }) => tenant !== undefined)?.tenant ?? text(said, 'tenant') ?? ''
  const resource = () => withoutSecrets([...words, ...flags, ...facts.flatMap(({ id }) => id ?? [])])

  return {
    note: (fact) => void facts.push(fact),
    async around(database, work) {
      const key = (await vaultOf(config, database)).derive(auditKeyPurpose)
      const clock = await virtualClock(database)
      const who = { tenant: '', ...operatorIdentity(config.operator, config.env), service: operatorService, operation }
      const requestId = randomBytes(6).toString('hex')
      const write = (outcome: keyof typeof statuses) => {
        const details = { subject: subject(), resource: resource(), status: statuses[outcome], at: clock.now() }
        return appendTo(database, key, [{ ...who, ...details, requestId }])
      }
      await write('begun')
      try {
        const result = await work()
        await write(process.exitCode ? 'failed' : 'done')
        return result
      } catch (error) {
        await write(error instanceof UsageError || error instanceof Failure ? 'refused' : 'failed').catch(() => {})
        throw error
      }
    },
  }
}

const maxLength = 1_000

/** Redacts keys and tokens, which may be given by mistake instead of their ids. */
const withoutSecrets = (words: readonly string[]) =>
  words
    .join(' ')
    .replace(/\bicosa_[\w-]{20,}|\beyJ[\w-]{10,}\.[\w.-]+/g, '(secret)')
    .slice(0, maxLength)

/** Identifies the operator in the audit log: by a chosen name, and by the account, which cannot be chosen. */
function operatorIdentity(name: string | undefined, env: Environment) {
  const account = `${env.SUDO_USER === undefined ? '' : `${env.SUDO_USER} as `}${accountName()}@${hostname()}`
  return {
    caller: `operator ${name === undefined ? account : `${name} (${account})`}`,
    address: env.SSH_CONNECTION?.split(' ', 1)[0] ?? '',
  }
}

/** In a container, the user may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
