import { client } from '@icosa/client'
import { clients } from '@icosa/identity-connect/contract'
import { type Seed, seedNotes } from '@icosa/testing'

/** Rows of one tenant for every service that keeps any: strangers are then sent after them. */
export const seeds: Readonly<Record<string, Seed>> = {
  example: seedNotes,
  async 'identity-connect'(owner) {
    const { body } = await client(clients, owner).createClient({ body: { redirect_uris: ['https://rp.example/cb'] } })
    return { client_id: body.client_id }
  },
}
