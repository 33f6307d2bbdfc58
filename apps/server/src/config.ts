import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BlobStore } from '@icosa/blobs'
import { defaultSettings, type IdentitySettings } from '@icosa/identity-connect/settings'
import { type SchedulerSettings, defaultSettings as schedulerDefaults } from '@icosa/job-scheduler/settings'
import type { KeepDays, RateLimit, SubscriptionRule } from '@icosa/kernel'
import type { DirectorySettings } from '@icosa/podcast-directory/settings'
import { type SqlSettings, defaultSettings as sqlDefaults } from '@icosa/sql-databases/settings'
import type { TrustedIssuer } from '@icosa/tokens'
import { settingsFrom } from '@icosa/voice-messaging/environment'
import { type VoiceSettings, defaultSettings as voiceDefaults } from '@icosa/voice-messaging/settings'

/** All that the environment says, read once. Every key is described in docs/configuration.md. */
export interface Config {
  readonly databaseUrl: string | undefined
  readonly maxConnections: number
  readonly host: string
  readonly port: number
  /** Where callers reach the platform; the first address is the one in mails and names. */
  readonly publicUrls: readonly string[]
  readonly trustedProxies: number
  readonly masterKeys: readonly Uint8Array[]
  readonly logLevel: string | undefined
  readonly clock: 'system' | 'virtual'
  readonly blobs: BlobStore | undefined
  readonly fetchAllow: readonly string[]
  readonly rateLimit: RateLimit | undefined
  readonly subscriptions: SubscriptionRule | undefined
  readonly drainMs: number
  readonly concurrency: number
  readonly identity: IdentitySettings
  /** The server on which databases of tenants are made; the platform's own if not given. */
  readonly sqlUrl: string | undefined
  readonly sqlAddress: string | undefined
  readonly sql: SqlSettings
  readonly scheduler: SchedulerSettings
  readonly strictVersions: boolean
  /** For which callers of the signed services must sign; it is part of the names of what they make. */
  readonly region: string
  readonly groupEventsUrl: string | undefined
  readonly eventTargets: Readonly<Record<string, string>>
  readonly voice: VoiceSettings
  readonly podcasts: Partial<DirectorySettings>
  /** How many days rows are kept, where the operator decides otherwise than the service. */
  readonly keepDays: KeepDays
  /** Issuers beside our own whose tokens are taken. */
  readonly trustedIssuers: readonly TrustedIssuer[]
  /** The folder of development mode. */
  readonly dataDirectory: string
}

/** A setting that cannot be used; the message says which and what it should be. */
export class ConfigError extends Error {}

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return {
    databaseUrl: env.DATABASE_URL || undefined,
    maxConnections: whole(env, 'ICOSA_DB_CONNECTIONS', 10),
    host: env.ICOSA_HOST || '127.0.0.1',
    port: whole(env, 'ICOSA_PORT', 4000),
    publicUrls: list(env.ICOSA_PUBLIC_URL).map(publicUrl),
    trustedProxies: trustedProxies(env),
    masterKeys: list(env.ICOSA_MASTER_KEY).map(masterKey),
    logLevel: env.ICOSA_LOG_LEVEL || undefined,
    clock: oneOf(env, 'ICOSA_CLOCK', ['system', 'virtual']),
    blobs: env.ICOSA_BLOBS ? blobStore(env, env.ICOSA_BLOBS) : undefined,
    fetchAllow: list(env.ICOSA_FETCH_ALLOW),
    rateLimit: env.ICOSA_RATE_LIMIT ? rateLimit(env.ICOSA_RATE_LIMIT) : undefined,
    subscriptions: env.ICOSA_SUBSCRIPTIONS ? oneOf(env, 'ICOSA_SUBSCRIPTIONS', ['bind', 'first']) : undefined,
    drainMs: whole(env, 'ICOSA_DRAIN_MS', 5_000),
    concurrency: whole(env, 'ICOSA_CONCURRENCY', 32),
    identity: identity(env),
    sqlUrl: env.ICOSA_SQL_URL || undefined,
    sqlAddress: env.ICOSA_SQL_ADDRESS || undefined,
    sql: sqlSettings(env),
    strictVersions: env.ICOSA_STRICT_VERSIONS === 'true',
    region: env.ICOSA_REGION || 'us-east-1',
    groupEventsUrl: env.ICOSA_GROUP_EVENTS_URL || undefined,
    eventTargets: env.ICOSA_EVENT_TARGETS ? eventTargets(env.ICOSA_EVENT_TARGETS) : {},
    voice: voice(env),
    podcasts: env.ICOSA_PODCAST_QUOTA ? { monthlyQuota: whole(env, 'ICOSA_PODCAST_QUOTA', 10_000) } : {},
    keepDays: env.ICOSA_RETENTION ? keepDays(env.ICOSA_RETENTION) : {},
    scheduler: {
      queue: env.ICOSA_QUEUE_URL || schedulerDefaults.queue,
      topic: env.ICOSA_TOPIC_URL || schedulerDefaults.topic,
    },
    trustedIssuers: env.ICOSA_TRUSTED_ISSUERS ? trustedIssuers(env.ICOSA_TRUSTED_ISSUERS) : [],
    dataDirectory: resolve(env.ICOSA_DATA || '.icosa'),
  }
}

type Env = Readonly<Record<string, string | undefined>>

const list = (text = '') => text.split(',').flatMap((item) => item.trim() || [])

