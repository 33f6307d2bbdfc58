import { group, setting, url, type ValuesOf } from '@icosa/settings'

export const settings = group({
  eventsUrl: setting(
    'ICOSA_GROUP_EVENTS_URL',
    url({ schemes: ['http:', 'https:'], is: 'an http(s) address', example: 'https://events.example.com/groups' }),
    {
      otherwise: 'lines in the log',
      meaning: 'The address to which life-cycle events of resource groups are sent as JSON.',
    },
  ),
})

export interface ResourceGroupsSettings extends Partial<ValuesOf<typeof settings>> {
  /** The platform's region, in every ARN and signature. */
  readonly region: string
  /** The resource types of the platform's services. */
  readonly resourceTypes?: readonly string[]
}

export const defaultSettings: ResourceGroupsSettings = { region: 'us-east-1' }
