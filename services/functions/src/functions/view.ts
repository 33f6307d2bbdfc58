import type { Static } from '@icosa/contract'
import type { ResourceEntry } from '@icosa/kernel'
import { functionName, resourceType } from '../names.ts'
import type { FunctionResource } from './contract.ts'
import type { FunctionRow, Place } from './store.ts'
import type { UrlOf } from './url.ts'

export const nameOf = ({ project, location, function: id }: Place) => functionName(project, location, id)

export function toFunction(row: FunctionRow, urlOf: UrlOf): Static<typeof FunctionResource> {
  const { desired, state, stateMessages, revision, createdAt, updatedAt } = row
  const { description, labels, buildConfig, serviceConfig, eventTrigger, kmsKeyName } = desired
  const uri = urlOf(row.address)
  const { source } = buildConfig
  return {
    name: nameOf(row),
    ...(description && { description }),
    environment: 'GEN_2',
    labels: { ...labels },
    ...(kmsKeyName && { kmsKeyName }),
    state,
    ...(stateMessages.length > 0 && { stateMessages: [...stateMessages] }),
    createTime: createdAt.toISOString(),
    updateTime: updatedAt.toISOString(),
    url: uri,
    buildConfig: {
      ...buildConfig,
      ...(source?.storageSource && { sourceProvenance: { resolvedStorageSource: source.storageSource } }),
    },
    serviceConfig: {
      allTrafficOnLatestRevision: true,
      ...serviceConfig,
      environmentVariables: { ...serviceConfig.environmentVariables },
      service: `projects/${row.project}/locations/${row.location}/services/${row.function}`,
      uri,
      ...(revision !== null && { revision }),
    },
    ...(eventTrigger && { eventTrigger: { ...eventTrigger, trigger: triggerName(row) } }),
  }
}

export const triggerName = ({ project, location, function: id }: Place) =>
  `projects/${project}/locations/${location}/triggers/${id}`

/** Entry in the registry. */
export const entryOf = (row: FunctionRow): ResourceEntry => ({
  id: nameOf(row),
  type: resourceType,
  name: row.function,
  scope: row.project,
  location: row.location,
  tags: row.desired.labels,
})
