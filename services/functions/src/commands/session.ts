import { virtualClock } from '@icosa/kernel'
import { type Arguments, type ServiceArguments, text, UsageError } from '@icosa/module'
import { ensureSigningKeys, issueToken } from '@icosa/tokens'
import { serviceName } from '../names.ts'
import type { Values } from '../settings.ts'

export type Said = Arguments & ServiceArguments<Values>

export type Json = Readonly<Record<string, unknown>>

/** Somebody at a shell, as the service sees them: a tenant with a token that lasts as long as a command may take. */
export interface Session {
  readonly tenant: string
  readonly project: string
  readonly location: string
  /** `projects/mine/locations/here`. */
  readonly parent: string
  readonly token: string
  /** Below `/v2/`, or wherever a path begins with a slash. */
  ask(method: string, path: string, body?: unknown): Promise<Json>
  /** The same; undefined if it is not there. */
  find(path: string): Promise<Json | undefined>
}

const lifetimeMs = 3_600_000

export async function openSession({ flags, facts, withDatabase, vaultOf }: Said): Promise<Session> {
  const tenant = text(flags, 'tenant') ?? 'dev'
  const project = text(flags, 'project') ?? tenant.toLowerCase().replace(/[^a-z0-9.-]/g, '-')
  const location = text(flags, 'location') ?? facts.region
  const { baseUrl: issuer } = facts
  const token = await withDatabase(async (database) => {
    const clock = await virtualClock(database)
    const vault = await vaultOf(database)
    await ensureSigningKeys(database, clock, vault)
    const permissions = [`${serviceName}:*`]
    return issueToken(database, clock, vault, { subject: `shell-${tenant}`, tenant, permissions, lifetimeMs, issuer })
  })
  const root = `${issuer.replace(/\/$/, '')}/${serviceName}`

  async function send(method: string, path: string, body?: unknown): Promise<{ status: number; said: Json }> {
    const response = await fetch(root + (path.startsWith('/') ? path : `/v2/${path}`), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new UsageError(`Nothing answers at ${issuer}: start it with \`icosa dev\`, or say where it is with --url.`)
    })
    return { status: response.status, said: (await response.json()) as Json }
  }
  const refuse = (said: Json): never => {
    throw new UsageError(String(Object(said.error).message ?? JSON.stringify(said)))
  }

  return {
    ...{ tenant, project, location, token },
    parent: `projects/${project}/locations/${location}`,
    async ask(method, path, body) {
      const { status, said } = await send(method, path, body)
      return status < 300 ? said : refuse(said)
    },
    async find(path) {
      const { status, said } = await send('GET', path)
      if (status === 404) return undefined
      return status < 300 ? said : refuse(said)
    },
  }
}

export function nameIn({ words }: Said, usage: string): string {
  const [, name] = words
  if (name === undefined) throw new UsageError(`Which function? ${usage}`)
  return name
}
