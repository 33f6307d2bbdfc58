import { invalid, type ReadingDb } from '@icosa/kernel'
import { uploadBucket } from '../names.ts'
import * as uploads from '../source/store.ts'
import type { Desired } from './desired.ts'
import type { Place } from './store.ts'

const at = 'body/buildConfig/source/storageSource'

export function uploadOf({ buildConfig }: Desired): string | undefined {
  return /^([\w-]{1,60})\.zip$/.exec(buildConfig.source?.storageSource?.object ?? '')?.[1]
}

/** Refuses a source that is not one of the project's uploads. The build checks whether it has content. */
export async function checkSource(db: ReadingDb, tenant: string, place: Place, desired: Desired): Promise<void> {
  const { storageSource } = desired.buildConfig.source ?? {}
  if (!storageSource) invalid([{ at, message: 'is required: send a zip to the URL of generateUploadUrl first' }])
  const { project, location } = place
  const id = storageSource.bucket === uploadBucket(project, location) ? uploadOf(desired) : undefined
  const upload = id === undefined ? undefined : await uploads.find(db, tenant, { id, project, location })
  if (!upload)
    invalid([{ at, message: 'is not an upload of this project and location: use that of generateUploadUrl' }])
  if (desired.kmsKeyName && upload.dataKey?.kmsKeyName !== desired.kmsKeyName)
    invalid([{ at, message: 'was not encrypted with this kmsKeyName: send it to generateUploadUrl as well' }])
}
