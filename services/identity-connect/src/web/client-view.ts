import type { Client } from 'oidc-provider'
import type { ClientView } from '../pages/views.ts'

export const toClientView = (client: Client): ClientView => ({
  name: client.clientName ?? client.clientId,
  uri: client.clientUri,
  logoUri: client.logoUri,
  policyUri: client.policyUri,
  tosUri: client.tosUri,
})
