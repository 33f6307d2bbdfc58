import { ApiManagementClient as Client6 } from '@azure/arm-apimanagement'
import { ApiManagementClient as Client5 } from '@azure/arm-apimanagement-5'
import { ApiManagementClient as Client8 } from '@azure/arm-apimanagement-8'
import { ApiManagementClient as Client10 } from '@azure/arm-apimanagement-10'
import { apiDiagnostics } from '@icosa/api-diagnostics'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SdkPlatform, startSdkPlatform } from './support.ts'

let platform: SdkPlatform

beforeAll(async () => {
  platform = await startSdkPlatform(() => [apiDiagnostics])
})
afterAll(() => platform[Symbol.asyncDispose]())

const subscription = '5f1c1a2e-6d0b-4c53-8f4e-1f4a2d1b7c90' // the newest client accepts only UUIDs
const service = ['group', 'braille-translation'] as const

// Over TLS only: these clients send tokens over nothing else.
test.each([
  ['8.0.0', Client8],
  ['10.0.0', Client10 as unknown as typeof Client8],
])('@azure/arm-apimanagement %s creates, pages through a filter, patches by ETag and deletes', async (_, Client) => {
  const { credential, url } = platform
  const { diagnostic } = new Client(credential, subscription, { endpoint: `${url}/api-diagnostics` })
  const created = await diagnostic.createOrUpdate(...service, 'local', {
    loggerId: 'mine',
    alwaysLog: 'allErrors',
    sampling: { samplingType: 'fixed', percentage: 25 },
    frontend: { request: { headers: ['accept'], body: { bytes: 10 } } },
  })
  expect(created).toMatchObject({ name: 'local', sampling: { percentage: 25 }, eTag: expect.stringMatching(/^"/) })
  const etag = created.eTag ?? ''
  expect(await diagnostic.getEntityTag(...service, 'local')).toMatchObject({ eTag: etag })

  const patched = await diagnostic.update(...service, 'local', etag, { logClientIp: true })
  expect(patched).toMatchObject({ logClientIp: true, loggerId: 'mine', sampling: { percentage: 25 } })
  await expect(diagnostic.update(...service, 'local', etag, { logClientIp: false })).rejects.toMatchObject({
    statusCode: 412,
    code: 'PreconditionFailed',
  })

  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1'])
    await diagnostic.createOrUpdate(...service, name, { loggerId: 'x' })
  const names: (string | undefined)[] = []
  const filter = "startswith(name,'a')"
  for await (const { name } of diagnostic.listByService(...service, { filter, top: 2, skip: 1 })) names.push(name)
  expect(names).toEqual(['a2', 'a3', 'a4'])
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await diagnostic.delete(...service, name, '*')

  await diagnostic.delete(...service, 'local', '*')
  await diagnostic.delete(...service, 'local', '*')
  await expect(diagnostic.get(...service, 'local')).rejects.toMatchObject({ statusCode: 404, code: 'ResourceNotFound' })
  await expect(diagnostic.getEntityTag(...service, 'local')).rejects.toMatchObject({ statusCode: 404 })
})

const older = Client5 as unknown as typeof Client6

test.each([
  ['5.1.0', 'http', older],
  ['5.1.0', 'https', older],
  ['6.0.0', 'http', Client6],
  ['6.0.0', 'https', Client6],
] as const)('@azure/arm-apimanagement %s over %s gets the expected 204 from PATCH', async (_, scheme, Client) => {
  // The client accepts any object with getToken; its type declares only the older kind.
  const { diagnostic } = new Client(platform.credential as never, subscription, {
    baseUri: `${platform.at(scheme)}/api-diagnostics`,
  })
  const { eTag = '' } = await diagnostic.createOrUpdate(...service, 'older', { loggerId: 'mine' })
  await diagnostic.update(...service, 'older', { loggerId: 'other' }, eTag)
  expect(await diagnostic.get(...service, 'older')).toMatchObject({ loggerId: 'other' })
  const diagnostics = await diagnostic.listByService(...service, { filter: "substringof('old',name)" })
  expect(diagnostics.map(({ name }) => name)).toEqual(['older'])
  await expect(diagnostic.deleteMethod(...service, 'older', eTag)).rejects.toMatchObject({ statusCode: 412 })
  await diagnostic.deleteMethod(...service, 'older', '*')
})
