/** One resource of each compared service, with the bare statement that reads its row. */
import { configurationStores } from '@icosa/configuration-stores'
import { seed as seedStores } from '@icosa/configuration-stores/testing/seed'
import { jobScheduler } from '@icosa/job-scheduler'
import { seed as seedJobs } from '@icosa/job-scheduler/testing/seed'
import type { Service } from '@icosa/kernel'
import { resourceGroups } from '@icosa/resource-groups'
import { seed as seedGroups } from '@icosa/resource-groups/testing/seed'
import { testService } from '@icosa/sql-databases/testing/app'
import { seed as seedDatabases } from '@icosa/sql-databases/testing/seed'
import type { Known, Seed } from '@icosa/testing'

export interface Subject {
  readonly name: string
  readonly service: Service
  readonly seed: Seed
  /** The reading operation. */
  readonly operation: string
  readonly query: Readonly<Record<string, string>>
  /** Statement for the same row, by tenant and key. */
  readonly bare: string
  readonly keyOf: (known: Known) => string
}

const stores = { service: configurationStores(), seed: seedStores }

export const subjects: readonly Subject[] = [
  {
    name: 'store',
    ...stores,
    operation: 'ConfigurationStores_Get',
    query: { 'api-version': '2019-11-01-preview' },
    bare: 'select * from configuration_stores.stores where tenant = $1 and name_key = $2',
    keyOf: ({ configStoreName }) => String(configStoreName),
  },
  {
    name: 'key-value',
    ...stores,
    operation: 'KeyValues_Get',
    query: { 'api-version': '1.0' },
    bare: `select key, label, value, content_type, tags, locked, etag, changed_at from configuration_stores.revisions
      where tenant = $1 and key = $2 and label = '' and replaced_at = 'infinity'`,
    keyOf: ({ key }) => String(key),
  },
  {
    name: 'database',
    service: testService(),
    seed: seedDatabases,
    operation: 'Databases_Get',
    query: { 'api-version': '2017-10-01-preview' },
    bare: 'select * from sql_databases.databases where tenant = $1 and name_key = $2',
    keyOf: ({ databaseName }) => String(databaseName),
  },
  {
    name: 'job',
    service: jobScheduler(),
    seed: seedJobs,
    operation: 'Jobs_Get',
    query: { 'api-version': '2016-03-01' },
    bare: `select * from job_scheduler.jobs as job join job_scheduler.statuses as status
      on status.tenant = job.tenant and status.job_id = job.id where job.tenant = $1 and name_key = $2 limit 1`,
    keyOf: ({ jobName }) => String(jobName),
  },
  {
    name: 'group',
    service: resourceGroups(),
    seed: seedGroups,
    operation: 'GetTags',
    query: {},
    bare: 'select * from resource_groups.groups where tenant = $1 and key = $2',
    keyOf: ({ Arn }) => String(Arn).split('/').at(-1) ?? '',
  },
]

export const services: readonly Service[] = [...new Set(subjects.map(({ service }) => service))]
