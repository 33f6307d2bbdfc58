import { createHash } from 'node:crypto'
import { type Database, type Service, sql } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { credentialsFor, example, sized, startTestApp, type TestApp, testServerUrl } from '@icosa/testing'
import { expect } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { seeds } from '../seeds.ts'

export const services: readonly Service[] = [...(await allServices({ databaseUrl: testServerUrl })), platform, example]

export const startFilled = () => startTestApp({ services: [...services] })

/** Subscriptions and projects belong to one tenant each, so another tenant's have other names. */
const subscriptions = /\b(Main|seeded-subscription|b3c6a2f0-0000-4000-8000-0000000000?\w{2,3}|(?<=projects\/)shop)\b/g

/** Services whose models, modules or feeds take long: they are filled nightly only. */
const slow = ['language-authoring', 'face-recognition', 'hardware-security-modules', 'podcast-directory']
const filled = services.filter(({ name }) => sized(0, 1) === 1 || !slow.includes(name))

/** Creates resources of a tenant in every service. */
export async function fill(app: TestApp, tenant: string): Promise<void> {
  // A port belongs to one listener in the cell.
  const mine = (text: string) =>
    text.replaceAll(subscriptions, `$1-${tenant}`).replace('"port":15500', `"port":${15_400 + tenant.charCodeAt(0)}`)
  const ownFetch: typeof fetch = (url, init) =>
    fetch(mine(String(url)), typeof init?.body === 'string' ? { ...init, body: mine(init.body) } : init)
  const times: string[] = []
  for (const service of filled) {
    const began = performance.now()
    const target = await credentialsFor(app, service, tenant)
    await seeds[service.name]?.({ fetch: ownFetch, ...target }, app)
    times.push(`${service.name} ${Math.round(performance.now() - began)}`)
  }
  await app.jobs.drain() // its jobs must not run while another tenant is examined
  console.log(`${tenant}: ${times.join(', ')} ms`)
}

/** Hashes of all rows by table. */
export async function rowHashes(database: Database): Promise<Map<string, Set<string>>> {
  const tables = await database.many<{ name: string }>(sql`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema') order by 1`)
  const filled = new Map<string, Set<string>>()
  for (const { name } of tables) {
    const rows = (await database.script(`select t::text as row from ${name} t order by 1`)) as { row: string }[]
    filled.set(
      name,
      new Set(rows.map(({ row }) => `${createHash('sha256').update(row).digest('hex')} ${row.slice(0, 200)}`)),
    )
  }
  return filled
}

export async function blobHashes({ platform: { blobs } }: TestApp): Promise<Set<string>> {
  const tables = new Set<string>()
  let after: string | undefined = ''
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof blobs.list>> = await blobs.list('', {
      limit: 1000,
      ...(after !== '' && { after }),
    })
    for (const { key, etag, size } of page.items) tables.add(`${key} ${etag} ${size}`)
    after = page.next
  }
  return tables
}

/** Tables without tenant data that change by themselves. */
export const restless: ReadonlySet<string> = new Set([
  ...['icosa.schedules', 'icosa.clock', 'platform.nodes', 'sql_virtual_machines.hosts'],
])

/** Waits until write-behind buffers are flushed. */
export async function untilStill(database: Database): Promise<void> {
  let last = await rowHashes(database)
  const changed = async () => {
    const before = last
    last = await rowHashes(database)
    const isSame = (table: string) =>
      JSON.stringify([...(last.get(table) ?? [])]) === JSON.stringify([...(before.get(table) ?? [])])
    return [...last.keys()].filter((table) => !restless.has(table) && !isSame(table))
  }
  await expect.poll(changed, { interval: 1_500, timeout: 30_000 }).toEqual([])
}
