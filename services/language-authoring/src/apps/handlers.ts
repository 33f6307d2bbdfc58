import { randomUUID } from 'node:crypto'
import {
  type Context,
  created,
  implement,
  media,
  ok,
  type ReadingContext,
  type Resource,
  withPreparation,
} from '@icosa/kernel'
import { emptyContent, noneIntent } from '../content/content.ts'
import { addModel } from '../content/find.ts'
import * as exampleStore from '../examples/store.ts'
import { parseApp } from '../exchange/parse.ts'
import type { LoggedQuery } from '../prediction/log-store.ts'
import * as logs from '../prediction/log-store.ts'
import { publish } from '../publishing/publish.ts'
import { badArgument, inUse, nameTaken, unknown } from '../shapes/failures.ts'
import { done, toUnknownMembers } from '../shapes/replies.ts'
import { demandRoom } from '../versions/edit.ts'
import * as versionStore from '../versions/store.ts'
import { apps as contract } from './contract.ts'
import { cultures, domains, isCulture, usageScenarios } from './data.ts'
import { endpointOf } from './endpoint.ts'
import { entryOf, registryId } from './entry.ts'
import { removeApp } from './removal.ts'
import * as store from './store.ts'
import { toApp, toEndpoint } from './view.ts'

export async function findApp({ db, caller }: Pick<ReadingContext, 'db' | 'caller'>, id: string): Promise<store.App> {
  return (await store.find(db, caller.tenant, id)) ?? unknown('app', id)
}

export async function lockApp({ db, caller }: Pick<Context, 'db' | 'caller'>, id: string): Promise<store.App> {
  return (await store.lock(db, caller.tenant, id)) ?? unknown('app', id)
}

function demandCulture(culture: string): void {
  if (!isCulture(culture)) badArgument(`The culture '${culture}' is unknown: GET /apps/cultures lists the known ones.`)
}

async function insertApp(
  { db, caller, clock, resources }: Context,
  app: store.NewApp,
  version: Omit<versionStore.NewVersion, 'app' | 'id' | 'uid'>,
) {
  const now = clock.now()
  const uid = randomUUID()
  if (!(await store.insert(db, caller.tenant, app, now))) nameTaken('app', app.name)
  await resources.put(entryOf(app))
  await versionStore.insert(db, caller.tenant, { app: app.id, id: app.activeVersion, uid, ...version }, now)
  return uid
}

/** Logged queries per file. */
const maxLogged = 10_000

export const apps = (baseUrl: string): Resource =>
  implement(contract, {
    async list({ query }, { db, caller }) {
      const rows = await store.list(db, caller.tenant, query.skip, query.take)
      const slots = await store.slotsOf(
        db,
        caller.tenant,
        rows.map(({ id }) => id),
      )
      return ok(rows.map((row) => toApp(row, slots, baseUrl)))
    },

    async add({ body }, context) {
      demandCulture(body.culture)
      const { name, culture, description = '', domain = '', usageScenario = '', initialVersionId = '0.1' } = body
      const content = emptyContent()
      addModel(content, { id: randomUUID(), kind: 'intent', name: noneIntent, roles: [], features: [], children: [] })
      const id = randomUUID()
      await insertApp(
        context,
        { id, name, culture, description, domain, usageScenario, activeVersion: initialVersionId },
        { content, nextExample: 1 },
      )
      return created(id)
    },

    import: withPreparation(
      async ({ body }) => parseApp(body.content),
      async ({ query }, context, { content, examples, culture, description, versionId, unknown: members, ...file }) => {
        const name = query.appName ?? file.name
        if (name === '') badArgument('The file does not name its app: send appName.')
        demandCulture(culture)
        demandRoom(content)
        const id = randomUUID()
        const app = { id, name, culture, description, domain: '', usageScenario: '', activeVersion: versionId }
        const uid = await insertApp(context, app, { content, nextExample: examples.length + 1 })
        await exampleStore.put(context.db, context.caller.tenant, uid, examples)
        return created(id, toUnknownMembers(members))
      },
    ),

    async get({ params: { appId } }, { db, caller }) {
      const row = (await store.shown(db, caller.tenant, appId)) ?? unknown('app', appId)
      return ok(toApp(row, await store.slotsOf(db, caller.tenant, [appId]), baseUrl))
    },

    async update({ params: { appId }, body }, context) {
      const { db, caller, resources } = context
      await lockApp(context, appId)
      if (body.name !== undefined) {
        const other = await store.byName(db, caller.tenant, body.name)
        if (other && other.id !== appId) nameTaken('app', body.name)
        await resources.put(entryOf({ id: appId, name: body.name }))
      }
      await store.update(db, caller.tenant, appId, body)
      return done()
    },

    async delete({ params: { appId }, query }, context) {
      const { db, caller, jobs, resources } = context
      const app = await lockApp(context, appId)
      const slots = await store.slotsOf(db, caller.tenant, [appId])
      if (slots.length > 0 && !query.force) inUse('app', app.name, 'its endpoints', 'Delete it with force=true.')
      await removeApp(db, jobs, caller.tenant, appId)
      await resources.remove(registryId(appId))
      return done()
    },

    async listEndpoints({ params: { appId } }, context) {
      await findApp(context, appId)
      const slots = await store.slotsOf(context.db, context.caller.tenant, [appId])
      return ok(Object.fromEntries(slots.map(({ slot }) => [slot.toUpperCase(), endpointOf(baseUrl, appId, slot)])))
    },

    async publish({ params: { appId }, body: { versionId, isStaging = false } }, context) {
      const app = await lockApp(context, appId)
      return created(toEndpoint(await publish(context, app, versionId, isStaging ? 'staging' : 'production'), baseUrl))
    },

    async getSettings({ params: { appId } }, context) {
      const { id, isPublic } = await findApp(context, appId)
      return ok({ id, public: isPublic })
    },

    async updateSettings({ params: { appId }, body }, context) {
      await lockApp(context, appId)
      await store.update(context.db, context.caller.tenant, appId, { isPublic: body.public })
      return done()
    },

    async getPublishSettings({ params: { appId } }, context) {
      const { id, sentimentAnalysis, speech, spellChecker } = await findApp(context, appId)
      return ok({ id, sentimentAnalysis, speech, spellChecker })
    },

    async updatePublishSettings({ params: { appId }, body }, context) {
      await lockApp(context, appId)
      await store.update(context.db, context.caller.tenant, appId, body)
      return done()
    },

    async downloadQueryLogs({ params: { appId } }, context) {
      await findApp(context, appId)
      return media('text/csv', csvOf(await logs.newest(context.db, context.caller.tenant, appId, maxLogged)))
    },

    listSupportedCultures: async () => ok(cultures.map(([code, name]) => ({ name, code }))),
    listDomains: async () => ok([...domains]),
    listUsageScenarios: async () => ok([...usageScenarios]),
  })

/** Prefixes text that a spreadsheet would run as a formula. */
const cell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

function csvOf(rows: readonly LoggedQuery[]): string {
  const lines = rows.map(({ query, createdAt, answer }) =>
    [cell(query), createdAt.toISOString(), cell(JSON.stringify(answer))].join(','),
  )
  return `${['Query,UTC DateTime,Response', ...lines].join('\r\n')}\r\n`
}
