import { type Blobs, Failure, type JobContext, job, type Vault } from '@icosa/kernel'
import { entryOf } from '../collections/entry.ts'
import { collectionExists, collectionNotFound } from '../collections/failures.ts'
import { type Kind, kinds } from '../collections/names.ts'
import * as collections from '../collections/store.ts'
import { persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { galleryKeyOf, opened, sealed } from '../training/gallery.ts'
import { learn } from '../training/learn.ts'
import { decoded, type Header, type OpenFaceCopy, piecesOf } from './content.ts'
import * as copies from './copy-store.ts'
import * as store from './store.ts'

export const kindNamed = (name: Kind['name']): Kind => kinds.find((kind) => kind.name === name) as Kind

const snapshotKey = (id: string) => `snapshots/${id}`

interface TakeInput {
  readonly snapshotId: string
  readonly type: Kind['name']
  readonly objectId: string
}

/** Copies a group or list into one sealed blob. */
export const take = job<TakeInput>('takeSnapshot', {
  async run({ snapshotId, type, objectId }, { db, tenant, tenantVault, blobs }) {
    const kind = kindNamed(type)
    const row = (await collections.find(db, tenant, kind, objectId)) ?? collectionNotFound(kind, objectId)
    const key = snapshotKey(snapshotId)
    const vault = await tenantVault()
    await blobs.put(key, sealed(galleryKeyOf(vault), key, piecesOf(db, vault, tenant, row)))
    return async (writing, jobs) => {
      if (!(await store.markReady(writing, tenant, snapshotId)))
        await jobs.enqueue(removeContent, { tenant, snapshotId })
    }
  },
})

export interface ApplyInput {
  readonly tenant: string
  readonly snapshotId: string
  /** Tenant that took it. */
  readonly source: string
  readonly type: Kind['name']
  readonly objectId: string
  /** Uid of the new collection. */
  readonly uid: string
}

/** Creates a group or list from a snapshot. The last write makes it visible, complete and trained if the original was. */
export const apply = job<ApplyInput, ServiceRuntime>('applySnapshot', {
  async run({ snapshotId, source, type, objectId, uid }, context) {
    const { tenant, transaction, blobs, clock } = context
    while ((await transaction((db) => collections.clear(db, tenant, uid, 2_000))) > 0); // of an earlier attempt
    const from = { blobs: blobs.of(source), vault: await context.cellVault.of(source) }
    const header = await copyContent(context, from, snapshotId, uid)
    const { trainedAt, ...fields } = header
    const training = trainedAt === null ? undefined : await learn(context, uid, new Date(trainedAt))
    const kind = kindNamed(type)
    return async (db, _, resources) => {
      const collection = { ...fields, id: objectId, uid, userData: fields.userData ?? undefined }
      if (!(await collections.insert(db, tenant, kind, collection, clock.now()))) collectionExists(kind, objectId)
      await resources.put(entryOf(kind, collection))
      if (training && trainedAt !== null)
        await collections.setTraining(db, tenant, uid, { ...training, trainedAt: new Date(trainedAt) })
    }
  },
  failed: async ({ tenant, uid }, db) => {
    while ((await collections.clear(db, tenant, uid, 2_000)) > 0);
  },
})

/** Inserts persons and faces under a uid that no group or list has yet. */
async function copyContent(
  context: JobContext,
  from: { readonly blobs: Blobs; readonly vault: Vault },
  snapshotId: string,
  uid: string,
): Promise<Header> {
  const { tenant, transaction, signal } = context
  const vault = await context.tenantVault()
  const key = snapshotKey(snapshotId)
  const { body } = await from.blobs.get(key)
  let header: Header | undefined
  for await (const bytes of opened(galleryKeyOf(from.vault), key, body)) {
    signal.throwIfAborted()
    const piece = decoded(bytes)
    if ('header' in piece) header = piece.header
    else if ('persons' in piece) await transaction((db) => copies.insertPersons(db, tenant, uid, piece.persons))
    else {
      const faces = piece.faces.map((face) => sealedFor(vault, face))
      await transaction((db) => copies.insertFaces(db, tenant, uid, faces))
    }
  }
  if (!header) throw new Failure('notFound', `The snapshot '${snapshotId}' has no content.`)
  return header
}

function sealedFor(vault: Vault, { descriptor, ...face }: OpenFaceCopy): copies.FaceCopy {
  const numbers = new Float32Array(Uint8Array.from(Buffer.from(descriptor, 'base64')).buffer)
  return {
    ...face,
    descriptor: sealDescriptor(vault, persistedDescriptors, { tenant: vault.tenant, id: face.id }, numbers),
  }
}

/** Deletes the blob of a deleted snapshot. */
export const removeContent = job<{ readonly tenant: string; readonly snapshotId: string }>('removeSnapshotContent', {
  async run({ tenant, snapshotId }, { blobs }) {
    await blobs.of(tenant).delete(snapshotKey(snapshotId))
  },
})

const batch = 100

/** Deletes snapshots two days after they were taken. */
export const expireSnapshots = job<object>('expireSnapshots', {
  async run(_, { db, clock, blobs, transaction, signal }) {
    while (!signal.aborted) {
      const all = await store.expired(db, clock.now(), batch)
      for (const { tenant, id } of all) {
        await blobs.of(tenant).delete(snapshotKey(id))
        await transaction((writing) => store.remove(writing, tenant, id))
      }
      if (all.length < batch) return
    }
  },
})
