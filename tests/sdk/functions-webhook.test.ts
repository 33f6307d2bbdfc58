import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { client } from '@icosa/client'
import { type NameServer, nameServer } from '@icosa/fetch/testing/name-server'
import { type FunctionsApp, startFunctions, type Tenant } from '@icosa/functions/testing/app'
import { sql } from '@icosa/kernel'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { setSecret } from '../../services/functions/src/secrets/secrets.ts'
import { dropPhysical, testService } from '../../services/sql-databases/src/testing/app.ts'
import { idOf, tenantOf } from '../../services/sql-databases/src/testing/tenant.ts'

// The webhook receiver of the guide, as printed there, with its dependency.
const guide = readFileSync(new URL('../../docs/guides/functions.md', import.meta.url), 'utf8')
const [, program = ''] = /```js\n(\/\/ index\.js\n.*?)```/s.exec(guide) ?? []

const mails: string[] = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, done) =>
    void text(stream)
      .then((mail) => mails.push(mail))
      .then(() => done()),
})
let names: NameServer
let app: FunctionsApp
let acme: Tenant
let database: Awaited<ReturnType<typeof tenantOf>>
let url = ''

function packageFiles(name: string): Record<string, string> {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(c?js|json)$/.test(path))
  return Object.fromEntries(
    paths.map((path) => [join('node_modules', name, path), readFileSync(join(folder, path), 'utf8')]),
  )
}

beforeAll(async () => {
  mailServer.listen(0, '127.0.0.1')
  await once(mailServer.server, 'listening')
  const { port } = mailServer.server.address() as AddressInfo
  const worker = { concurrency: 16, background: true }
  const egressAllow = ['public', `127.0.0.1/32:${port}`]
  names = await nameServer((name) => (name === 'mail.test' ? { addresses: ['127.0.0.1'] } : undefined))
  app = await startFunctions({ egressAllow, nameServers: [names.address] }, { services: [testService()], worker })
  acme = await app.tenant()
  const baseUrl = `${app.url}/sql-databases`
  database = await tenantOf({ ...app, client: (contract, more) => client(contract, { baseUrl, ...more }) }, 'acme')
  await database.create('orders')
  const isOnline = async () => expect(await database.status('orders')).toBe('Online')
  await vi.waitFor(isOnline, { timeout: 60_000 })
  await using connection = await database.connect('orders')
  await connection.query('create table orders (id text primary key, customer text, total numeric)')
  await setSecret(app.platform, 'acme', { project: 'shop', name: 'webhook' }, 'sesame')
  const permissions = ['sql-databases:Queries_Run', 'functions:publish', 'functions:invokeFunction']
  await app.platform.database.run(sql`
    insert into functions.service_accounts values ('acme', 'shop', 'shop', ${permissions}, now())`)
  const total = `exports.hello = (request, response) =>
    response.json({ total: request.body.lines.reduce((sum, { price, count }) => sum + price * count, 0) })`
  const totals = await acme.deploy('total', { 'index.js': total })
  const eventTrigger = {
    eventType: 'google.cloud.pubsub.topic.v1.messagePublished',
    pubsubTopic: 'projects/shop/topics/orders',
  }
  const listener = "exports.hello = (event) => console.log(Buffer.from(event.data.message.data, 'base64').toString())"
  expect((await acme.deploy('listener', { 'index.js': listener }, { body: { eventTrigger } })).error).toBeUndefined()
  const environmentVariables = {
    MAIL_URL: `smtp://mail.test:${port}`,
    DATABASE: idOf('orders'),
    TOTAL_URL: String(Object(totals.response?.serviceConfig).uri),
    TOPIC: 'projects/shop/topics/orders',
  }
  const serviceConfig = {
    ...{ environmentVariables, serviceAccountEmail: 'shop@shop.iam.gserviceaccount.com', availableMemory: '512M' },
    secretEnvironmentVariables: [{ key: 'WEBHOOK_SECRET', secret: 'webhook', version: 'latest' }],
  }
  const files = { 'index.js': program, ...packageFiles('nodemailer') }
  const deployed = await acme.deploy('receive', files, { entryPoint: 'receive', body: { serviceConfig } })
  expect(deployed.error).toBeUndefined()
  url = String(Object(deployed.response?.serviceConfig).uri)
  const bindings = [{ role: 'roles/run.invoker', members: ['allUsers'] }]
  const params = { project: 'shop', location: 'europe-north1', function: 'receive' }
  await acme.setIamPolicy({ params, body: { policy: { bindings } } })
})
afterAll(async () => {
  await dropPhysical(app.platform.database)
  await app[Symbol.asyncDispose]()
  mailServer.close()
  names.close()
})

async function logOf(name: string): Promise<string> {
  const params = { project: 'shop', location: 'europe-north1', function: name }
  return (await acme.listLogs({ params })).body.lines.map((line) => line.text).join('\n')
}

const order = { id: "o'1", customer: 'ada@example.com', lines: [{ price: 20, count: 2 }] }

async function deliver(secret: string, body = JSON.stringify(order)) {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` }
  const response = await fetch(url, { method: 'POST', headers, body })
  return `${response.status} ${await response.text()}`
}

test('a signed webhook is stored once, published and mailed; another signature is refused', async () => {
  await expect.poll(() => deliver('wrong'), { timeout: 20_000 }).toBe('401 wrong signature')
  expect(await deliver('sesame')).toBe('200 stored')
  expect(await deliver('sesame')).toBe('200 known')
  await using connection = await database.connect('orders')
  const { rows } = await connection.query('select id, customer, total::int as total from orders')
  expect(rows).toEqual([{ id: "o'1", customer: 'ada@example.com', total: 40 }])
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatch(/^Subject: Order o'1\r?$[\s\S]*The total is 40\./m)
  await expect.poll(() => logOf('listener'), { timeout: 60_000 }).toContain('{"id":"o\'1","total":40}')
})
