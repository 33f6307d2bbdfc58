import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { clients } from '../clients/contract.ts'

const at = (path: string) => `https://rp.example/${path}`

export const seed: Seed = async (owner) => {
  const { createClient } = client(clients, owner)
  const { body } = await createClient({
    body: {
      client_name: 'A client',
      redirect_uris: [at('cb')],
      client_uri: at(''),
      logo_uri: at('logo.png'),
      policy_uri: at('policy'),
      tos_uri: at('terms'),
      backchannel_logout_uri: at('logout'),
    },
  })
  return { client_id: body.client_id }
}
