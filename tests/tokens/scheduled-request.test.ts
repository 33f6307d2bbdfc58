import { identityConnect } from '@icosa/identity-connect'
import { jobScheduler } from '@icosa/job-scheduler'
import { collections, jobs } from '@icosa/job-scheduler/contract'
import { createKey } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'

test('a scheduled request gets its token from the platform itself, and an API accepts it', async () => {
  await using issuer = await startTestApp({ services: [identityConnect(), jobScheduler()] })
  const tokenUrl = `${issuer.url}/{tenant}/oauth2/v2.0/token`
  const services = [jobScheduler({ tokenUrl })]
  await using app = await startTestApp({ services, databaseUrl: issuer.databaseUrl })
  const { database, clock } = issuer.platform
  const { id, key } = await createKey(database, clock, { tenant: 'acme', name: 'nightly', permissions: ['*'] })

  const caller = { headers: { authorization: `Bearer ${await app.key('acme')}` } }
  const query = { 'api-version': '2016-03-01' } as const
  const collection = { subscriptionId: 's', resourceGroupName: 'g', jobCollectionName: 'c' }
  await app.client(collections, caller).createOrUpdate({ params: collection, query, body: {} })
  const put = (jobName: string, secret: string) => {
    const type = 'ActiveDirectoryOAuth' as const
    const authentication = { type, tenant: 'acme', clientId: id, audience: 'urn:icosa', secret }
    const request = { uri: `${issuer.url}/identity-connect/client`, method: 'GET', authentication }
    const action = { type: 'Http', request, retryPolicy: { retryType: 'None' } } as const
    return app
      .client(jobs, caller)
      .createOrUpdate({ params: { ...collection, jobName }, query, body: { properties: { action } } })
  }
  await put('known', key)
  await put('stranger', `${key}x`)
  await app.jobs.drain()
  const history = async (jobName: string) => {
    const { body } = await app.client(jobs, caller).listJobHistory({ params: { ...collection, jobName }, query })
    return body.value.map(({ properties: { status, message } }) => `${status} ${message}`)
  }
  expect(await history('known')).toEqual([expect.stringMatching(/^Completed .*HTTP 200 OK\. \[/)])
  expect(await history('stranger')).toEqual([expect.stringMatching(/^Failed .*HTTP 401 invalid_client/)])
})
