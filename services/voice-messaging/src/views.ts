import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Messages',
  resources: {
    ListConfigurationSets: {
      title: 'Call configurations',
      type: 'AWS::SMSVOICE::ConfigurationSet',
      about: 'A configuration set determines where call events are sent.',
      items: 'ConfigurationSets',
      columns: ['value'],
      key: { ConfigurationSetName: 'value' },
      example: { ConfigurationSetName: 'alerts' },
    },
    GetConfigurationSetEventDestinations: {
      title: 'Event destinations',
      about: 'A destination receives call events.',
      columns: ['Name', 'Enabled', 'SnsDestination.TopicArn'],
      key: { EventDestinationName: 'Name' },
    },
  },
}
