import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Media',
  resources: {
    listAssignments: {
      title: 'Assignments',
      type: 'contribution-collection/assignments',
      about: 'An assignment asks people to send in texts and pictures.',
      columns: ['name', 'callToAction', 'starts', 'ends', 'tags'],
      example: { name: 'Snow', callToAction: 'Send your snow pictures' },
    },
    listContributions: {
      title: 'Contributions',
      about: 'A contribution is what someone has sent in for an assignment.',
      columns: ['headline', 'assignment.name', 'attribution', 'place.name', 'likeCount', 'created'],
      example: { assignment: { id: '' }, headline: 'Snow in London', body: 'It fell all night.' },
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
      about: 'A form asks for more than a contribution has.',
      example: { name: 'Contact', fields: [{ name: 'phone', label: 'Your phone number', type: 'telephone' }] },
    },
    listFormResponses: {
      title: 'Form responses',
      about: 'The answers that people gave to a form.',
      columns: ['id', 'form', 'contribution', 'user', 'date'],
    },
    listSubscriptions: {
      title: 'Notifications',
      about: 'A subscription sends mail or calls a URL at each contribution.',
      columns: ['id', 'types', 'email', 'url', 'assignment'],
      example: { types: ['contribution-submitted'], includeBody: true, email: 'editor@example.com' },
    },
    listUsers: {
      title: 'Contributors',
      about: 'People who contribute.',
      columns: ['displayName', 'username', 'bio', 'registered'],
      example: { username: 'ada', password: 'a long password', displayName: 'Ada' },
    },
    listCredentials: {
      title: 'Credentials',
      about: 'Credentials with which the caller may sign in.',
      columns: ['type', 'user', 'scopes'],
    },
  },
  others: ['listSubscriptionTypes', 'listEventTypes', 'listChanges'],
}
