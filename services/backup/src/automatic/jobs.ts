import { randomBytes, randomUUID } from 'node:crypto'
import { accountOf } from '@icosa/dialects/signed/arn'
import { arnOfResource } from '@icosa/dialects/signed/resource-name'
import { type DueBackup, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { defaultCompleteMinutes, defaultStartMinutes } from '../backup-jobs/handlers.ts'
import type { BackupJobs } from '../backup-jobs/jobs.ts'
import * as backupJobs from '../backup-jobs/store.ts'
import { resourceOf } from '../resources/registry-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as vaults from '../vaults/store.ts'
import { entryOf } from '../vaults/view.ts'

/** Vault of resources that are backed up by their own settings; created on first use. */
const automaticVault = 'Default'

interface Due extends Omit<DueBackup, 'since'> {
  readonly since: string
}

export interface AutomaticJobs {
  /** Finds resources that are due for a backup by their own settings. */
  readonly findDue: Job<object, ServiceRuntime>
  readonly begin: Job<Due, ServiceRuntime>
}

export const automaticEveryMs = 60_000
const minuteMs = 60_000

export function automaticJobsOf(region: string, { backUp }: BackupJobs): AutomaticJobs {
  const begin = job<Due, ServiceRuntime>('beginAutomatic', {
    async run({ id, since, keepDays }, context) {
      const { tenant, clock } = context
      return async (db, jobs, resources) => {
        const owner = { tenant, region }
        const resource = await resourceOf(db, owner, id)
        if (!resource) return
        const resourceArn = arnOfResource(owner, resource)
        const now = clock.now()
        await ensureVault(db, resources, context, now)
        await vaults.lock(db, tenant, automaticVault) // serializes: a second job sees the backup that the first has started
        if (await backupJobs.hasStarted(db, tenant, resourceArn, new Date(since))) return
        const row = {
          tenant,
          id: randomUUID(),
          pointId: randomUUID(),
          vault: automaticVault,
          resourceId: resource.id,
          resourceArn,
          resourceType: resource.type,
          resourceName: resource.name,
          roleArn: `arn:aws:iam::${accountOf(tenant)}:role/automatic`,
          createdBy: null,
          lifecycle: { DeleteAfterDays: keepDays },
          tags: {},
          options: {},
          copies: [],
          continuousUntil: null,
          createdAt: now,
          startBy: new Date(now.getTime() + defaultStartMinutes * minuteMs),
          completeBy: new Date(now.getTime() + defaultCompleteMinutes * minuteMs),
        }
        await backupJobs.insertAll(db, [row])
        await jobs.enqueue(backUp, { id: row.id }, { key: row.id })
      }
    },
  })

  async function ensureVault(
    db: Parameters<typeof vaults.insert>[0],
    resources: { put(entry: ReturnType<typeof entryOf>): Promise<unknown> },
    { tenant, cellVault }: JobContext<ServiceRuntime>,
    createdAt: Date,
  ): Promise<void> {
    if (await vaults.find(db, tenant, automaticVault)) return
    const id = randomUUID()
    const vault = await cellVault.of(tenant, db)
    const password = vault.seal(randomBytes(32).toString('base64url'), vaults.passwordPlace(id))
    const row = await vaults.insert(db, {
      ...{
        tenant,
        name: automaticVault,
        id,
        kind: 'BACKUP_VAULT',
        password,
        creatorRequestId: null,
        tags: {},
        createdAt,
      },
      ...{ locked: false, lockAt: null, minDays: null, maxDays: null },
    })
    if (row) await resources.put(entryOf(region, row))
  }

  const findDue = job<object, ServiceRuntime>('findDue', {
    lane: 'punctual',
    async run(_, { db, clock, runtime }) {
      const now = clock.now()
      const due: DueBackup[] = []
      for (const { due: find } of runtime.backups.values()) due.push(...((await find?.(db, now)) ?? []))
      return async (_last, jobs: JobsOf) => {
        for (const backup of due) {
          const input = { ...backup, since: backup.since.toISOString() }
          await jobs.enqueue(begin, input, { tenant: backup.tenant, key: backup.id })
        }
      }
    },
  })
  return { findDue, begin }
}
