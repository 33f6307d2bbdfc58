import { named, readOnly, type Static, Type, withDefault, writable } from '@icosa/contract'
import { listOf, resourceFields } from '@icosa/dialects/arm'
import { JobAction } from '../actions/contract.ts'
import { api, page } from '../collections/contract.ts'
import { JobHistory } from '../history/contract.ts'
import { DateTime, JobRecurrence } from '../recurrence/contract.ts'
import { spelled } from '../spelling/contract.ts'

const { get, put, patch, post, delete: remove, inGroup } = api

const moment = () => Type.Optional(Type.String({ format: 'date-time' }))

const JobStatus = named('JobStatus', {
  executionCount: Type.Integer({ description: 'Executed occurrences, regardless of retries.' }),
  failureCount: Type.Integer({ description: 'Failed attempts.' }),
  faultedCount: Type.Integer({ description: 'Abandoned occurrences.' }),
  lastExecutionTime: moment(),
  nextExecutionTime: moment(),
})

const JobProperties = named('JobProperties', {
  startTime: Type.Optional(DateTime),
  action: Type.Optional(JobAction),
  recurrence: Type.Optional(JobRecurrence),
  state: Type.Optional(spelled('Enabled', 'Disabled', 'Faulted', 'Completed')),
  status: readOnly(Type.Optional(JobStatus)),
})

const Job = named('JobDefinition', { ...resourceFields, properties: Type.Optional(JobProperties) })
export interface Job extends Static<typeof Job> {}

const JobInput = writable(
  named('JobDefinitionInput', { ...resourceFields, properties: Type.Optional(writable(JobProperties)) }),
)
export interface JobInput extends Static<typeof JobInput> {}
export type PropertiesInput = NonNullable<JobInput['properties']>

const allJobs = inGroup('/jobCollections/{jobCollectionName}/jobs')
const oneJob = inGroup('/jobCollections/{jobCollectionName}/jobs/{jobName}')

const filtered = (form: string) => ({
  $top: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 100),
  $skip: withDefault(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), 0),
  $filter: Type.Optional(Type.String({ maxLength: 500, description: form })),
  ...page,
})

export const jobs = {
  list: get(allJobs, {
    summary: 'List the jobs of a collection by name.',
    query: filtered("state eq 'Enabled', several with or"),
    replies: { 200: listOf('JobListResult', Job) },
  }),
  get: get(oneJob, { summary: 'Read a job.', replies: { 200: Job } }),
  createOrUpdate: put(oneJob, {
    summary: 'Create or replace a job.',
    body: JobInput,
    replies: { 200: Job, 201: Job },
  }),
  patch: patch(oneJob, { summary: 'Change the given properties of a job.', body: JobInput, replies: { 200: Job } }),
  run: post(`${oneJob}/run`, { summary: 'Run a job now, independently of its schedule.', replies: { 200: null } }),
  listJobHistory: get(`${oneJob}/history`, {
    summary: 'List the attempts of a job, the latest first.',
    query: filtered("status eq 'Failed', several with or"),
    replies: { 200: listOf('JobHistoryListResult', JobHistory) },
  }),
  delete: remove(oneJob, { summary: 'Delete a job and its history.', replies: { 200: null } }),
}
