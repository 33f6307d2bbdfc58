import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Media',
  resources: {
    listAssignments: {
      title: 'Assignments',
      type: 'contribution-collection/assignments',
      about: 'An assignment invites people to send in text, photos and videos.',
      columns: ['name', 'callToAction', 'starts', 'ends', 'tags'],
      example: { name: 'Snow', callToAction: 'Send your snow pictures' },
      panels: [
        {
          title: 'Map',
          operation: 'listContributions',
          fields: { assignment: 'id' },
          query: { hasLocation: 'true', state: 'any', pageSize: '100' },
          show: {
            as: 'map',
            points: '',
            latitude: 'place.latLong.latitude',
            longitude: 'place.latLong.longitude',
            label: 'headline',
          },
        },
      ],
    },
    listContributions: {
      title: 'Contributions',
      about: 'A contribution is a submission to an assignment.',
      columns: ['headline', 'assignment.name', 'attribution', 'place.name', 'likeCount', 'created'],
      example: { assignment: { id: '' }, headline: 'Snow in London', body: 'It fell all night.' },
      panels: [
        {
          title: 'Media',
          show: {
            as: 'media',
            items: 'mediaUsages.artifacts',
            url: 'url',
            title: 'label',
            type: 'contentType',
          },
        },
      ],
    },
    listFlags: {
      title: 'Flags',
      about: 'A flag reports a contribution to the moderators.',
      columns: ['type', 'email', 'notes', 'date'],
      create: 'flagContribution',
    },
    listTags: { title: 'Tags', about: 'Tags group assignments and forms.', example: { name: 'Weather' } },
    listTagSets: {
      title: 'Tag sets',
      about: 'A tag set contains tags that belong together.',
      example: { name: 'Topics', urlWords: 'topics' },
    },
    listForms: {
      title: 'Forms',
      about: 'A form asks contributors for further details.',
      example: { name: 'Contact', fields: [{ name: 'phone', label: 'Your phone number', type: 'telephone' }] },
    },
    listFormResponses: {
      title: 'Form responses',
      about: 'Answers that contributors gave in forms.',
      columns: ['id', 'form', 'contribution', 'user', 'date'],
    },
    listSubscriptions: {
      title: 'Notifications',
      about: 'A subscription sends an email or calls a URL for each new contribution.',
      columns: ['id', 'types', 'email', 'url', 'assignment'],
      example: { types: ['contribution-submitted'], includeBody: true, email: 'editor@example.com' },
    },
    listUsers: {
      title: 'Contributors',
      about: 'People who have sent in contributions.',
      columns: ['displayName', 'username', 'bio', 'registered'],
      example: { username: 'ada', password: 'a long password', displayName: 'Ada' },
    },
    listCredentials: {
      title: 'Credentials',
      about: 'Your own keys and passwords.',
      columns: ['type', 'user', 'scopes'],
    },
  },
  panels: [
    {
      title: 'Map',
      operation: 'listContributions',
      query: { hasLocation: 'true', state: 'any', pageSize: '100' },
      show: {
        as: 'map',
        points: '',
        latitude: 'place.latLong.latitude',
        longitude: 'place.latLong.longitude',
        label: 'headline',
      },
    },
  ],
  others: ['listSubscriptionTypes', 'listEventTypes', 'listChanges'],
}
