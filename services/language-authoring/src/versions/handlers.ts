import { randomUUID } from 'node:crypto'
import { created, implement, media, ok, type Resource, withPreparation } from '@icosa/kernel'
import { endpointOf } from '../apps/endpoint.ts'
import { findApp, lockApp } from '../apps/handlers.ts'
import * as appStore from '../apps/store.ts'
import * as exampleStore from '../examples/store.ts'
import { writeLu } from '../exchange/lu/write.ts'
import { parseApp } from '../exchange/parse.ts'
import { writeApp } from '../exchange/write.ts'
import * as logs from '../prediction/log-store.ts'
import { badArgument, inUse, nameTaken, unknown } from '../shapes/failures.ts'
import { done, toUnknownMembers } from '../shapes/replies.ts'
import { cancelTrainings, clearAway } from '../training/jobs.ts'
import { versions as contract } from './contract.ts'
import { demandRoom, findVersion, lockVersion, readVersion } from './edit.ts'
import type { Version } from './store.ts'
import * as store from './store.ts'

export const versions = (baseUrl: string): Resource => {
  const toInfo = (row: store.Version, slots: readonly appStore.Slot[]) => {
    const slot = slots.find(({ versionId }) => versionId === row.id)
    return toVersion(row, slot ? endpointOf(baseUrl, row.app, slot.slot) : null)
  }

  return implement(contract, {
    async list({ params: { appId }, query }, context) {
      const { db, caller } = context
      await findApp(context, appId)
      const slots = await appStore.slotsOf(db, caller.tenant, [appId])
      const rows = await store.list(db, caller.tenant, appId, query.skip, query.take)
      return ok(rows.map((row) => toInfo(row, slots)))
    },

    async get({ params }, context) {
      const row = await findVersion(context, params)
      return ok(toInfo(row, await appStore.slotsOf(context.db, context.caller.tenant, [params.appId])))
    },

    async update({ params, body }, context) {
      const { db, caller } = context
      const app = await lockApp(context, params.appId)
      const version = await lockVersion(context, params)
      const other = await store.find(db, caller.tenant, params.appId, body.version)
      if (other && other.uid !== version.uid) nameTaken('version', body.version)
      await store.rename(db, caller.tenant, version.uid, body.version)
      if (app.activeVersion === version.id)
        await appStore.update(db, caller.tenant, app.id, { activeVersion: body.version })
      return done()
    },

    async delete({ params }, context) {
      const { db, caller, jobs } = context
      const app = await lockApp(context, params.appId)
      const version = await lockVersion(context, params)
      if (await store.isPublished(db, caller.tenant, version.uid))
        inUse('version', version.id, 'an endpoint', 'Publish another one first.')
      const others = (await store.allOf(db, caller.tenant, app.id)).filter(({ uid }) => uid !== version.uid)
      const [next] = others
      if (!next) inUse('version', version.id, 'its app, which has no other', 'Delete the app instead.')
      await cancelTrainings(jobs, [version])
      await store.remove(db, caller.tenant, version.uid)
      if (app.activeVersion === version.id) await appStore.update(db, caller.tenant, app.id, { activeVersion: next.id })
      await jobs.enqueue(clearAway, { app: app.id, versions: [version.uid], isWhole: false })
      return done()
    },

    async clone({ params, body }, context) {
      const { db, caller, clock } = context
      await lockApp(context, params.appId)
      const version = await lockVersion(context, params)
      const uid = randomUUID()
      if (!(await store.copy(db, caller.tenant, version, body.version, uid, clock.now())))
        nameTaken('version', body.version)
      await exampleStore.copy(db, caller.tenant, version.uid, uid)
      await appStore.update(db, caller.tenant, params.appId, { activeVersion: body.version })
      return created(body.version)
    },

    import: withPreparation(
      async ({ params: { appId }, body }, context) => {
        await findApp(context, appId)
        return parseApp(body.content)
      },
      async ({ params: { appId }, query }, context, { content, examples, culture, versionId, unknown: members }) => {
        const { db, caller, clock } = context
        const app = await lockApp(context, appId)
        if (culture.toLowerCase() !== app.culture.toLowerCase())
          badArgument(`The file is in ${culture}, the app is in ${app.culture}.`)
        demandRoom(content)
        const id = query.versionId ?? versionId
        const uid = randomUUID()
        const version = { app: appId, id, uid, content, nextExample: examples.length + 1 }
        if (!(await store.insert(db, caller.tenant, version, clock.now()))) nameTaken('version', id)
        await exampleStore.put(db, caller.tenant, uid, examples)
        await appStore.update(db, caller.tenant, appId, { activeVersion: id })
        return created(id, toUnknownMembers(members))
      },
    ),

    async export({ params, query }, context) {
      const { name, description, culture } = await findApp(context, params.appId)
      const { id, uid, content } = await readVersion(context, params)
      const examples = await exampleStore.all(context.db, context.caller.tenant, uid)
      const app = { name, description, culture, versionId: id, content, examples }
      return query.format === 'lu' ? media('text/plain; charset=utf-8', writeLu(app)) : ok(writeApp(app))
    },

    async deleteUnlabelledUtterance({ params, body }, context) {
      const { db, caller } = context
      await findVersion(context, params)
      if ((await logs.forget(db, caller.tenant, params.appId, body)) === 0) unknown('utterance', body)
      return done()
    },
  })
}

function trainingStatusOf({
  trainingStatus,
  revision,
  trainedRevision,
}: Version): 'InProgress' | 'Trained' | 'NeedsTraining' {
  if (trainingStatus === 'queued' || trainingStatus === 'running') return 'InProgress'
  return trainedRevision === revision ? 'Trained' : 'NeedsTraining'
}

const toVersion = (row: Version, endpointUrl: string | null) => ({
  version: row.id,
  createdDateTime: row.createdAt.toISOString(),
  lastModifiedDateTime: row.modifiedAt.toISOString(),
  lastTrainedDateTime: row.trainedAt?.toISOString() ?? null,
  lastPublishedDateTime: row.publishedAt?.toISOString() ?? null,
  endpointUrl,
  assignedEndpointKey: null,
  externalApiKeys: null,
  intentsCount: row.intentsCount,
  entitiesCount: row.entitiesCount,
  endpointHitsCount: Number(row.endpointHits),
  trainingStatus: trainingStatusOf(row),
})
