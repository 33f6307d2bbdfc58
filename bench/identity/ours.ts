/** The identity service on its own node; codes, grants and tokens are durable. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '@icosa/client'
import { createKey, startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { clients } from '../../services/identity-connect/src/clients/contract.ts'
import { defaultSettings, identityConnect } from '../../services/identity-connect/src/index.ts'
import { createPerson } from '../../services/identity-connect/src/people/people.ts'
import { openProviders } from '../../services/identity-connect/src/provider/providers.ts'
import { mint, redirectUri, serveCodes } from './mint.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const { worker: _, ...options } = testNode([identityConnect()], databaseUrl, folder)
const node = await startNode({ ...options, clock: 'system', checkReplies: false, maxConnections: 10 })
const { platform, url = '' } = node
const { database, clock } = platform
const issuer = `${url}/identity-connect`
const { key } = await createKey(database, clock, { tenant: 'bench', name: 'bench', permissions: ['*'] })
const management = client(clients, { baseUrl: issuer, headers: { authorization: `Bearer ${key}` } })
const { body } = await management.createClient({ body: { redirect_uris: [redirectUri] } })
const person = await createPerson(database, clock, { email: 'ada@example.com', emailVerified: true })
const { provider } = await openProviders(node.platform, defaultSettings).at(new URL(url))
serveCodes(`${issuer}/token`, { id: body.client_id, secret: body.client_secret ?? '' }, (count) =>
  mint(provider, person.id, body.client_id, count),
)
