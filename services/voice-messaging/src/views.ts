import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Messages',
  resources: {
    ListConfigurationSets: {
      title: 'Call configurations',
      type: 'AWS::SMSVOICE::ConfigurationSet',
      about: 'A configuration set decides where events of calls go.',
      items: 'ConfigurationSets',
      columns: ['value'],
      key: { ConfigurationSetName: 'value' },
      example: { ConfigurationSetName: 'alerts' },
    },
    GetConfigurationSetEventDestinations: {
      title: 'Event destinations',
      about: 'A destination receives the events of calls.',
      columns: ['Name', 'Enabled', 'SnsDestination.TopicArn'],
      key: { EventDestinationName: 'Name' },
    },
  },
}
