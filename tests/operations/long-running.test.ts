import { sized, startTestApp, type TestApp } from '@icosa/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Subject, subjects } from './subjects.ts'

// Random calls to long-running operations: their reported status is correct whenever callers act or workers die.
const terminal = ['Succeeded', 'Failed', 'Canceled']
const resources = ['alpha', 'bravo', 'charlie'] as const

interface Operation {
  readonly status: string
  readonly result: string
  /** Status body once it has ended. */
  ended?: string
}

/** A client that checks the contract. */
class Caller {
  readonly operations: Operation[] = []
  readonly #subject: Subject
  readonly #authorization: string
  app: TestApp

  constructor(subject: Subject, app: TestApp, key: string) {
    this.#subject = subject
    this.app = app
    this.#authorization = `Bearer ${key}`
  }

  #send(url: string, method: string, body?: unknown): Promise<Response> {
    const headers = {
      authorization: this.#authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }

  #at(resource: string, action = ''): string {
    const { path, apiVersion } = this.#subject
    const { name } = this.#subject.service()
    return `${this.app.url}/${name}${path(resource)}${action && `/${action}`}?api-version=${apiVersion}`
  }

  async call(resource: string, method: string, body?: unknown, action?: string): Promise<number> {
    const answer = await this.#send(this.#at(resource, action), method, body)
    expect(answer.status, `${method} ${action ?? ''}`).toBeLessThan(500)
    const status = answer.headers.get('azure-asyncoperation')
    if (status === null) return answer.status
    expect([200, 201, 202]).toContain(answer.status)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    const result = answer.headers.get('location') ?? ''
    for (const url of [status, result]) expect(new URL(url).origin).toBe(this.app.url)
    this.operations.push({ status, result })
    return answer.status
  }

  /** Replaces the origin, since a restarted server has another port. */
  #here(url: string): string {
    const { pathname, search } = new URL(url)
    return this.app.url + pathname + search
  }

  async poll(operation: Operation): Promise<string> {
    const answer = await this.#send(this.#here(operation.status), 'GET')
    expect(answer.status).toBe(200)
    const body = (await answer.json()) as {
      status: string
      endTime?: string
      error?: { code: string; message: string }
    }
    const isOver = terminal.includes(body.status)
    expect(body.error !== undefined, 'an error if and only if it failed').toBe(body.status === 'Failed')
    expect(body.endTime !== undefined, 'an end time if and only if it has ended').toBe(isOver)
    if (!isOver) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    const text = JSON.stringify({ ...body, id: undefined })
    if (operation.ended !== undefined) expect(text, 'a terminal state is final').toBe(operation.ended)
    if (isOver) operation.ended = text
    const result = await this.#send(this.#here(operation.result), 'GET')
    const reported = await result.text()
    if (!isOver) {
      expect(result.status).toBeLessThan(500) // it may have ended in between
    } else if (body.status === 'Succeeded') expect([200, 204]).toContain(result.status)
    else {
      expect(result.status).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(reported).error).toMatchObject(body.error ?? { code: 'OperationCanceled' })
    }
    return body.status
  }

  async settled(resource: string): Promise<void> {
    const answer = await this.#send(this.#at(resource), 'GET')
    if (answer.status === 404) return
    expect(answer.status).toBe(200)
    const body = (await answer.json()) as { properties?: Record<string, unknown> }
    expect(this.#subject.settled).toContain(this.#subject.stateOf(body))
  }
}

type Step =
  | { readonly do: 'put' | 'patch' | 'delete'; readonly resource: string }
  | { readonly do: 'act'; readonly resource: string; readonly action: number }
  | { readonly do: 'poll'; readonly which: number }
  | { readonly do: 'work' | 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('put', 'patch', 'delete'), resource: fc.constantFrom(...resources) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('act'), resource: fc.constantFrom(...resources), action: fc.nat(9) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('poll'), which: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('work') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
) as fc.Arbitrary<Step>

async function take(one: Step, subject: Subject, caller: Caller, restart: () => Promise<TestApp>): Promise<void> {
  switch (one.do) {
    case 'put':
      return void (await caller.call(one.resource, 'PUT', subject.put()))
    case 'patch':
      return void (await caller.call(one.resource, 'PATCH', subject.patch()))
    case 'delete':
      return void (await caller.call(one.resource, 'DELETE'))
    case 'act': {
      const action = subject.actions[one.action % Math.max(subject.actions.length, 1)]
      return action === undefined ? undefined : void (await caller.call(one.resource, 'POST', undefined, action))
    }
    case 'poll': {
      const operation = caller.operations[one.which % Math.max(caller.operations.length, 1)]
      return operation && void (await caller.poll(operation))
    }
    case 'work':
      return caller.app.jobs.drain()
    case 'restart':
      caller.app = await restart()
  }
}

describe.each(subjects)('$name', (subject) => {
  const runs = sized(Math.ceil(subject.runs / 3), subject.runs)
  test(`keep the contract of long-running operations over ${runs} random sequences`, async () => {
    let operations = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
        await using first = await startTestApp(subject.service())
        const others: TestApp[] = []
        const caller = new Caller(subject, first, await first.key('acme'))
        // Another node on the same database takes over the jobs that the first has not started.
        const restart = async () => {
          const next = await startTestApp({ services: [subject.service()], databaseUrl: first.databaseUrl })
          others.push(next)
          return next
        }
        try {
          for (const step of steps) await take(step, subject, caller, restart)
          await caller.app.jobs.drain()
          for (const operation of caller.operations) expect(terminal).toContain(await caller.poll(operation))
          for (const resource of resources) await caller.settled(resource)
          operations += caller.operations.length
        } finally {
          await subject.clean?.(first)
          for (const app of others) await app[Symbol.asyncDispose]()
        }
      }),
      { numRuns: runs, seed: Number(process.env.SEED ?? 376) },
    )
    console.log(`${subject.name}: ${operations} operations, all reported correctly`)
    expect(operations).toBeGreaterThan(runs)
  })
})
