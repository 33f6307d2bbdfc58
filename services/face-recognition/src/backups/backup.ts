import { type Backup, invalid, type JobContext, type RestoreRequest, type Vault } from '@icosa/kernel'
import {
  addRows,
  bytesIn,
  contentOf,
  hexOf,
  jsonOf,
  type Line,
  linesIn,
  linesOf,
  placeIn,
  withRows,
} from '@icosa/module/rows'
import { entryOf, registryId, typeOf } from '../collections/entry.ts'
import { collectionExists, collectionNotFound } from '../collections/failures.ts'
import { clearAway, removeGalleries } from '../collections/jobs.ts'
import type { Kind } from '../collections/names.ts'
import * as collections from '../collections/store.ts'
import { openDescriptor, persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { idPattern } from '../shapes/contract.ts'
import { learn } from '../training/learn.ts'
import * as store from './store.ts'

interface CollectionLine {
  readonly training_status: collections.Collection['trainingStatus']
  readonly trained_at: string | null
}
interface FaceLine {
  readonly id: string
  /** Hexadecimal, as PostgreSQL writes bytes: sealed in the table, plain in a backup. */
  readonly descriptor: string
}

const isId = new RegExp(idPattern)
const batch = 2_000

/** A group or list with its persons, faces and training state. There are no photos to back up. */
export const collectionBackup = (kind: Kind): Backup<ServiceRuntime> => ({
  type: typeOf(kind),

  async read(id, { db, tenant, tenantVault }) {
    const row = (await collections.find(db, tenant, kind, idIn(id))) ?? collectionNotFound(kind, idIn(id))
    const lines = await linesOf(db, store.rowsOf(tenant, row))
    return { content: contentOf(unsealed(lines, tenant, await tenantVault())), metadata: { [kind.param]: row.id } }
  },

  async restore(request, context) {
    const { tenant, transaction, blobs } = context
    const id = placeIn(request.metadata, [kind.param])[kind.param] ?? ''
    if (!isId.test(id)) invalid([{ at: `Metadata/${kind.param}`, message: 'must be a-z, 0-9, _ and -, at most 64' }])
    if (await store.exists(context.db, tenant, request.id)) return registryId(kind, id) // by a killed worker
    const lines = sealed(await linesIn(request.content), tenant, await context.tenantVault())
    try {
      await fill(lines, request.id, context)
      await show(kind, id, lines, request, context)
    } catch (error) {
      while ((await transaction((db) => collections.clear(db, tenant, request.id, batch))) > 0);
      await removeGalleries(blobs, request.id)
      throw error
    }
    return registryId(kind, id)
  },

  trial: (metadata, id) => ({ ...metadata, [kind.param]: `restored-${id}` }),

  async remove(id, { tenant, transaction }) {
    await transaction(async (db, jobs, resources) => {
      const uid = await collections.remove(db, tenant, kind, idIn(id))
      await resources.remove(id)
      if (uid !== undefined) await jobs.enqueue(clearAway, { uid })
    })
  },
})

const idIn = (id: string) => id.split('/').at(-1) ?? ''

/** Inserts persons and faces under a uid that no group or list has yet. */
async function fill(
  lines: readonly Line[],
  uid: string,
  { tenant, transaction }: JobContext<ServiceRuntime>,
): Promise<void> {
  while ((await transaction((db) => collections.clear(db, tenant, uid, batch))) > 0); // of an earlier attempt
  await transaction(async (db) => {
    for (const table of [store.personTable, store.faceTable])
      await addRows(db, table, jsonOf(lines, table), { tenant, collection: uid })
  })
}

/** Repeats the training, then makes the group or list visible under its name. */
async function show(
  kind: Kind,
  id: string,
  lines: readonly Line[],
  { id: uid, tags }: RestoreRequest,
  context: JobContext<ServiceRuntime>,
): Promise<void> {
  const { tenant, transaction } = context
  const rows = jsonOf(lines, store.collectionTable)
  const { trained_at } = JSON.parse(rows[0] ?? '{}') as CollectionLine
  const training = trained_at === null ? undefined : await learn(context, uid, new Date(trained_at))
  await transaction(async (db, _, resources) => {
    if (await collections.find(db, tenant, kind, id)) collectionExists(kind, id)
    await addRows(db, store.collectionTable, rows, { tenant, kind: kind.name, id, uid })
    if (training) await store.setGallery(db, tenant, uid, training.gallery, training.faces)
    const { name } = (await collections.find(db, tenant, kind, id)) ?? collectionNotFound(kind, id)
    await resources.put(entryOf(kind, { id, name }, tags))
  })
}

/** Unseals the faces, and drops a training in progress, which would never end. */
function unsealed(lines: readonly Line[], tenant: string, vault: Vault): Line[] {
  const settled = withRows<CollectionLine>(lines, store.collectionTable, (row) => ({
    ...row,
    training_status: row.training_status === 'running' ? row.trained_at && 'succeeded' : row.training_status,
  }))
  return withRows<FaceLine>(settled, store.faceTable, (face) => {
    const descriptor = openDescriptor(vault, persistedDescriptors, { tenant, id: face.id }, bytesIn(face.descriptor))
    return { ...face, descriptor: hexOf(new Uint8Array(descriptor.buffer)) }
  })
}

const sealed = (lines: readonly Line[], tenant: string, vault: Vault): Line[] =>
  withRows<FaceLine>(lines, store.faceTable, (face) => {
    const descriptor = new Float32Array(Uint8Array.from(bytesIn(face.descriptor)).buffer)
    const bytes = sealDescriptor(vault, persistedDescriptors, { tenant, id: face.id }, descriptor)
    return { ...face, descriptor: hexOf(bytes) }
  })
