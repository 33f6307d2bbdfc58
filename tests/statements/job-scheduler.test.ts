import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { statementsOf, until } from './statements.ts'

const scope = '/subscriptions/mine/resourceGroups/g/providers/Vendor.Scheduler/jobCollections'
const at = (path: string) => `${scope}/${path}${path.includes('?') ? '&' : '?'}api-version=2016-03-01`
const later = { startTime: '2100-01-01T00:00:00Z', recurrence: { frequency: 'Day' } }

statementsOf('J', ['job-scheduler'], async ({ caller, holds }) => {
  const call = caller('job-scheduler')
  const seen: { readonly url: string | undefined; readonly header: unknown }[] = []
  await using receiver = createServer((request, response) => {
    seen.push({ url: request.url, header: request.headers['x-a'] })
    response.statusCode = request.url === '/fail' ? 500 : 200
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const isSeen = (url: string) => until(async () => seen.find((request) => request.url === url))
  const action = (path: string) => ({
    type: 'Http',
    request: { uri: address + path, method: 'POST', body: 'hi', headers: { 'x-a': 'b' } },
  })
  const historyOf = async (job: string, query = '') =>
    (await call('GET', at(`c/jobs/${job}/history${query}`))).json.value

  const collection = { location: 'global', properties: { sku: { name: 'Standard' } } }
  const created = await call('PUT', at('c'), collection)
  const again = await call('PUT', at('c'), { location: 'global' })
  const tagged = await call('PATCH', at('c'), { tags: { a: 'b' } })
  const own = await call('GET', at('').replace('/?', '?'))
  const all = await call('GET', '/subscriptions/mine/providers/Vendor.Scheduler/jobCollections?api-version=2016-03-01')
  const areMade = created.status === 201 && again.status === 200 && tagged.status === 200
  holds(
    'a collection is made, changed and listed',
    areMade && own.json.value.length + all.json.value.length === 2,
    created.text,
  )

  const job = await call('PUT', at('c/jobs/one'), { properties: { action: action('/one') } })
  const same = await call('PUT', at('c/jobs/one'), { properties: { action: action('/one') } })
  const request = await isSeen('/one')
  const hasRun = await until(async () => (await historyOf('one')).length > 0)
  holds(
    'a job is made, and its request is sent',
    job.status === 201 && same.status === 200 && hasRun && request?.header === 'b',
    job.text,
  )
  await call('PUT', at('c/jobs/two'), { properties: { action: action('/two'), ...later } })
  const run = await call('POST', at('c/jobs/two/run'))
  holds('a job is run when asked', run.status === 200 && (await isSeen('/two')), run.text)

  const failing = { ...action('/fail'), retryPolicy: { retryType: 'None' }, errorAction: action('/error') }
  await call('PUT', at('c/jobs/bad'), { properties: { action: failing } })
  await isSeen('/error')
  const history = await until(async () => {
    const entries = JSON.stringify(await historyOf('bad'))
    return entries.includes('ErrorAction') && entries.includes('Failed') && entries
  })
  holds('a failure is told to the error action, and both are in the history', history)
  const [first] = await historyOf('bad', '?$top=1')
  const [second] = await historyOf('bad', '?$top=1&$skip=1')
  const failed: { properties: { status: string } }[] = await historyOf(
    'bad',
    `?$filter=${encodeURIComponent("status eq 'Failed'")}`,
  )
  const arePages = first.id !== second?.id && failed.every(({ properties }) => properties.status === 'Failed')
  holds('a history has $top, $skip and $filter', arePages, [first, second])
  const one = await call('GET', at('c/jobs?$top=1'))
  const enabled = await call('GET', at(`c/jobs?$filter=${encodeURIComponent("state eq 'Enabled'")}`))
  const areEnabled = enabled.json.value.every(
    ({ properties }: { properties: { state: string } }) => properties.state === 'Enabled',
  )
  holds('so have jobs', one.json.value.length === 1 && areEnabled, enabled.text)

  const state = async () => (await call('GET', at('c'))).json.properties.state
  await call('POST', at('c/disable'))
  const disabled = await state()
  await call('POST', at('c/enable'))
  holds('a collection is disabled and enabled', disabled === 'Disabled' && (await state()) === 'Enabled', disabled)
  const removed = await call('DELETE', at('c/jobs/one'))
  const missing = await call('DELETE', at('c/jobs/one'))
  const closed = await call('DELETE', at('c'))
  const isGone = (await call('GET', at('c'))).status === 404
  holds(
    'jobs and collections are deleted',
    removed.status === 200 && missing.status === 404 && closed.status < 300 && isGone,
  )

  await call('PUT', at('free'), { location: 'global', properties: { sku: { name: 'Free' } } })
  const statuses: number[] = []
  for (const n of [1, 2, 3, 4, 5, 6])
    statuses.push((await call('PUT', at(`free/jobs/j${n}`), { properties: { action: action('/q'), ...later } })).status)
  holds('a free collection has five jobs', statuses.join() === '201,201,201,201,201,409', statuses)
})
