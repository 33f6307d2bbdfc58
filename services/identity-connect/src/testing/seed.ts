import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { clients } from '../clients/contract.ts'

/** A client of one tenant. */
export const seed: Seed = async (owner) => {
  const { body } = await client(clients, owner).createClient({ body: { redirect_uris: ['https://rp.example/cb'] } })
  return { client_id: body.client_id }
}
