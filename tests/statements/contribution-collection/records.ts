import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual as same } from 'node:util'
import { type Node, until } from '../statements.ts'
import {
  eventTypes,
  fieldsIn,
  idsIn,
  isRefused,
  type Json,
  listed,
  type People,
  type Person,
  paged,
  password,
  published,
} from './people.ts'

export async function users({ holds }: Node, { key, ada, bob, eve }: People): Promise<void> {
  const { json: one } = await ada.post('/assignments', { name: 'Users' })
  const { json: two } = await ada.post('/assignments', { name: 'More users' })
  const send = (by: Person, assignment: Json, country: string) =>
    published(by, ada, { assignment: { id: assignment.id }, headline: 'Sent', place: { country } })
  await send(bob, one, 'GB')
  await send(bob, one, 'GB')
  await send(eve, one, 'NO')
  await send(eve, two, 'NO')
  const profile = {
    ...{ id: '77', name: 'Bob T', bio: 'b', email: 'b@site.example', picture: 'https://site.example/p.png' },
    ...{ profile: 'https://site.example/b', registered: '2020-01-01T00:00:00.000Z' },
  }
  const linked = await key.ask('PUT', `/users/${bob.id}/linked/site`, profile)
  holds('PUT /users/{id}/linked/{type} keeps a profile', same(linked.json, profile), linked.text)
  holds('GET /users/{id}/linked/{type}', same((await key.get(`/users/${bob.id}/linked/site`)).json, profile))
  holds('a linked profile that is not there is 404', isRefused(await key.get(`/users/${bob.id}/linked/zzz`), 404))
  const filters: Record<string, string[]> = {
    [`assignment=${one.id}`]: [bob.id, eve.id],
    [`assignment=${two.id}`]: [eve.id],
    [`country=GB&assignment=${one.id}`]: [bob.id],
    [`minimumContributions=2&assignment=${one.id}`]: [bob.id],
    'minimumContributions=99': [],
    'username=ada': [ada.id],
    'linkedProfile=site': [bob.id],
    'submittedAfter=2095-01-01T00:00:00Z': [],
    'submittedBefore=2020-01-01': [],
    [`ownedBy=${bob.id}`]: [],
  }
  for (const [query, expected] of Object.entries(filters)) await listed(holds, key, `/users?${query}`, expected)
  await paged(holds, key, `/users?assignment=${one.id}`, [bob.id, eve.id])
  const { json } = await key.get(`/users/${bob.id}`)
  holds('GET /users/{id}', json?.username === 'bob' && json.displayName === 'BOB' && Date.parse(json.registered), json)
  holds('GET /users/{id} of none is 404', isRefused(await key.get('/users/user_zzz'), 404))
  holds('users are made by the tenant', isRefused(await ada.post('/users', { username: 'made', password }), 403))
}

const field = { name: 'age', label: 'Age', type: 'number', required: true, public: false, description: 'Your age' }
const choice = {
  name: 'colour',
  label: 'Colour',
  type: 'select',
  options: ['red', 'blue'],
  required: false,
  public: true,
}

