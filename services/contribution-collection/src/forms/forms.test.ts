import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'

let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const fields = [
  { name: 'phone', type: 'telephone', required: true },
  { name: 'age', type: 'number' },
  { name: 'born', type: 'date' },
  { name: 'agree', type: 'checkbox' },
  { name: 'mail', type: 'email' },
  { name: 'site', type: 'url' },
  { name: 'size', type: 'select', options: ['small', 'large'] },
  { name: 'more' },
] as const

test('a form validates responses, and reports each invalid field', async () => {
  const { body: form } = await desk.createForm({
    body: {
      name: 'About you',
      fields: fields.map((field) => ({ ...field, options: [...('options' in field ? field.options : [])] })),
    },
  })
  const good = {
    phone: '+44 20 7946 0000',
    age: '41',
    born: '1985-02-28',
    agree: 'true',
    mail: 'a@b.example',
    site: 'https://a.example',
    size: 'large',
    more: 'anything',
  }
  const { body } = await desk.createFormResponse({ body: { form: form.id, responses: good } })
  expect(body).toMatchObject({ form: form.id, responses: good })
  const bad = {
    age: 'old',
    born: '1985-02-30',
    agree: 'perhaps',
    mail: 'a@b',
    site: 'javascript:alert(1)',
    size: 'huge',
    other: 'x',
  }
  const refusal = await desk.createFormResponse({ body: { form: form.id, responses: bad } }).catch((error) => error)
  const names = (refusal.body as { fields: { name: string }[] }).fields.map(({ name }) =>
    name.replace('responses/', ''),
  )
  expect(names.sort()).toEqual(['age', 'agree', 'born', 'mail', 'other', 'phone', 'site', 'size'])
  await expect(
    desk.createForm({ body: { fields: [{ name: 'a' }, { name: 'a', type: 'radio' }] } }),
  ).rejects.toMatchObject({ status: 400, body: { fields: [{ name: 'fields/1/name' }, { name: 'fields/1/options' }] } })
})

test('responses are visible to their author and the form’s owner, and deleted with the form', async () => {
  const owner = await world.user(desk, 'Form Owner')
  const author = await world.user(desk, 'Author', ['contribute'])
  const other = await world.user(desk, 'Other', ['full'])
  const { body: form } = await owner.ask.createForm({ body: { fields: [{ name: 'secret' }] } })
  const { params } = await approved(desk)
  const responses = { secret: 'mine' }
  const { body } = await author.ask.createFormResponse({ body: { form: form.id, contribution: params.id, responses } })
  expect((await owner.ask.listFormResponses({ query: { form: form.id } })).body).toEqual([body])
  expect((await author.ask.listFormResponses({ query: { user: author.id } })).body).toEqual([body])
  expect((await desk.listFormResponses({ query: { contribution: params.id } })).body).toEqual([body])
  expect((await other.ask.listFormResponses({ query: { form: form.id } })).body).toEqual([])
  await expect(other.ask.getFormResponse({ params: { id: body.id } })).rejects.toMatchObject({ status: 404 })
  await expect(other.ask.deleteForm({ params: { id: form.id } })).rejects.toMatchObject({ status: 403 })
  expect((await desk.listForms({ query: { ownedBy: owner.id } })).body).toMatchObject([
    { id: form.id, ownedBy: owner.id },
  ])
  await owner.ask.deleteForm({ params: { id: form.id } })
  await expect(author.ask.getFormResponse({ params: { id: body.id } })).rejects.toMatchObject({ status: 404 })
})
