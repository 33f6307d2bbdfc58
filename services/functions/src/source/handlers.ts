import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  Failure,
  findTag,
  implement,
  media,
  noContent,
  notFound,
  ok,
  type Resource,
  tagOf,
  withPreparation,
} from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { zip } from '../build/zip.ts'
import type { Jobs } from '../deploy/jobs.ts'
import * as revisions from '../deploy/store.ts'
import { createDataKey, openDataKey } from '../encryption/data-keys.ts'
import { dataKeyOf } from '../encryption/desired.ts'
import { create } from '../functions/handlers.ts'
import { uploadOf } from '../functions/source.ts'
import * as functions from '../functions/store.ts'
import { uploadBucket } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { unsupported } from '../unsupported.ts'
import { source as contract } from './contract.ts'
import { sourceKey, uploadKey } from './keys.ts'
import { checkSignature, refuseUrl, signedQuery } from './signature.ts'
import * as store from './store.ts'

const validMs = 30 * 60_000

/** What the URL of a download is signed for. */
const downloadOf = (tenant: string, revision: string) => `${JSON.stringify([tenant, revision])} download`

export function source(baseUrl: string, { deploy }: Jobs): Resource<ServiceRuntime> {
  const sourceUrl = (tag: string) => `${baseUrl.replace(/\/$/, '')}/~${tag}/functions/source`
  return implement<typeof contract, ServiceRuntime>(contract, {
    generateUploadUrl: withPreparation(
      async ({ params: { project }, body: { kmsKeyName } }, { caller: { tenant }, runtime }) =>
        kmsKeyName ? (await createDataKey(runtime.keys, { tenant, project }, kmsKeyName)).stored : undefined,
      async ({ params: { project, location }, body }, { db, caller, clock, tenantVault }, dataKey) => {
        if (body.environment === 'GEN_1') notSupported(unsupported.generation1)
        const upload = { id: randomUUID(), project, location }
        const expiresAt = new Date(clock.now().getTime() + validMs)
        await store.insert(db, caller.tenant, upload, expiresAt, dataKey)
        const tag = await tagOf(db, clock, caller.tenant)
        const query = signedQuery(await tenantVault(), upload.id, expiresAt)
        const uploadUrl = `${sourceUrl(tag)}/${upload.id}?${query}`
        return ok({ uploadUrl, storageSource: { bucket: uploadBucket(project, location), object: `${upload.id}.zip` } })
      },
    ),

    async generateDownloadUrl({ params }, { db, caller, blobs, clock, tenantVault }) {
      const { tenant } = caller
      const row = (await functions.find(db, tenant, params)) ?? notFound('function', params.function)
      const revision = row.revision === null ? undefined : await revisions.find(db, tenant, row.revision)
      if (revision?.desired.sealed) {
        const expiresAt = new Date(clock.now().getTime() + validMs)
        const query = signedQuery(await tenantVault(), downloadOf(tenant, revision.id), expiresAt)
        const tag = (await findTag(db, tenant)) ?? ''
        return ok({ downloadUrl: `${sourceUrl(tag)}/${revision.id}?${query}&${new URLSearchParams({ tenant })}` })
      }
      // After a failed build there is only the upload.
      const key = revision ? sourceKey(revision.source) : uploadKey(uploadOf(row.desired) ?? '')
      if (!revision && !(await blobs.head(key)))
        throw new Failure(
          'preconditionFailed',
          `'${params.function}' was never deployed, and its upload has expired: uploads are kept for a day.`,
        )
      const options = { method: 'GET', expiresInSeconds: validMs / 1_000 } as const
      return ok({ downloadUrl: await blobs.signedUrl(key, options) })
    },

    uploadSource: withPreparation(
      async ({ params: { upload }, query, body }, { db, clock, cellVault, runtime }) => {
        const find = () => store.findByUrl(db, upload, Number(query.expires))
        const { tenant, project, dataKey } = (await find()) ?? refuseUrl()
        checkSignature(await cellVault.find(tenant), clock, upload, query)
        const blobs = runtime.blobsOf(tenant)
        const key = dataKey && (await openDataKey(runtime.keys, { tenant, project }, dataKey))
        await blobs.put(uploadKey(upload), key ? key.sealBlob(Readable.from(body)) : body, {
          contentType: 'application/zip',
        })
        if (await find()) return
        await blobs.delete(uploadKey(upload)) // its tenant was deleted meanwhile
        notFound('upload', upload)
      },
      async () => ({ ...noContent(), status: 200 as const }),
    ),

    async downloadSource({ params, query }, { db, clock, cellVault, runtime }) {
      const { tenant } = query
      checkSignature(await cellVault.find(tenant), clock, downloadOf(tenant, params.revision), query)
      const revision = (await revisions.find(db, tenant, params.revision)) ?? refuseUrl()
      const key = await dataKeyOf(runtime.keys, tenant, revision)
      const { body } = await runtime.blobsOf(tenant).get(sourceKey(revision.source))
      return media('application/zip', key ? key.openBlob(body) : body)
    },

    // What clients do by `generateUploadUrl`, `uploadSource` and `createFunction`.
    deployFiles: withPreparation(
      async ({ body }, { blobs }) => {
        const id = randomUUID()
        await blobs.put(uploadKey(id), zip(body.files), { contentType: 'application/zip' })
        return id
      },
      async ({ params, body: { functionId, runtime, entryPoint } }, context, id) => {
        const { db, caller, clock } = context
        const { project, location } = params
        const expiresAt = new Date(clock.now().getTime() + validMs)
        await store.insert(db, caller.tenant, { id, project, location }, expiresAt)
        const storageSource = { bucket: uploadBucket(project, location), object: `${id}.zip` }
        const buildConfig = { runtime, entryPoint, source: { storageSource } }
        return create(context, { ...params, functionId, body: { buildConfig }, deploy })
      },
    ),
  })
}
