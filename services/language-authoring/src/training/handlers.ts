import { implement, ok } from '@icosa/kernel'
import * as exampleStore from '../examples/store.ts'
import { lockVersion, readVersion } from '../versions/edit.ts'
import type { Version } from '../versions/store.ts'
import { training as contract } from './contract.ts'
import { train } from './jobs.ts'
import * as store from './store.ts'

const statusIds = { Success: 0, Fail: 1, UpToDate: 2, InProgress: 3, Queued: 9 } as const
const toStatus = (status: keyof typeof statusIds) => ({ statusId: statusIds[status], status })
const accepted = (status: keyof typeof statusIds) => ({ status: 202, body: toStatus(status) }) as const

function statusOf({ trainingStatus, trainedRevision, revision }: Version): keyof typeof statusIds | undefined {
  if (trainingStatus === 'queued') return 'Queued'
  if (trainingStatus === 'running') return 'InProgress'
  if (trainingStatus === 'failed') return 'Fail'
  if (trainingStatus === null) return undefined
  return trainedRevision === revision ? 'UpToDate' : 'Success'
}

/** A version is trained as a whole: all its models have the same status. */
export const training = implement(contract, {
  async trainVersion({ params }, context) {
    const { db, caller, jobs } = context
    const version = await lockVersion(context, params)
    if (statusOf(version) === 'UpToDate') return accepted('UpToDate')
    await store.request(db, caller.tenant, version.uid)
    await jobs.enqueue(train, { uid: version.uid }, { key: version.uid })
    return accepted('Queued')
  },

  async getStatus({ params }, context) {
    const version = await readVersion(context, params)
    const status = statusOf(version)
    if (status === undefined) return ok([])
    const counts = await exampleStore.countsByModel(context.db, context.caller.tenant, version.uid)
    const { trainedAt, trainingFailure } = version
    return ok(
      version.content.models.map(({ id }) => ({
        modelId: id,
        details: {
          ...toStatus(status),
          exampleCount: counts.get(id) ?? 0,
          ...(trainedAt && { trainingDateTime: trainedAt.toISOString() }),
          ...(trainingFailure !== null && { failureReason: trainingFailure }),
        },
      })),
    )
  },
})
