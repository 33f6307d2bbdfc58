import { ApiManagementClient as Client2019 } from '@azure/arm-apimanagement'
import { ApiManagementClient as Client2021 } from '@azure/arm-apimanagement-8'
import { apiDiagnostics } from '@icosa/api-diagnostics'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SdkPlatform, startSdkPlatform } from './support.ts'

let platform: SdkPlatform

beforeAll(async () => {
  platform = await startSdkPlatform(() => [apiDiagnostics])
})
afterAll(() => platform[Symbol.asyncDispose]())

const service = ['group', 'braille-translation'] as const

test('@azure/arm-apimanagement 8.0.0 creates, pages through a filter, patches by ETag and deletes', async () => {
  const { credential, url } = platform
  const { diagnostic } = new Client2021(credential, 'sub-1', { endpoint: `${url}/api-diagnostics` })
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

  await diagnostic.delete(...service, 'local', '*')
  await diagnostic.delete(...service, 'local', '*')
  await expect(diagnostic.get(...service, 'local')).rejects.toMatchObject({ statusCode: 404, code: 'ResourceNotFound' })
  await expect(diagnostic.getEntityTag(...service, 'local')).rejects.toMatchObject({ statusCode: 404 })
})

test('@azure/arm-apimanagement 6.0.0, which wants 204 from PATCH, gets it', async () => {
  const { credential, url } = platform
  // It takes any object with getToken; its type knows only the older kind.
  const { diagnostic } = new Client2019(credential as never, 'sub-1', { baseUri: `${url}/api-diagnostics` })
  const { eTag = '' } = await diagnostic.createOrUpdate(...service, 'older', { loggerId: 'mine' })
  await diagnostic.update(...service, 'older', { loggerId: 'other' }, eTag)
  expect(await diagnostic.get(...service, 'older')).toMatchObject({ loggerId: 'other' })
  const found = await diagnostic.listByService(...service, { filter: "substringof('old',name)" })
  expect(found.map(({ name }) => name)).toEqual(['older'])
  await expect(diagnostic.deleteMethod(...service, 'older', eTag)).rejects.toMatchObject({ statusCode: 412 })
  await diagnostic.deleteMethod(...service, 'older', '*')
})
