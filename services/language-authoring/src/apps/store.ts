import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface App {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly culture: string
  readonly domain: string
  readonly usageScenario: string
  readonly activeVersion: string
  readonly isPublic: boolean
  readonly sentimentAnalysis: boolean
  readonly speech: boolean
  readonly spellChecker: boolean
  readonly collaborators: readonly string[]
  readonly endpointHits: string
  readonly createdAt: Date
}

export type NewApp = Pick<App, 'id' | 'name' | 'description' | 'culture' | 'domain' | 'usageScenario' | 'activeVersion'>

const columns = sql`id, name, description, culture, domain, usage_scenario as "usageScenario",
  active_version as "activeVersion", is_public as "isPublic", sentiment_analysis as "sentimentAnalysis", speech,
  spell_checker as "spellChecker", collaborators, endpoint_hits as "endpointHits", created_at as "createdAt"`

/** Returns false if the name is taken. */
export async function insert(db: Db, tenant: string, app: NewApp, now: Date): Promise<boolean> {
  const { id, name, description, culture, domain, usageScenario, activeVersion } = app
  const count = await db.run(sql`
    insert into language_authoring.apps (tenant, id, name, description, culture, domain, usage_scenario, active_version,
      created_at)
    values (${tenant}, ${id}, ${name}, ${description}, ${culture}, ${domain}, ${usageScenario}, ${activeVersion}, ${now})
    on conflict do nothing`)
  return count === 1
}

export const find = (db: ReadingDb, tenant: string, id: string): Promise<App | undefined> =>
  db.point(sql`select ${columns} from language_authoring.apps where tenant = ${tenant} and id = ${id}`)

/** Locks it until the transaction ends. */
export const lock = (db: Db, tenant: string, id: string): Promise<App | undefined> =>
  db.maybe(sql`select ${columns} from language_authoring.apps where tenant = ${tenant} and id = ${id} for update`)

export const byName = (db: ReadingDb, tenant: string, name: string): Promise<App | undefined> =>
  db.maybe(sql`select ${columns} from language_authoring.apps where tenant = ${tenant} and name = ${name}`)

export interface ListedApp extends App {
  readonly versionsCount: string
}

const versionsCount = sql`(select count(*) from language_authoring.versions v
  where v.tenant = apps.tenant and v.app = apps.id) as "versionsCount"`

export function list(db: ReadingDb, tenant: string, skip: number, take: number): Promise<ListedApp[]> {
  return db.many(sql`
    select ${columns}, ${versionsCount} from language_authoring.apps where tenant = ${tenant}
    order by created_at, id limit ${take} offset ${skip}`)
}

export const shown = (db: ReadingDb, tenant: string, id: string): Promise<ListedApp | undefined> =>
  db.maybe(sql`
    select ${columns}, ${versionsCount} from language_authoring.apps where tenant = ${tenant} and id = ${id}`)

export interface Change {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly isPublic?: boolean | undefined
  readonly sentimentAnalysis?: boolean | undefined
  readonly speech?: boolean | undefined
  readonly spellChecker?: boolean | undefined
  readonly collaborators?: readonly string[] | undefined
  readonly activeVersion?: string | undefined
}

export async function update(db: Db, tenant: string, id: string, change: Change): Promise<void> {
  await db.run(sql`
    update language_authoring.apps set
      name = coalesce(${change.name ?? null}, name),
      description = coalesce(${change.description ?? null}, description),
      is_public = coalesce(${change.isPublic ?? null}, is_public),
      sentiment_analysis = coalesce(${change.sentimentAnalysis ?? null}, sentiment_analysis),
      speech = coalesce(${change.speech ?? null}, speech),
      spell_checker = coalesce(${change.spellChecker ?? null}, spell_checker),
      collaborators = coalesce(${(change.collaborators as string[] | undefined) ?? null}, collaborators),
      active_version = coalesce(${change.activeVersion ?? null}, active_version)
    where tenant = ${tenant} and id = ${id}`)
}

export async function remove(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`delete from language_authoring.slots where tenant = ${tenant} and app = ${id}`)
  await db.run(sql`delete from language_authoring.versions where tenant = ${tenant} and app = ${id}`)
  await db.run(sql`delete from language_authoring.apps where tenant = ${tenant} and id = ${id}`)
}

export interface Slot {
  readonly app: string
  readonly slot: 'production' | 'staging'
  readonly versionId: string
  readonly publishedAt: Date
}

export const slotsOf = (db: ReadingDb, tenant: string, apps: readonly string[]): Promise<Slot[]> =>
  db.many(sql`
    select app, slot, version_id as "versionId", published_at as "publishedAt" from language_authoring.slots
    where tenant = ${tenant} and app = any(${apps as string[]}::uuid[]) order by slot`)
