import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { configurationSets } from '../configuration-sets/contract.ts'
import { eventDestinations } from '../event-destinations/contract.ts'
import { log, stream, topic } from './app.ts'

const IamRoleArn = 'arn:aws:iam::account:role/writer'

const destinations = {
  topic: { ...topic('calls'), MatchingEventTypes: ['FAILED' as const, 'BUSY' as const] },
  log: { CloudWatchLogsDestination: { ...log('calls').CloudWatchLogsDestination, IamRoleArn } },
  stream: {
    KinesisFirehoseDestination: { ...stream('https://example.com/').KinesisFirehoseDestination, IamRoleArn },
  },
}

/** Creates a configuration set with a disabled destination of each kind. */
export const seed: Seed = async (owner) => {
  const ConfigurationSetName = 'seeded'
  await client(configurationSets, owner).CreateConfigurationSet({ body: { ConfigurationSetName } })
  const calls = client(eventDestinations, owner)
  for (const [EventDestinationName, definition] of Object.entries(destinations)) {
    const EventDestination = { Enabled: false, ...definition }
    const params = { ConfigurationSetName, EventDestinationName }
    await calls.CreateConfigurationSetEventDestination({ params, body: { EventDestinationName, EventDestination } })
    await calls.UpdateConfigurationSetEventDestination({ params, body: { EventDestination } })
  }
  return { ConfigurationSetName, EventDestinationName: 'topic' }
}
