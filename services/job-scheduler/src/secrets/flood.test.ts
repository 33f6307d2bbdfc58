import type { RequestFailed } from '@icosa/client'
import { expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'
import { makeCertificate } from '../testing/certified-receiver.ts'

const floods = 60

/** Durations, longest first. */
const longestFirst = (times: readonly number[]) => times.toSorted((a, b) => b - a)

test(`${floods} requests of one tenant with certificates that take hours to open do not affect another`, async () => {
  await using app = await start()
  // Its number of hash iterations makes opening it take longer than any deadline.
  const slow = await makeCertificate('slow', ['-macalg', 'sha256', '-iter', '3000000', '-maciter'])
  const evil = await callersOf(app, 'evil')
  const acme = await callersOf(app, 'acme')
  const acmeParams = { ...nightly, subscriptionId: 'sub-2' }
  await evil.collections.createOrUpdate({ params: nightly, body: {} })
  await acme.collections.createOrUpdate({ params: acmeParams, body: {} })

  const measure = async () => {
    const began = performance.now()
    expect((await acme.collections.get({ params: acmeParams })).status).toBe(200)
    return performance.now() - began
  }
  const quiet: number[] = []
  for (let n = 0; n < 50; n++) quiet.push(await measure())

  const authentication = { type: 'ClientCertificate', pfx: slow.pfx, password: slow.password }
  const action = request('https://example.com', { authentication })
  const responses: Promise<number>[] = Array.from({ length: floods }, (_, n) =>
    evil.jobs
      .createOrUpdate({ params: at(`job-${n}`), body: { properties: { action: { ...action, errorAction: action } } } })
      .then(
        ({ status }) => status,
        (error: RequestFailed) => {
          if (error.status === 503) expect(error.headers.get('retry-after')).toBeTruthy()
          return error.status
        },
      ),
  )
  let flooding = true
  const ended = Promise.all(responses).finally(() => {
    flooding = false
  })
  const during: number[] = []
  while (flooding) during.push(await measure())
  const statuses = await ended

  const [[slowestQuiet = 0], [slowest = 0]] = [longestFirst(quiet), longestFirst(during)]
  const median = (times: readonly number[]) => longestFirst(times)[Math.floor(times.length / 2)] ?? 0
  console.log(
    `${floods} slow certificates: another tenant's GET took ${median(during).toFixed(1)} ms (quiet ${median(quiet).toFixed(1)}), ` +
      `at most ${slowest.toFixed(0)} ms (quiet ${slowestQuiet.toFixed(0)}); ${during.length} answered meanwhile; ` +
      `the flood got ${[...new Set(statuses)].map((status) => `${statuses.filter((other) => other === status).length} x ${status}`)}`,
  )
  expect([...new Set(statuses)].sort()).toEqual([400, 503])
  expect(during.length).toBeGreaterThan(20)
  expect(slowest, 'a fraction of the time for one certificate').toBeLessThan(1_000)
  expect((await evil.jobs.list({ params: nightly })).body.value, 'nothing was stored').toEqual([])
})
