import { brokerAddress } from '@icosa/brokers/operator'
import { group, setting, url, type ValuesOf } from '@icosa/settings'

export const settings = group({
  queue: setting('ICOSA_QUEUE_URL', brokerAddress, {
    default: 'nats://127.0.0.1:4222',
    secret: true,
    meaning: 'The broker to which StorageQueue and ServiceBusQueue actions send their messages.',
  }),
  topic: setting('ICOSA_TOPIC_URL', brokerAddress, {
    default: 'nats://127.0.0.1:4222',
    secret: true,
    meaning: 'The broker to which ServiceBusTopic actions send their messages.',
  }),
  tokenUrl: setting(
    'ICOSA_SCHEDULER_TOKEN_URL',
    url({
      is: 'an http or https address',
      example: 'https://login.example.com/{tenant}/oauth2/v2.0/token',
      schemes: ['http:', 'https:'],
    }),
    {
      otherwise: "the platform's own, that of identity-connect",
      meaning:
        'The token endpoint for requests with ActiveDirectoryOAuth (client credentials grant). `{tenant}` is replaced by the tenant in their authentication.',
    },
  ),
})

export interface SchedulerSettings extends ValuesOf<typeof settings> {
  readonly tokenUrl: string
}

/** The token endpoint of the platform at an address. */
export const ownTokenUrl = (baseUrl: string) => `${baseUrl}/{tenant}/oauth2/v2.0/token`

export const defaultSettings: SchedulerSettings = {
  ...settings.read({}),
  tokenUrl: ownTokenUrl('http://127.0.0.1:4000'),
}
