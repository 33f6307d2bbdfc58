import { createKey } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'

const tenants = 100
const rounds = process.env.NIGHTLY ? 50 : 3
let app: TestApp
let keys: readonly string[]
const agent = new Agent({ connections: 200 })

beforeAll(async () => {
  app = await startTestApp({ services: [example] })
  const { database, clock } = app.platform
  const create = (_: unknown, number: number) =>
    createKey(database, clock, { tenant: `tenant-${number}`, name: 'load', permissions: ['*'] })
  keys = (await Promise.all(Array.from({ length: tenants }, create))).map(({ key }) => key)
})
afterAll(async () => {
  await agent.close()
  await app[Symbol.asyncDispose]()
})

async function ask(key: string, method: 'GET' | 'POST', path: string, body?: object) {
  const answer = await request(`${app.url}/example${path}`, {
    dispatcher: agent,
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  })
  return { status: answer.statusCode, text: await answer.body.text() }
}

test('each of a hundred tenants gets its fair share, though one has fifty callers, and sees only its own rows', async () => {
  const notes: string[] = []
  const answers = new Array<number>(tenants).fill(0)
  const wrong: string[] = []
  let isOver = false

  /** Creates, reads and lists its own notes, and tries to read those of others, until the slowest tenant is done. */
  async function caller(number: number, until: () => boolean): Promise<void> {
    const key = keys[number] as string
    while (!until()) {
      const created = await ask(key, 'POST', '/notes', { title: `of ${number}`, text: '' })
      if (created.status === 429 || created.status === 503) continue // the tenant's own share is exhausted
      const { id } = JSON.parse(created.text) as { id: string }
      notes.push(id)
      const own = await ask(key, 'GET', `/notes/${id}`)
      const other = notes[Math.floor(Math.random() * notes.length)] as string
      const looked = await ask(key, 'GET', `/notes/${other}`)
      const listed = await ask(key, 'GET', '/notes')
      answers[number] = (answers[number] ?? 0) + 4
      if (own.status === 200 && !own.text.includes(`of ${number}"`)) wrong.push(own.text)
      if (looked.status === 200 && !looked.text.includes(`of ${number}"`)) wrong.push(looked.text)
      for (const [, title] of listed.text.matchAll(/"title":"of (\d+)"/g))
        if (title !== String(number)) wrong.push(`${number} saw a note of ${title}`)
      const failed = [own, looked, listed].filter(({ status }) => status >= 500 && status !== 503)
      wrong.push(...failed.map(({ text }) => text))
    }
  }

  const greedy = Array.from({ length: 50 }, () => caller(0, () => isOver))
  const modest = answers.slice(1).map((_, index) => {
    const number = index + 1
    return caller(number, () => answers.slice(1).every((count) => count >= 4 * rounds))
  })
  await Promise.all(modest)
  isOver = true
  await Promise.all(greedy)
  const counts = answers.slice(1)
  const [least = 0, median = 0, most = 0] = [0, 49, 98].map((place) => counts.toSorted((a, b) => a - b)[place])
  console.log(
    `99 tenants with one caller each: ${least} to ${most} answers, median ${median}; one with fifty callers: ${answers[0]}`,
  )
  expect(wrong).toEqual([])
  expect(least, 'answers of the slowest tenant').toBeGreaterThan(median / 3)
})
