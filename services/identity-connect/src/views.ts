import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'People',
  resources: {
    client: {
      title: 'Clients',
      type: 'identity-connect/clients',
      about: 'A client is an application that signs its users in here.',
      columns: [
        'client_name',
        'client_id',
        'application_type',
        'token_endpoint_auth_method',
        'time:client_id_issued_at',
      ],
      example: { client_name: 'Notes', redirect_uris: ['http://localhost:3000/callback'] },
    },
  },
  panels: [
    { title: 'Discovery', operation: 'discovery', show: { as: 'tree', root: '' } },
    { title: 'Inspect a token', operation: 'introspectToken', show: { as: 'tree', root: '' } },
  ],
}
