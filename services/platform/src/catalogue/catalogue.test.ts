import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { catalogue } from '../contract.ts'
import { platform } from '../index.ts'
import { keyHeader } from '../names.ts'

test('the catalogue lists what the credential may use', async () => {
  await using app = await startTestApp({ services: [platform, example] })
  const as = async (...permissions: string[]) =>
    app.client(catalogue, { headers: { [keyHeader]: await app.key('ada', permissions) } })
  const all = await as('*')
  const { body } = await all.getCatalogue({})
  expect(body.tenant).toBe('ada')
  expect(body.services.map(({ name }) => name)).toEqual(['platform', 'example'])
  expect(body.services[1]?.views).toMatchObject([{ title: 'Notes', group: 'Data' }])

  const { body: whole } = await all.getServiceCatalogue({ params: { service: 'example' } })
  expect(whole.views[0]).toMatchObject({ id: 'listNotes', create: 'createNote', get: 'getNote', delete: 'deleteNote' })
  expect(whole.apis.map(({ authentication }) => authentication.header)).toEqual(['X-Api-Key', 'X-Press-Key'])
  const create = whole.apis[0]?.operations.find(({ id }) => id === 'createNote')
  expect(create).toMatchObject({ method: 'POST', path: '/notes', body: { mediaTypes: ['application/json'] } })
  expect(create?.body?.schema).toMatchObject({ type: 'object', required: ['title', 'text'] })

  const reader = await as('platform:get*', 'example:listNotes')
  const { body: part } = await reader.getServiceCatalogue({ params: { service: 'example' } })
  expect(part.views[0]).toMatchObject({ id: 'listNotes', actions: [] })
  expect(part.views[0]).not.toHaveProperty('create')
  expect(part.apis.flatMap(({ operations }) => operations.map(({ id }) => id))).toEqual(['listNotes'])
  await expect(
    (await as('platform:get*')).getServiceCatalogue({ params: { service: 'example' } }),
  ).rejects.toMatchObject({
    status: 404,
  })
})