export async function forms({ holds }: Node, { ada, bob, eve }: People): Promise<void> {
  const { json: tag } = await ada.post('/tags', { name: 'Formal' })
  const texts = {
    ...{
      name: 'Details',
      heading: 'Tell us',
      callToAction: 'Please',
      cssUrl: 'https://site.example/a.css',
      noCss: true,
    },
  }
  const created = await ada.post('/forms', { ...texts, tags: [{ id: tag.id }], fields: [field, choice] })
  const form = created.json
  holds('POST /forms is 200', created.status === 200 && form?.id, created.text)
  for (const [name, value] of Object.entries(texts)) holds(`a form keeps its ${name}`, form?.[name] === value, form)
  holds('a form keeps its fields', same(form?.fields, [field, choice]), form?.fields)
  holds('a form has an owner', form?.ownedBy === ada.id, form)
  holds('a form shows its tags', same(form?.tags, [tag]), form)
  holds('GET /forms/{id}', same((await ada.get(`/forms/${form.id}`)).json, form))
  holds('GET /forms/{id} of none is 404', isRefused(await ada.get('/forms/99999'), 404))
  holds('GET /forms without ownedBy is 400', isRefused(await ada.get('/forms'), 400, 'ownedBy'))
  const { json: other } = await ada.post('/forms', {})
  await listed(holds, ada, `/forms?ownedBy=${ada.id}`, [form.id, other.id])
  await paged(holds, ada, `/forms?ownedBy=${ada.id}`, [form.id, other.id])
  const nameless = await ada.post('/forms', { fields: [{ label: 'x' }] })
  holds('a field needs a name', nameless.status === 400 && fieldsIn(nameless).length > 0, nameless.text)
  const optionless = await ada.post('/forms', { fields: [{ name: 'x', type: 'select' }] })
  holds('a choice needs options', isRefused(optionless, 400, 'fields/0/options'), optionless.text)

  const { json: assignment } = await ada.post('/assignments', { name: 'Forms' })
  const contribution = await published(bob, ada, { assignment: { id: assignment.id }, headline: 'With a form' })
  const answers = { form: form.id, contribution: contribution.id, responses: { age: '42', colour: 'red' } }
  const saved = await bob.post('/form-responses', answers)
  const response = saved.json
  const { id, date, ...rest } = response ?? {}
  holds('POST /form-responses is 200 and keeps all', same(rest, { ...answers, user: bob.id }), saved.text)
  holds('a form response has an id and a date', id && Date.parse(date) > 0, saved.text)
  const wrong: Record<string, Json> = {
    'responses/age': { ...answers, responses: { colour: 'red' } },
    'responses/colour': { ...answers, responses: { age: '1', colour: 'green' } },
    'responses/other': { ...answers, responses: { age: '1', other: 'x' } },
    form: { ...answers, form: '99999' },
    contribution: { ...answers, contribution: '99999' },
  }
  for (const [name, body] of Object.entries(wrong)) {
    const refused = await bob.post('/form-responses', body)
    holds(`a form response with a wrong ${name} is 400`, isRefused(refused, 400, name), refused.text)
  }
  const { json: second } = await eve.post('/form-responses', { form: form.id, responses: { age: '9' } })
  const lists: Record<string, string[]> = {
    [`user=${bob.id}`]: [id],
    [`form=${form.id}`]: [id, second.id],
    [`contribution=${contribution.id}`]: [id],
    [`user=${eve.id}&contribution=${contribution.id}`]: [],
  }
  for (const [query, expected] of Object.entries(lists)) await listed(holds, ada, `/form-responses?${query}`, expected)
  await paged(holds, ada, `/form-responses?form=${form.id}`, [id, second.id])
  await listed(holds, eve, `/form-responses?form=${form.id}`, [second.id])
  holds('GET /form-responses/{id}', same((await bob.get(`/form-responses/${id}`)).json, response))
  holds('GET /form-responses/{id} of none is 404', isRefused(await bob.get('/form-responses/99999'), 404))
  holds('that of somebody else is 404', isRefused(await eve.get(`/form-responses/${id}`), 404))
  holds('DELETE /forms/{id} by others is 403', isRefused(await bob.ask('DELETE', `/forms/${form.id}`), 403))
  holds('DELETE /forms/{id} of none is 404', isRefused(await ada.ask('DELETE', '/forms/99999'), 404))
  holds('DELETE /forms/{id} is 200', (await ada.ask('DELETE', `/forms/${form.id}`)).status === 200)
  holds('a deleted form is 404', isRefused(await ada.get(`/forms/${form.id}`), 404))
  holds('deleting a form deletes its responses', isRefused(await bob.get(`/form-responses/${id}`), 404))
}

