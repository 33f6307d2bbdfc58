import type { Client } from 'oidc-provider'
import { testHost } from '../clients/test-mode.ts'
import type { ClientView } from '../pages/views.ts'

/** `redirectUri` is that of the current request, if any. */
export const toClientView = (client: Client, redirectUri?: unknown): ClientView => ({
  name: client.clientName ?? client.clientId,
  uri: client.clientUri,
  logoUri: client.logoUri,
  policyUri: client.policyUri,
  tosUri: client.tosUri,
  testHost: testHost(client, redirectUri),
})
