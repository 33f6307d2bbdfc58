import { createHash } from 'node:crypto'
import { client } from '@icosa/client'
import { signedFetch } from '@icosa/dialects/signed/fetch'
import { createKey, createSigningSecret, systemClock } from '@icosa/kernel'
import { groups } from '@icosa/resource-groups/contract'
import { ensureSigningKeys, issueToken, type OpenedVault } from '@icosa/tokens'
import { expect } from 'vitest'
import { accessKeys, stores } from '../../services/configuration-stores/src/contract.ts'
import { versions as storeVersions } from '../../services/configuration-stores/src/names.ts'
import { storeClient } from '../../services/configuration-stores/src/testing/store-client.ts'
import { createPerson } from '../../services/identity-connect/src/people/people.ts'
import { type Browser, browser } from '../../services/identity-connect/src/testing/browser.ts'
import { collections, jobs } from '../../services/job-scheduler/src/contract.ts'
import { versions as jobVersions } from '../../services/job-scheduler/src/names.ts'
import { type Receiver, startReceiver } from '../../services/job-scheduler/src/testing/receiver.ts'
import type { Cell, Node } from './cell.ts'

const group = { subscriptionId: 'rotation', resourceGroupName: 'rotation' }
const store = { ...group, configStoreName: 'kept-store' }
const stored = { 'api-version': storeVersions[0] }
const scheduled = { 'api-version': jobVersions[0] }
const ada = { email: 'ada@example.com', password: 'analytical engine no. 1' }
const jobNames = Array.from({ length: 8 }, (_, n) => `job-${n}`)

/** Credentials issued to a tenant and a user before the master key rotation, which must keep working. */
export interface Holdings extends AsyncDisposable {
  /** Uses everything once, through one node. Throws if anything does not work. */
  use(node: Node): Promise<void>
  /** Opens the account page in the signed-in browser, which uses one node's address. */
  visit(): Promise<void>
  /** Changes the password of a job. */
  change(node: Node, round: number): Promise<void>
  /** Runs every job and compares the passwords it sends with those last set. */
  checkJobs(node: Node): Promise<void>
}

export async function handOut(cell: Cell, node: Node, vault: OpenedVault): Promise<Holdings> {
  const { database } = cell
  const owner = { tenant: 'ada', name: '', permissions: ['*'] }
  const { key } = await createKey(database, systemClock, owner)
  const secret = await createSigningSecret(database, systemClock, vault, owner)
  await ensureSigningKeys(database, systemClock, vault)
  const shell = { subject: 'shell', tenant: 'ada', permissions: ['*'], lifetimeMs: 3_600_000, issuer: node.url }
  const token = await issueToken(database, systemClock, vault, shell)
  const receiver = await startReceiver()
  const passwords = new Map<string, string>()

  const at = ({ url }: Node, service: string, bearer = key) => ({
    baseUrl: `${url}/${service}`,
    headers: { authorization: `Bearer ${bearer}` },
  })
  const keysOf = async (through: Node, bearer?: string) =>
    (await client(accessKeys, at(through, 'configuration-stores', bearer)).listKeys({ params: store, query: stored }))
      .body.value
  const setPassword = (through: Node, jobName: string, password: string) =>
    putJob(at(through, 'job-scheduler'), receiver, jobName, password).then(() => passwords.set(jobName, password))

  const body = { location: 'here', sku: { name: 'Standard' } }
  await client(stores, at(node, 'configuration-stores')).create({ params: store, query: stored, body })
  await expect.poll(() => keysOf(node).catch(() => []), { timeout: 20_000 }).toHaveLength(4)
  const [accessKey] = await keysOf(node)
  if (!accessKey) throw new Error('a store has keys')
  const collection = { ...group, jobCollectionName: 'kept' }
  const target = at(node, 'job-scheduler')
  await client(collections, target).createOrUpdate({ params: collection, query: scheduled, body: { location: 'here' } })
  for (const name of jobNames) await setPassword(node, name, 'at first')
  const visitor = await signIn(cell, node)

  return {
    async use(through) {
      const signer = { ...secret, region: 'us-east-1', service: 'resource-groups' }
      const signing = { baseUrl: `${through.url}/resource-groups`, fetch: signedFetch(signer) }
      expect((await client(groups, signing).ListGroups({ body: {} })).status, 'the signing secret').toBe(200)
      const [first] = await keysOf(through, token) // the token is also signed by a sealed key
      expect(first, 'the key of the store').toEqual(accessKey)
      const opened = storeClient(`${through.url}/configuration-stores/stores/kept-store`, accessKey)
      expect((await opened.get('/kv')).status, 'access with that key').toBe(200)
      const blob = await fetch(through.url + node.blob.slice(node.url.length))
      expect(await blob.text(), 'the signed URL of the blob').toBe('kept')
    },
    async visit() {
      const page = await visitor.get('/identity-connect/account')
      expect([page.status, page.text.includes(ada.email)], 'the session').toEqual([200, true])
    },
    async change(through, round) {
      const name = jobNames[round % jobNames.length] as string
      await setPassword(through, name, createHash('sha256').update(`${round}`).digest('hex'))
    },
    async checkJobs(through) {
      const before = receiver.received.length
      for (const jobName of jobNames)
        await client(jobs, at(through, 'job-scheduler')).run({ params: { ...collection, jobName }, query: scheduled })
      await receiver.until(before + jobNames.length)
      const arrived = new Map(receiver.received.slice(before).map(({ path, headers }) => [path, headers.authorization]))
      for (const name of jobNames) {
        const basic = Buffer.from(`ada:${passwords.get(name)}`).toString('base64')
        expect(arrived.get(`/${name}`), `the password of ${name}`).toBe(`Basic ${basic}`)
      }
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

async function putJob(
  target: { readonly baseUrl: string; readonly headers: Record<string, string> },
  { url }: Receiver,
  jobName: string,
  password: string,
): Promise<void> {
  const authentication = { type: 'Basic' as const, username: 'ada', password }
  const action = { type: 'Http' as const, request: { uri: `${url}/${jobName}`, method: 'POST', authentication } }
  await client(jobs, target).createOrUpdate({
    params: { ...group, jobCollectionName: 'kept', jobName },
    query: scheduled,
    body: { properties: { startTime: '9000-01-01', action } },
  })
}

async function signIn({ database }: Cell, { url }: Node): Promise<Browser> {
  await createPerson(database, systemClock, { ...ada, emailVerified: true })
  const visitor = browser(url)
  const form = await visitor.open('/identity-connect/account')
  const page = await visitor.follow(await visitor.submit(form, '/sign-in', ada))
  expect(page.text).toContain(ada.email)
  return visitor
}
