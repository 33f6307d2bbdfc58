import { type Sending, startSending } from '@icosa/delivery'
import { signedServer } from '@icosa/dialects/signed/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { account } from './account/handlers.ts'
import { applySettings } from './account/jobs.ts'
import { configurations } from './configurations/handlers.ts'
import { applyConfiguration } from './configurations/jobs.ts'
import { deliverJob } from './events/deliver.ts'
import { groupEvents } from './events/events.ts'
import { compareEveryMs, membershipJobs } from './events/membership.ts'
import { groupingStatuses } from './grouping-statuses/handlers.ts'
import { api } from './groups/contract.ts'
import { groups } from './groups/handlers.ts'
import { members } from './members/handlers.ts'
import { serviceName, signingNames } from './names.ts'
import { queries } from './queries/handlers.ts'
import { typesAmong } from './queries/types.ts'
import { resources } from './resources/handlers.ts'
import { retention } from './retention.ts'
import { defaultSettings, type ResourceGroupsSettings } from './settings.ts'
import { tagSync } from './tag-sync/handlers.ts'
import { tagSyncJobs } from './tag-sync/jobs.ts'
import { tags } from './tags/handlers.ts'
import { views } from './views.ts'

export { defaultSettings, type ResourceGroupsSettings } from './settings.ts'

/** Groups of the platform's resources: by tags, by stack, or with explicit members. */
export function resourceGroups(settings: ResourceGroupsSettings = defaultSettings): Service {
  const { region, resourceTypes = [] } = settings
  const findTypes = typesAmong(resourceTypes)
  const deliver = deliverJob(settings)
  const { compareGroups, noticeGroup, noticeTenant, noticeAll } = membershipJobs(region, deliver, findTypes)
  const events = groupEvents(region, deliver, noticeGroup)
  const { syncGroup, syncAll } = tagSyncJobs(region, events, findTypes)
  const applyProposal = applyConfiguration(events)
  const applyAccount = applySettings(compareGroups)
  return serviceWithRuntime<Sending>({
    letter: 'R',
    name: serviceName,
    title: 'Resource Groups',
    moves: 'withRows',
    views,
    apis: [
      {
        dialect: signedServer(api, { region, signingNames }),
        resources: {
          Groups: groups(region, events),
          Queries: queries(region, events),
          Configurations: configurations(region, applyProposal),
          Members: members(region, events),
          Resources: resources(region, findTypes),
          Tags: tags(region),
          Account: account(applyAccount),
          TagSync: tagSync(region, syncGroup),
          GroupingStatuses: groupingStatuses(region),
        },
      },
    ],
    start: startSending,
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    jobs: [deliver, noticeGroup, noticeTenant, noticeAll, applyProposal, applyAccount, syncGroup, syncAll],
    schedules: [noticeAll, syncAll].map((job) => ({ job, everyMs: compareEveryMs })),
  })
}
