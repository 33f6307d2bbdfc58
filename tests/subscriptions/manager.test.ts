import { jobScheduler } from '@icosa/job-scheduler'
import { sql } from '@icosa/kernel'
import { testService } from '@icosa/sql-databases/testing/app'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { apiDiagnostics } from '../../services/api-diagnostics/src/index.ts'

// Requests of generic tools to a resource manager, at the address of any service: subscriptions and resource groups.

interface Body {
  readonly value: readonly { readonly name: string }[]
  readonly nextLink: string
}

const version = 'api-version=2021-04-01'

async function start() {
  const app = await startTestApp({ services: [jobScheduler(), testService(), apiDiagnostics] })
  const asking = async (tenant: string) => {
    const headers = { authorization: `Bearer ${await app.key(tenant)}`, 'content-type': 'application/json' }
    return async (target: string, body?: object) => {
      const init = body && { method: 'PUT', body: JSON.stringify(body) }
      const answer = await fetch(`${app.url}${target}`, { ...init, headers })
      return { status: answer.status, warning: answer.headers.get('warning'), body: (await answer.json()) as Body }
    }
  }
  return { app, asking }
}

const inGroup = (group: string, rest: string) => `/subscriptions/Main/resourceGroups/${group}/providers/${rest}`
const server = inGroup('Web', 'Vendor.Sql/servers/eu?api-version=2017-10-01-preview')
const collection = inGroup('batch', 'Vendor.Scheduler/jobCollections/nightly?api-version=2016-03-01')
const diagnostic = inGroup('gate', 'Vendor.ApiManagement/service/eu/diagnostics/all?api-version=2019-12-01-preview')

test('a tenant reads its subscription and the groups in which it has resources of any service', async () => {
  const { app, asking } = await start()
  await using _ = app
  const ask = await asking('acme')
  // Functions have a project, and no resource group.
  await app.platform.database.run(sql`create table ungrouped (tenant text, subscription_key text, name_key text)`)
  expect(await ask(`/sql-databases/subscriptions/main?${version}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'SubscriptionNotFound' } },
  })
  expect((await ask(`/sql-databases${server}`, { location: 'westeurope' })).status).toBe(201)
  expect((await ask(`/job-scheduler${collection}`, { location: 'westeurope' })).status).toBe(201)
  const logger = { properties: { loggerId: '/loggers/one' } }
  expect((await ask(`/api-diagnostics${diagnostic}`, logger)).status).toBe(201)

  for (const service of ['sql-databases', 'job-scheduler', 'api-diagnostics']) {
    expect(await ask(`/${service}/subscriptions/Main?${version}`)).toMatchObject({
      status: 200,
      warning: null,
      body: { id: '/subscriptions/Main', subscriptionId: 'Main', tenantId: 'acme', state: 'Enabled' },
    })
    expect((await ask(`/${service}/subscriptions?${version}`)).body.value).toMatchObject([{ subscriptionId: 'main' }])
    const groups = await ask(`/${service}/subscriptions/main/resourcegroups?${version}`)
    expect(groups.body.value.map(({ name }) => name)).toEqual(['batch', 'gate', 'Web'])
    expect(await ask(`/${service}/subscriptions/main/resourcegroups/WEB?${version}`)).toMatchObject({
      status: 200,
      body: {
        id: '/subscriptions/main/resourceGroups/Web',
        name: 'Web',
        type: 'Vendor.Resources/resourceGroups',
        properties: { provisioningState: 'Succeeded' },
      },
    })
  }
  expect(await ask(`/sql-databases/subscriptions/main/resourceGroups/other?${version}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceGroupNotFound' } },
  })

  const otherTenant = await asking('stranger')
  for (const rest of ['', '/resourceGroups', '/resourceGroups/web'])
    expect(await otherTenant(`/sql-databases/subscriptions/main${rest}?${version}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'SubscriptionNotFound' } },
    })
  expect((await otherTenant(`/sql-databases/subscriptions?${version}`)).body.value).toEqual([])
})

test('groups are listed in pages', async () => {
  const { app, asking } = await start()
  await using _ = app
  const ask = await asking('acme')
  const name = (number: number) => `group-${String(number).padStart(3, '0')}`
  for (let number = 0; number < 103; number++)
    await ask(`/sql-databases${inGroup(name(number), server.split('/providers/')[1] ?? '')}`, { location: 'here' })
  await ask(`/job-scheduler${collection.replace('/batch/', `/${name(101)}/`)}`, { location: 'here' })
  const first = await ask(`/sql-databases/subscriptions/main/resourceGroups?${version}`)
  expect(first.body.value).toHaveLength(100)
  const next = new URL(first.body.nextLink)
  const second = await ask(next.pathname + next.search)
  expect(second.body.value.map((group) => group.name)).toEqual([100, 101, 102].map(name))
  expect(second.body).not.toHaveProperty('nextLink')
})
