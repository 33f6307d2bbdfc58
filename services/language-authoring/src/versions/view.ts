import type { Version } from './store.ts'

function trainingStatusOf({
  trainingStatus,
  revision,
  trainedRevision,
}: Version): 'InProgress' | 'Trained' | 'NeedsTraining' {
  if (trainingStatus === 'queued' || trainingStatus === 'running') return 'InProgress'
  return trainedRevision === revision ? 'Trained' : 'NeedsTraining'
}

export const toVersion = (row: Version, endpointUrl: string | null) => ({
  version: row.id,
  createdDateTime: row.createdAt.toISOString(),
  lastModifiedDateTime: row.modifiedAt.toISOString(),
  lastTrainedDateTime: row.trainedAt?.toISOString() ?? null,
  lastPublishedDateTime: row.publishedAt?.toISOString() ?? null,
  endpointUrl,
  assignedEndpointKey: null,
  externalApiKeys: null,
  intentsCount: row.intentsCount,
  entitiesCount: row.entitiesCount,
  endpointHitsCount: Number(row.endpointHits),
  trainingStatus: trainingStatusOf(row),
})