function whole(env: Env, name: string, otherwise: number): number {
  const text = env[name]
  if (!text) return otherwise
  if (!/^\d{1,9}$/.test(text))
    throw new ConfigError(`${name} is '${text}': set it to a whole number, such as ${otherwise}.`)
  return Number(text)
}

function oneOf<const V extends string>(env: Env, name: string, values: readonly [V, ...V[]]): V {
  const value = env[name] || values[0]
  const found = values.find((one) => one === value)
  if (found === undefined) throw new ConfigError(`${name} is '${value}': set it to ${values.join(' or ')}.`)
  return found
}

function publicUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new ConfigError(`ICOSA_PUBLIC_URL holds '${text}': write whole addresses, such as https://api.example.com.`)
  return text.replace(/\/$/, '')
}

function trustedProxies(env: Env): number {
  if (env.ICOSA_TRUST_PROXY)
    throw new ConfigError(
      'ICOSA_TRUST_PROXY is gone: set ICOSA_TRUSTED_PROXIES to how many proxies stand before a node.',
    )
  return whole(env, 'ICOSA_TRUSTED_PROXIES', 0)
}

function masterKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32)
    throw new ConfigError('ICOSA_MASTER_KEY holds keys of 32 bytes in base64: make one with `openssl rand -base64 32`.')
  return key
}

function identity(env: Env): IdentitySettings {
  const { ICOSA_SMTP_URL: smtp, ICOSA_IDENTITY_THEME: theme } = env
  return {
    brand: env.ICOSA_IDENTITY_BRAND || defaultSettings.brand,
    signUp: oneOf(env, 'ICOSA_IDENTITY_SIGN_UP', ['invitation', 'open']),
    mail: {
      from: env.ICOSA_MAIL_FROM || defaultSettings.mail.from,
      transport: smtp
        ? { kind: 'smtp', url: smtp }
        : { kind: 'directory', path: join(resolve(env.ICOSA_DATA || '.icosa'), 'mail') },
    },
    theme: theme ? readFileSync(theme, 'utf8') : undefined,
  }
}

function sqlSettings(env: Env): SqlSettings {
  const { tenant, reservedConnections, transactionMs, idleInTransactionMs } = sqlDefaults
  const megabyte = 1024 ** 2
  const minute = 60_000
  return {
    ...sqlDefaults,
    sharedHost: env.ICOSA_SQL_SHARED_HOST === 'true',
    tenant: {
      connections: whole(env, 'ICOSA_SQL_TENANT_CONNECTIONS', tenant.connections),
      tempBytes: whole(env, 'ICOSA_SQL_TENANT_TEMP_MB', tenant.tempBytes / megabyte) * megabyte,
    },
    reservedConnections: whole(env, 'ICOSA_SQL_RESERVED_CONNECTIONS', reservedConnections),
    transactionMs: whole(env, 'ICOSA_SQL_TRANSACTION_MINUTES', transactionMs / minute) * minute,
    idleInTransactionMs: whole(env, 'ICOSA_SQL_IDLE_MINUTES', idleInTransactionMs / minute) * minute,
  }
}

function voice(env: Env): VoiceSettings {
  try {
    return settingsFrom(env, { ...voiceDefaults, logs: join(resolve(env.ICOSA_DATA || '.icosa'), 'voice-logs') })
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

function eventTargets(text: string): Record<string, string> {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(
      `ICOSA_EVENT_TARGETS is not JSON: set it to such as {"sns:*":"nats://127.0.0.1:4222","lambda:*":"https://functions.example.com/{name}"}.`,
    )
  }
}

function keepDays(text: string): KeepDays {
  const wanted = new ConfigError(
    `ICOSA_RETENTION is '${text}': set it to whole days by table, such as {"job_scheduler.history":90}.`,
  )
  try {
    const days: unknown = JSON.parse(text)
    if (typeof days !== 'object' || days === null || Array.isArray(days)) throw wanted
    if (!Object.values(days).every((one) => Number.isInteger(one) && one >= 1 && one <= 36_500)) throw wanted
    return days as KeepDays
  } catch {
    throw wanted
  }
}

function trustedIssuers(text: string): TrustedIssuer[] {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    throw new ConfigError(
      `ICOSA_TRUSTED_ISSUERS is not JSON: set it to such as [{"issuer":"https://login.example.com","audience":"icosa","tenant":"acme","permissions":["*"]}].`,
    )
  }
}

function rateLimit(text: string): RateLimit {
  const [, perSecond, burst] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? []
  if (!perSecond || Number(perSecond) === 0)
    throw new ConfigError(`ICOSA_RATE_LIMIT is '${text}': set it to requests a second and burst, such as 100/200.`)
  return { perSecond: Number(perSecond), burst: Number(burst ?? perSecond) }
}

function blobStore(env: Env, text: string): BlobStore {
  if (!text.startsWith('s3://')) return { directory: resolve(text) }
  const { hostname: bucket, pathname } = new URL(text)
  const prefix = pathname.replace(/^\/|\/$/g, '')
  return {
    s3: {
      bucket,
      region: env.ICOSA_S3_REGION || env.AWS_REGION || 'us-east-1',
      ...(env.ICOSA_S3_ENDPOINT && { endpoint: env.ICOSA_S3_ENDPOINT, forcePathStyle: true }),
      ...(prefix && { prefix: `${prefix}/` }),
    },
  }
}
