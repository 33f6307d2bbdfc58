import { endpointOf } from './endpoint.ts'
import type { ListedApp, Slot } from './store.ts'

export const toApp = (row: ListedApp, slots: readonly Slot[], baseUrl: string) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  culture: row.culture,
  usageScenario: row.usageScenario,
  domain: row.domain,
  versionsCount: Number(row.versionsCount),
  createdDateTime: row.createdAt.toISOString(),
  endpoints: Object.fromEntries(
    slots.filter(({ app }) => app === row.id).map((slot) => [slot.slot.toUpperCase(), toEndpoint(slot, baseUrl)]),
  ),
  endpointHitsCount: Number(row.endpointHits),
  activeVersion: row.activeVersion,
})

export const toEndpoint = ({ app, slot, versionId, publishedAt }: Slot, baseUrl: string) => ({
  versionId,
  isStaging: slot === 'staging',
  endpointUrl: endpointOf(baseUrl, app, slot),
  region: null,
  assignedEndpointKey: null,
  endpointRegion: null,
  failedRegions: null,
  publishedDateTime: publishedAt.toISOString(),
})
