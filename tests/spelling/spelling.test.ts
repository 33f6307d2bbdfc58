import { request } from '@icosa/client'
import type { Operation } from '@icosa/contract'
import { credentialsFor, startTestApp, type TestApp } from '@icosa/testing'
import { describe, expect, test } from 'vitest'
import { type Subject, subjects } from './subjects.ts'

// Writes text that contains the namespace into every free-text field: it is returned unchanged in both spellings, while
// ids and types have the spelling of the request.

interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: unknown
  readonly pattern?: string
  readonly format?: string
}

/** Paths of free-text fields: `tags/*`, `properties/loggerId`. */
function textsOf(schema: JsonSchema, at: readonly string[] = []): string[] {
  const { type, properties = {}, additionalProperties, items, anyOf = [] } = schema
  if (type === 'string' && !schema.enum && !schema.pattern && !schema.format && !('x-icosa-namespaced' in schema))
    return [at.join('/')]
  return [
    ...Object.entries(properties).flatMap(([name, one]) => textsOf(one, [...at, name])),
    ...(additionalProperties ? textsOf(additionalProperties, [...at, '*']) : []),
    ...(items ? textsOf(items, [...at, '0']) : []),
    ...anyOf.flatMap((one) => textsOf(one, at)),
  ]
}

/** Copies a body, with a text at a path. */
function withText(body: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text
  if (name === '0') return [withText(undefined, rest, text)]
  const before = Object(body)
  return { ...before, [name]: withText(before[name], rest, text) }
}

/** Value at a path. */
const found = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], body)

/** Whether a body has the part that the path is in, such as a request instead of a message. */
const suits = (body: object, path: readonly string[]) => path.length < 4 || found(body, path.slice(0, 3)) !== undefined

/** Normalizes the namespace in ids and types, which depends on the spelling of the request. */
function neutral(body: unknown, [ours, theirs]: Subject['namespaces']): unknown {
  if (Array.isArray(body)) return body.map((one) => neutral(one, [ours, theirs]))
  const { id, type, value, ...rest } = body as { id?: string; type?: string; value?: unknown[] }
  const back = (text: string) => text.replace(`${theirs}/`, `${ours}/`)
  return {
    ...rest,
    ...(id !== undefined && { id: back(id) }),
    ...(type !== undefined && { type: back(type) }),
    ...(value !== undefined && { value: neutral(value, [ours, theirs]) }),
  }
}

function callerOf(app: TestApp, subject: Subject, headers: Readonly<Record<string, string>>) {
  const target = { baseUrl: `${app.url}/${subject.service.name}`, headers, query: { 'api-version': subject.version } }
  return async (operation: Operation, namespace: string, own: string, body?: unknown) => {
    const path = operation.path.replace(subject.namespaces[0], namespace)
    const params = { ...subject.params, [subject.own]: own }
    const answer = await request({ ...operation, path }, target, { params, ...(body !== undefined && { body }) })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

type Call = ReturnType<typeof callerOf>

/** Writes a body in one spelling, reads it in both and returns the value at the path, if any. */
async function writtenAndRead(call: Call, subject: Subject, own: string, body: unknown, path: readonly string[]) {
  const [ours, theirs] = subject.namespaces
  const [asked, other] = /[13579]$/.test(own) ? [theirs, ours] : [ours, theirs]
  const sent = await call(subject.put, asked, own, body)
  if (sent.status >= 300) return undefined
  const [read, respelled] = [await call(subject.get, asked, own), await call(subject.get, other, own)]
  expect([read.status, respelled.status]).toEqual([200, 200])
  expect(neutral(respelled.body, subject.namespaces)).toEqual(neutral(read.body, subject.namespaces))
  expect([read, respelled].map((one) => one.body.type.split('/', 1)[0])).toEqual([asked, other])
  const shown = [sent, read, respelled].flatMap((one) => found(one.body, path) ?? [])
  expect(new Set(shown).size, `${path.join('/')}: ${shown}`).toBeLessThan(2)
  return shown[0]
}

describe.each(subjects)('$name', (subject) => {
  test('free text is returned unchanged, and ids and types have the spelling of the request', async () => {
    await using app = await startTestApp(subject.service)
    const { headers = {} } = await credentialsFor(app, subject.service, 'acme')
    const call = callerOf(app, subject, headers)
    const [ours, theirs] = subject.namespaces
    if (subject.first) {
      expect((await call(subject.first.put, ours, '', subject.first.body)).status).toBeLessThan(300)
      await app.jobs.drain()
    }
    const id = `/subscriptions/mine/resourceGroups/g/providers/${ours}/things/x`
    const texts = [`we use ${ours} here, not ${theirs}`, `${ours}/things`, id]
    const stored = new Set<string>()
    let number = 0
    for (const place of textsOf(subject.put.body as JsonSchema)) {
      const path = place.split('/').map((name) => (name === '*' ? ours : name)) // map keys are free text, too
      const bodies = subject.bodies.filter((body) => suits(body, path))
      for (const text of texts) {
        for (const body of bodies) {
          const own = `name-${number++}`
          const shown = await writtenAndRead(call, subject, own, withText(body, path, text), path)
          if (shown !== text) continue // refused, secret, or normalized
          stored.add(place)
          break
        }
      }
    }
    const [list, respelled] = [await call(subject.list, ours, ''), await call(subject.list, theirs, '')]
    expect(list.status).toBe(200)
    expect(list.body.value.length).toBeGreaterThan(0)
    const { nextLink: _, ...page } = neutral(respelled.body, subject.namespaces) as { nextLink?: string }
    expect(page).toEqual({ value: (neutral(list.body, subject.namespaces) as { value: unknown }).value })
    console.log(`${subject.name}: ${number} requests, kept ${[...stored].join(' ')}`)
    expect([...stored]).toEqual(expect.arrayContaining([...subject.kept]))
  })
})
