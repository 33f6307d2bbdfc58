import { randomUUID } from 'node:crypto'
import { Failure, implement, noContent, notFound, ok, type Resource, withPreparation } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import * as revisions from '../deploy/store.ts'
import { uploadOf } from '../functions/source.ts'
import * as functions from '../functions/store.ts'
import { uploadBucket } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { unsupported } from '../unsupported.ts'
import { source as contract } from './contract.ts'
import { sourceKey, uploadKey } from './keys.ts'
import { checkSignature, signedQuery } from './signature.ts'
import * as store from './store.ts'

const validMs = 30 * 60_000

export function source(baseUrl: string): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async generateUploadUrl({ params: { project, location }, body }, { db, caller, clock, vault }) {
      if (body.kmsKeyName) notSupported(unsupported.kmsKeyName)
      if (body.environment === 'GEN_1') notSupported(unsupported.generation1)
      const upload = { id: randomUUID(), project, location }
      const expiresAt = new Date(clock.now().getTime() + validMs)
      await store.insert(db, caller.tenant, upload, expiresAt)
      const uploadUrl = `${baseUrl.replace(/\/$/, '')}/functions/source/${upload.id}?${signedQuery(vault, upload.id, expiresAt)}`
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
      async ({ params: { upload }, query, body }, { db, clock, vault, runtime }) => {
        checkSignature(vault, clock, upload, query)
        const find = () => store.tenantOf(db, upload, Number(query.expires))
        const tenant = (await find()) ?? notFound('upload', upload)
        const blobs = runtime.blobsOf(tenant)
        await blobs.put(uploadKey(upload), body, { contentType: 'application/zip' })
        if (await find()) return
        await blobs.delete(uploadKey(upload)) // its tenant was deleted meanwhile
        notFound('upload', upload)
      },
      async () => ({ ...noContent(), status: 200 as const }),
    ),
  })
}
