import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { configurationSets } from '../configuration-sets/contract.ts'
import { eventDestinations } from '../event-destinations/contract.ts'

/** A configuration set of one tenant with a destination that is switched off. */
export const seed: Seed = async (owner) => {
  const at = { ConfigurationSetName: 'seeded', EventDestinationName: 'topic' }
  await client(configurationSets, owner).CreateConfigurationSet({ body: at })
  const SnsDestination = { TopicArn: 'arn:aws:sns:us-east-1:account:calls' }
  await client(eventDestinations, owner).CreateConfigurationSetEventDestination({
    params: at,
    body: { ...at, EventDestination: { Enabled: false, SnsDestination } },
  })
  return at
}