/** Starts a receiver of subscription messages. */
async function receiver() {
  const received: { readonly path: string; readonly body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', body })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, received, [Symbol.dispose]: () => server.close() }
}

export async function subscriptions({ holds }: Node, { ada, bob }: People): Promise<void> {
  using hooks = await receiver()
  const { json: assignment } = await ada.post('/assignments', { name: 'Told of', receiptMessage: 'Thank you so much' })
  const wishes = {
    types: ['contribution-submitted', 'contribution-flagged'],
    includeBody: true,
    includeThumbnail: true,
  }
  const mailed = await ada.post('/subscriptions', { ...wishes, email: 'ada@people.example' })
  const subscription = mailed.json
  holds(
    'a subscription has an id, a token and a user',
    subscription?.token && subscription.user === ada.id,
    mailed.text,
  )
  for (const [name, value] of Object.entries({ ...wishes, email: 'ada@people.example' }))
    holds(`a subscription keeps its ${name}`, same(subscription?.[name], value), subscription)
  const about = { types: ['contribution-submitted'], assignment: assignment.id }
  const chat = { ...about, includeBody: true, slackChannel: `${hooks.url}/chat` }
  const hook = { ...about, includeBody: false, url: `${hooks.url}/hook` }
  const created = [
    subscription,
    (await ada.post('/subscriptions', chat)).json,
    (await ada.post('/subscriptions', hook)).json,
  ]
  await listed(holds, ada, '/subscriptions', idsIn(created))
  await paged(holds, ada, '/subscriptions', idsIn(created))
  await listed(holds, bob, '/subscriptions', [])
  const wrong: Record<string, object> = {
    types: { ...wishes, types: ['nope'], email: 'ada@people.example' },
    email: { ...wishes, email: 'nobody' },
    assignment: { ...wishes, email: 'ada@people.example', assignment: '99999' },
  }
  for (const [name, body] of Object.entries(wrong)) {
    const refused = await ada.post('/subscriptions', body)
    holds(`a subscription with wrong ${name} is 400`, isRefused(refused, 400, name), refused.text)
  }
  holds('a subscription says where to', isRefused(await ada.post('/subscriptions', wishes), 400, 'email'))
  const submission = { assignment: { id: assignment.id }, headline: 'Notify me', body: 'The text of it' }
  const { json: sent } = await bob.post('/contributions', submission)
  const told = (path: string) => until(async () => hooks.received.find((one) => one.path === path))
  const chatted = await told('/chat')
  holds('a chat is told of a contribution, with its text', chatted?.body.includes('The text of it'), chatted)
  const hooked = JSON.parse((await told('/hook'))?.body ?? '{}')
  const isTold = hooked.type === 'contribution-submitted' && hooked.contribution?.id === sent.id
  holds('a webhook is told which contribution', isTold, hooked)
  holds('without its text if nobody wants it', isTold && hooked.contribution.body === undefined, hooked)

  const path = `/subscriptions/${subscription.id}`
  holds('DELETE /subscriptions/{id} by others is 404', isRefused(await bob.ask('DELETE', path), 404))
  holds('DELETE /subscriptions/{id} is 200', (await ada.ask('DELETE', path)).status === 200)
  holds('and then 404', isRefused(await ada.ask('DELETE', path), 404))

  const preview = `/notifications/contributions/${sent.id}/preview`
  holds('a preview needs a message', isRefused(await ada.get(preview), 400, 'message'))
  holds('a preview knows its messages', isRefused(await ada.get(`${preview}?message=zzz`), 400, 'message'))
  for (const message of ['received', 'published', 'rejected', 'more-information', ...eventTypes]) {
    const { status, json, text } = await ada.get(`${preview}?message=${message}`)
    holds(`a preview of ${message} has a subject and HTML`, status === 200 && json.subject && isMailOf(json.html), text)
  }
  const thanks = await ada.get(`${preview}?message=received`)
  holds('a receipt says what the assignment says', thanks.json?.html.includes('Thank you so much'), thanks.text)
  holds('a preview is for moderators', isRefused(await bob.get(`${preview}?message=received`), 403))
  const none = await ada.get('/notifications/contributions/99999/preview?message=received')
  holds('a preview of no contribution is 404', isRefused(none, 404))
}

const isMailOf = (html: string) => html.includes('Notify me') && html.includes('<')
