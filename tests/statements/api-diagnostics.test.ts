import { setTimeout as sleep } from 'node:timers/promises'
import { statementsOf, until } from './statements.ts'

const of = (service: string) =>
  `/subscriptions/mine/resourceGroups/dev/providers/Vendor.ApiManagement/service/${service}/diagnostics`
const at = (service: string, path: string) =>
  `${of(service)}${path}${path.includes('?') ? '&' : '?'}api-version=2019-12-01-preview`
const always = { 'if-match': '*' }
const logged = ['content-type', 'content-length', 'x-request-id']
const everything = {
  loggerId: 'node',
  alwaysLog: 'allErrors',
  logClientIp: true,
  sampling: { samplingType: 'fixed', percentage: 100 },
  frontend: {
    request: { headers: ['x-test'], body: { bytes: 100 } },
    response: { headers: logged, body: { bytes: 100 } },
  },
}
const filters = [
  ["name eq 'alpha'", 1],
  ["name ne 'alpha'", 3],
  ["name gt 'beta'", 2],
  ["name ge 'beta'", 3],
  ["name lt 'beta'", 1],
  ["name le 'beta'", 2],
  ["substringof('et',name)", 1],
  ["contains(name,'a')", 4],
  ["startswith(name,'ga')", 1],
  ["endswith(name,'ta')", 1],
] as const

statementsOf('D', ['api-diagnostics', 'braille-translation', 'job-scheduler'], async ({ caller, holds, lines }) => {
  const call = caller('api-diagnostics')
  const local = at('braille-translation', '/local')
  const created = await call('PUT', local, { properties: everything })
  const again = await call('PUT', local, { properties: everything })
  const head = await call('HEAD', local)
  const read = await call('GET', local)
  const etag = head.headers.get('etag')
  const areMade = created.status === 201 && again.status === 200 && head.status === 200
  holds(
    'a diagnostic is made, changed and read with its ETag',
    areMade && etag && etag === read.headers.get('etag'),
    etag,
  )

  await call('PUT', at('job-scheduler', '/local'), { properties: everything })
  await sleep(1_200) // a node caches diagnostics for a second
  const requests = [
    ['braille-translation', '/translate/braille?text=Hello'],
    ['job-scheduler', '/subscriptions/mine/providers/Vendor.Scheduler/jobCollections?api-version=2016-03-01'],
  ] as const
  for (const [service, path] of requests) {
    const mark = `mark-${service}`
    await caller(service)('GET', path, undefined, { 'x-test': mark })
    const line = (await until(async () => lines.find((text) => text.includes(mark)))) ?? ''
    holds(`a request to ${service} is logged with its body`, /translated|value/.test(line), line)
    for (const name of logged) holds(`and with the header ${name} of its answer`, line.includes(name), line)
    holds('and with the address of its caller', line.includes('127.0.0.1'), line)
  }

  const change = { properties: { loggerId: 'other' } }
  holds('PATCH with If-Match is 204', (await call('PATCH', local, change, always)).status === 204)
  holds('with another ETag it is 412', (await call('PATCH', local, change, { 'if-match': '"x"' })).status === 412)
  holds('without one it is 400', (await call('PATCH', local, change)).status === 400)
  for (const name of ['alpha', 'beta', 'gamma'])
    await call('PUT', at('braille-translation', `/${name}`), { properties: { loggerId: name } })
  for (const [filter, count] of filters) {
    const { json, text } = await call('GET', at('braille-translation', `?$filter=${encodeURIComponent(filter)}`))
    holds(`$filter ${filter} finds ${count}`, json.value?.length === count, text)
  }
  const remove = () => call('DELETE', at('braille-translation', '/alpha'), undefined, always)
  holds('DELETE is 200', (await remove()).status === 200)
  holds('and 204 afterwards', (await remove()).status === 204)
})
