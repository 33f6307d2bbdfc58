import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type Database, sql } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { defaultSettings, languageAuthoring } from '../../services/language-authoring/src/index.ts'

/** A node that authors, trains and predicts in its own process, so that its memory is that of a real node. */

export interface Started {
  readonly url: string
  readonly key: string
  readonly modelsMb: number
}

export type Request =
  | { readonly do: 'publish copies'; readonly of: readonly string[]; readonly to: readonly string[] }
  | { readonly do: 'publish with'; readonly of: string; readonly to: string; readonly prebuilt: string }
  | { readonly do: 'model bytes'; readonly of: string }

const tenant = 'acme'
const service = languageAuthoring(defaultSettings)
await using app = await startTestApp({
  services: [service],
  worker: { concurrency: 16, background: true },
  checkReplies: false,
})
const { database } = app.platform
const blobs = app.platform.blobsOf(service.name, tenant)
const bytesOf = async (model: string) => new Uint8Array(await buffer((await blobs.get(model)).body))

/** Publishes apps with copies of the models of others, each in its own blob. */
async function publishCopies(of: readonly string[], to: readonly string[]): Promise<void> {
  const models = await trainedModels(database, tenant, of)
  const learnt = await Promise.all(models.map(bytesOf))
  for (const [nth, id] of to.entries()) {
    const model = `models/${id}/copy-${randomBytes(32).toString('hex')}`
    await blobs.put(model, learnt[nth % learnt.length] as Uint8Array)
    await publishAs(database, tenant, id, model)
  }
}

/** Publishes an app's model with an additional prebuilt entity that no other model refers to. */
async function publishWith(of: string, to: string, prebuilt: string): Promise<void> {
  const [source = ''] = await trainedModels(database, tenant, [of])
  const model = `models/${to}/copy-${randomBytes(32).toString('hex')}`
  await blobs.put(model, withHeader(await bytesOf(source), { prebuiltEntities: [{ name: prebuilt, roles: [] }] }))
  await publishAs(database, tenant, to, model)
}

function withHeader(bytes: Uint8Array, app: object): Uint8Array {
  const [magic, rounded] = ['ICOSALU1'.length, (length: number) => Math.ceil(length / 8) * 8]
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(magic, true)
  const { header, places } = JSON.parse(Buffer.from(bytes.subarray(magic + 4, magic + 4 + length)).toString())
  const text = Buffer.from(JSON.stringify({ header: { ...header, app: { ...header.app, ...app } }, places }))
  const arrays = bytes.subarray(rounded(magic + 4 + length))
  const begin = rounded(magic + 4 + text.length)
  const changed = new Uint8Array(begin + arrays.length)
  changed.set(bytes.subarray(0, magic))
  new DataView(changed.buffer).setUint32(magic, text.length, true)
  changed.set(text, magic + 4)
  changed.set(arrays, begin)
  return changed
}

process.on('message', async (request: Request) => {
  if (request.do === 'publish copies') await publishCopies(request.of, request.to)
  if (request.do === 'publish with') await publishWith(request.of, request.to, request.prebuilt)
  const [model = ''] = request.do === 'model bytes' ? await trainedModels(database, tenant, [request.of]) : []
  process.send?.({ bytes: model === '' ? 0 : (await bytesOf(model)).length })
})
process.send?.({ url: app.url, key: await app.key(tenant), modelsMb: defaultSettings.modelsMb } satisfies Started)
await new Promise((resolve) => process.once('disconnect', resolve))

/** Blobs of the apps' trained models, in the order of the apps. */
async function trainedModels(database: Database, tenant: string, apps: readonly string[]): Promise<string[]> {
  const rows = await database.many<{ app: string; model: string }>(sql`
    select app, model from language_authoring.versions where tenant = ${tenant} and model is not null`)
  const models = new Map(rows.map(({ app, model }) => [app, model]))
  return apps.map((app) => models.get(app) as string)
}

/** Marks the app as trained to this blob, and published. */
async function publishAs(database: Database, tenant: string, app: string, model: string): Promise<void> {
  await database.run(sql`
    with version as (
      update language_authoring.versions set model = ${model}, training_status = 'succeeded', trained_revision = revision
      where tenant = ${tenant} and app = ${app} returning id, uid)
    insert into language_authoring.slots (tenant, app, slot, version_id, version, model, sentiment_analysis, published_at)
    select ${tenant}, ${app}, 'production', id, uid, ${model}, false, now() from version`)
}
