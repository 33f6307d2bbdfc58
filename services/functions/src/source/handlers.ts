import { randomUUID } from 'node:crypto'
import { Failure, implement, noContent, notFound, ok, type Resource, tagOf, withPreparation } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { zip } from '../build/zip.ts'
import type { Jobs } from '../deploy/jobs.ts'
import * as revisions from '../deploy/store.ts'
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

export function source(baseUrl: string, { deploy }: Jobs): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async generateUploadUrl({ params: { project, location }, body }, { db, caller, clock, tenantVault }) {
      if (body.kmsKeyName) notSupported(unsupported.kmsKeyName)
      if (body.environment === 'GEN_1') notSupported(unsupported.generation1)
      const upload = { id: randomUUID(), project, location }
      const expiresAt = new Date(clock.now().getTime() + validMs)
      await store.insert(db, caller.tenant, upload, expiresAt)
      const tag = await tagOf(db, clock, caller.tenant)
      const query = signedQuery(await tenantVault(), upload.id, expiresAt)
      const uploadUrl = `${baseUrl.replace(/\/$/, '')}/~${tag}/functions/source/${upload.id}?${query}`
      return ok({ uploadUrl, storageSource: { bucket: uploadBucket(project, location), object: `${upload.id}.zip` } })
    },

    async generateDownloadUrl({ params }, { db, caller, blobs }) {
      const row = (await functions.find(db, caller.tenant, params)) ?? notFound('function', params.function)
      const revision = row.revision === null ? undefined : await revisions.find(db, caller.tenant, row.revision)
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
        const find = () => store.tenantOf(db, upload, Number(query.expires))
        const tenant = (await find()) ?? refuseUrl()
        checkSignature(await cellVault.find(tenant), clock, upload, query)
        const blobs = runtime.blobsOf(tenant)
        await blobs.put(uploadKey(upload), body, { contentType: 'application/zip' })
        if (await find()) return
        await blobs.delete(uploadKey(upload)) // its tenant was deleted meanwhile
        notFound('upload', upload)
      },
      async () => ({ ...noContent(), status: 200 as const }),
    ),

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
