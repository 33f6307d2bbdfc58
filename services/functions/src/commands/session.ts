import { virtualClock } from '@icosa/kernel'
import { type Arguments, type ServiceArguments, text, UsageError } from '@icosa/module'
import { ensureSigningKeys, issueToken } from '@icosa/tokens'
import { serviceName } from '../names.ts'
import type { Values } from '../settings.ts'

export type CommandInput = Arguments & ServiceArguments<Values>

export type Json = Readonly<Record<string, unknown>>

/** API client of a command, with a token of the tenant for the duration of the command. */
export interface Session {
  readonly tenant: string
  readonly project: string
  readonly location: string
  /** `projects/mine/locations/here`. */
  readonly parent: string
  readonly token: string
  /** Sends a request; the path is below `/v2/` unless it starts with a slash. */
  ask(method: string, path: string, body?: unknown): Promise<Json>
  /** GET; undefined if not found. */
  find(path: string): Promise<Json | undefined>
}

const lifetimeMs = 3_600_000

export async function openSession({ words, flags, facts, withDatabase, vaultOf }: CommandInput): Promise<Session> {
  const tenant = text(flags, 'tenant') ?? 'dev'
  const project = text(flags, 'project') ?? tenant.toLowerCase().replace(/[^a-z0-9.-]/g, '-')
  const location = text(flags, 'location') ?? facts.region
  const { baseUrl: issuer } = facts
  const token = await withDatabase(async (database) => {
    const clock = await virtualClock(database)
    const cellVault = await vaultOf(database)
    await ensureSigningKeys(database, clock, cellVault)
    // Who deploys with a service account needs all of its permissions.
    const permissions = words[0] === 'deploy' ? ['*'] : [`${serviceName}:*`]
    return issueToken(database, clock, cellVault, {
      subject: `shell-${tenant}`,
      tenant,
      permissions,
      lifetimeMs,
      issuer,
    })
  })
  const root = `${issuer.replace(/\/$/, '')}/${serviceName}`

  async function send(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
    const response = await fetch(root + (path.startsWith('/') ? path : `/v2/${path}`), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new UsageError(`Cannot connect to ${issuer}: start it with \`icosa dev\`, or set its address with --url.`)
    })
    return { status: response.status, json: (await response.json()) as Json }
  }
  const refuse = (json: Json): never => {
    throw new UsageError(String(Object(json.error).message ?? JSON.stringify(json)))
  }

  return {
    ...{ tenant, project, location, token },
    parent: `projects/${project}/locations/${location}`,
    async ask(method, path, body) {
      const { status, json } = await send(method, path, body)
      return status < 300 ? json : refuse(json)
    },
    async find(path) {
      const { status, json } = await send('GET', path)
      if (status === 404) return undefined
      return status < 300 ? json : refuse(json)
    },
  }
}

export function nameIn({ words }: CommandInput, usage: string): string {
  const [, name] = words
  if (name === undefined) throw new UsageError(`Which function? ${usage}`)
  return name
}
