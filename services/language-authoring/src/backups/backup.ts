import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type Backup, invalid, type JobContext } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, type Line, linesIn, linesOf, placeIn, withRows } from '@icosa/module/rows'
import { appType, entryOf, registryId } from '../apps/entry.ts'
import { removeApp } from '../apps/removal.ts'
import * as apps from '../apps/store.ts'
import { nameTaken, unknown } from '../shapes/failures.ts'
import { forgetOld, modelKey } from '../training/jobs.ts'
import * as store from './store.ts'

interface VersionLine {
  readonly id: string
  readonly training_status: string | null
  readonly trained_at: string | null
  /** Name of its blob, without the app. */
  readonly model: string | null
}
interface UtteranceLine {
  readonly version_id: string
}
interface SlotLine {
  readonly version_id: string
  /** Whether the published version still exists, and not another one of its name. */
  readonly isThere: boolean
  readonly model: string
}

/** Pseudo-table for the trained models. */
const modelTable = 'model'
interface ModelLine {
  readonly name: string
  readonly base64: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const nameIn = (key: string) => key.split('/').at(-1) ?? ''

/** An app with its versions and their trained models: once restored, it answers without another training. */
export const appBackup: Backup = {
  type: appType,

  async read(id, { db, tenant, blobs }) {
    const app = (await apps.find(db, tenant, idIn(id))) ?? unknown('app', id)
    const lines = settled(await linesOf(db, store.rowsOf(tenant, app.id)))
    const models = new Set(
      [...jsonOf(lines, store.versionTable), ...jsonOf(lines, store.slotTable)].flatMap(
        (json) => (JSON.parse(json) as { readonly model: string | null }).model ?? [],
      ),
    )
    for (const name of [...models].sort()) {
      const { body } = await blobs.get(modelKey(app.id, name))
      const model: ModelLine = { name, base64: (await buffer(body)).toString('base64') }
      lines.push({ table: modelTable, json: JSON.stringify(model) })
    }
    return { content: contentOf(lines), metadata: { name: app.name } }
  },

  async restore({ id, from, metadata, content, tags }, context) {
    const { db: reading, tenant, transaction } = context
    const { name } = placeIn(metadata, ['name'])
    if (name.length > 50) invalid([{ at: 'Metadata/name', message: 'must have at most 50 characters' }])
    const existing = await store.restoredBy(reading, tenant, id)
    if (existing !== undefined) return registryId(existing) // by a killed worker
    // Its original id, which callers use, unless it is taken.
    const old = idIn(from)
    const app = uuid.test(old) && !(await store.isTaken(reading, old)) ? old : id
    const original = await linesIn(content)
    await putModels(original, app, context)
    await transaction(async (db, jobs, resources) => {
      if (await apps.byName(db, tenant, name)) {
        await jobs.enqueue(forgetOld, { app }, { key: app })
        return false
      }
      const lines = withNewIds(original, app)
      await addRows(db, store.appTable, jsonOf(lines, store.appTable), { tenant, id: app, name, restored_by: id })
      for (const table of [store.versionTable, store.slotTable])
        await addRows(db, table, jsonOf(lines, table), { tenant, app })
      await addRows(db, store.utteranceTable, jsonOf(lines, store.utteranceTable), { tenant })
      await resources.put(entryOf({ id: app, name }, tags))
      return true
    }).then((isNew) => isNew || nameTaken('app', name))
    return registryId(app)
  },

  trial: (metadata, id) => ({ ...metadata, name: `restored-${id}` }),

  async remove(id, { tenant, transaction }) {
    await transaction(async (db, jobs, resources) => {
      await removeApp(db, jobs, tenant, idIn(id))
      await resources.remove(id)
    })
  },
}

const idIn = (id: string) => nameIn(id).toLowerCase()

/** Reduces models to their names, and drops a training in progress, which would never end. */
function settled(lines: readonly Line[]): Line[] {
  const versions = withRows<VersionLine>(lines, store.versionTable, (row) => ({
    ...row,
    training_status: /queued|running/.test(row.training_status ?? '')
      ? row.trained_at && 'succeeded'
      : row.training_status,
    model: row.model && nameIn(row.model),
  }))
  return withRows<SlotLine>(versions, store.slotTable, (row) => ({ ...row, model: nameIn(row.model) }))
}

/** Moves models below another app, and gives versions new uids. */
function withNewIds(lines: readonly Line[], app: string): Line[] {
  const uids = new Map<string, string>()
  const versions = withRows<VersionLine>(lines, store.versionTable, (row) => {
    const uid = randomUUID()
    uids.set(row.id, uid)
    return { ...row, uid, model: row.model && modelKey(app, row.model) }
  })
  const utterances = withRows<UtteranceLine>(versions, store.utteranceTable, ({ version_id, ...row }) => ({
    ...row,
    version: uids.get(version_id),
  }))
  return withRows<SlotLine>(utterances, store.slotTable, ({ isThere, ...row }) => ({
    ...row,
    version: (isThere && uids.get(row.version_id)) || randomUUID(),
    model: modelKey(app, row.model),
  }))
}

async function putModels(lines: readonly Line[], app: string, { blobs }: JobContext): Promise<void> {
  for (const json of jsonOf(lines, modelTable)) {
    const { name, base64 }: ModelLine = JSON.parse(json)
    await blobs.put(modelKey(app, name), Buffer.from(base64, 'base64'))
  }
}
