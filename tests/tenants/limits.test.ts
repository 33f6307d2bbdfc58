import { operating } from '@icosa/platform'
import { setLimit } from '@icosa/platform/limits'
import { credentialsFor, startTestApp, type TestApp, testServerUrl } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { seeds } from '../seeds.ts'

/** Status and code of the original with which each service refuses creation at the limit. */
const refusals: Readonly<Record<string, readonly [number, string]>> = {
  'configuration-stores': [403, 'QuotaExceeded'],
  'hardware-security-modules': [403, 'QuotaExceeded'],
  'sql-databases': [403, 'QuotaExceeded'],
  'sql-virtual-machines': [403, 'QuotaExceeded'],
  'job-scheduler': [403, 'QuotaExceeded'],
  functions: [429, 'RESOURCE_EXHAUSTED'],
  'voice-messaging': [412, 'LimitExceededException'],
  'resource-groups': [400, 'BadRequestException'],
  'event-detection': [410, 'LimitExceededException'],
  backup: [400, 'LimitExceededException'],
  'contribution-collection': [403, 'message'],
}

const services = (await allServices({ databaseUrl: testServerUrl })).filter(({ name }) => name in refusals)
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ services: [...services, operating] })
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(services.map((service) => [service.name, service] as const))('%s enforces limits', async (name, service) => {
  const { database } = app.platform
  await setLimit(database, { tenant: 'ada', service: name, kind: 'resources', amount: 0 })
  const refused: { status: number; text: string }[] = []
  const recording: typeof fetch = async (...request) => {
    const answer = await (target.fetch ?? fetch)(...request)
    const text = await answer.clone().text()
    if (answer.status >= 400)
      refused.push({ status: answer.status, text: `${answer.headers.get('x-amzn-errortype')} ${text}` })
    return answer
  }
  const target = await credentialsFor(app, service, 'ada')
  await seeds[name]?.({ ...target, fetch: recording }, app).catch(() => {})
  const [status, code] = refusals[name] ?? []
  expect(refused[0]).toEqual({ status, text: expect.stringContaining(code ?? '') })
  expect(refused[0]?.text).toMatch(/limit of 0 resources/)
})
