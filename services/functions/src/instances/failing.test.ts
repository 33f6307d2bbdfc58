import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { children } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { openSite, quickRuntime, type TestNode, type TestSite } from './testing/site.ts'

let site: TestSite
let node: TestNode
beforeAll(async () => {
  site = await openSite()
  node = await site.node()
})
afterAll(() => site.close())

const refusalOf = async (revision: Revision, { instances } = node) => {
  const failure = await instances.warm(revision).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'invalid' })
  return (failure as Error).message
}

test('a function that cannot start reports why, with its output', async () => {
  const python = { runtime: 'python311' }
  const cases: [Revision, RegExp][] = [
    [
      site.revision('exports.hello = () => {}'),
      /cannot be started.*entry point 'main' is neither exported.*exported: hello/s,
    ],
    [site.revision('exports.main = 5'), /'main' is a number, not a function/],
    [site.revision('exports.main = (a, b => {}'), /index\.js cannot be loaded[\s\S]*SyntaxError/],
    [site.revision(`require('left-pad')`), /Cannot find module 'left-pad'/],
    [site.revision({ 'other.js': '' }), /no index\.js, index\.ts or function\.js/],
    [
      site.revision({ 'package.json': '{"main":"src/x.js"}' }),
      /'src\/x\.js', the main file of package\.json, does not exist/,
    ],
    [site.revision(`console.log('so far'); throw new Error('no database')`), /so far[\s\S]*no database/],
    [site.revision('process.exit(7)'), /ended with code 7/],
    [site.revision('def hello(request): pass', python), /'main' is not defined in main\.py; defined: hello/],
    [site.revision('def main(:', python), /main\.py cannot be loaded[\s\S]*line 1[\s\S]*SyntaxError/],
    [site.revision('import numpie', python), /No module named 'numpie'/],
  ]
  const messages = await Promise.all(cases.map(([revision]) => refusalOf(revision)))
  for (const [index, [, expected]] of cases.entries()) expect(messages[index]).toMatch(expected)
  const hasty = await site.node({ limits: { startMs: 1_000 } })
  expect(await refusalOf(site.revision('while (true) {}'), hasty)).toMatch(/did not listen within 1 s/)
  await expect(node.instances.warm(site.revision('', { runtime: 'cobol' }))).rejects.toThrow(/no runtime 'cobol'/)
})

test('callers of a function that cannot start get 500 without its log, and starts back off', async () => {
  const revision = site.revision(`console.error('the password is hush'); process.exit(1)`)
  const first = await node.ask(revision)
  expect(first).toMatchObject({ status: 500, body: 'The function cannot be started: its log says why.\n' })
  expect(node.log(revision)).toContain('the password is hush')
  const starts = () =>
    node.lines.filter(({ revision: { id }, text }) => id === revision.id && /^the pass/.test(text)).length
  const before = starts()
  const more = await Promise.all(Array.from({ length: 20 }, () => node.ask(revision)))
  expect(more.every(({ status }) => status === 500)).toBe(true)
  expect(starts() - before, 'of 20').toBeLessThan(10)
})

const trouble = `const id = Math.random().toString(36)
  exports.main = (req, res) => {
    if (req.path === '/never') return
    if (req.path === '/spin') for (;;) {}
    if (req.path === '/exit') process.kill(process.pid, 'SIGKILL')
    if (req.path === '/throw') throw new Error('on purpose')
    if (req.path === '/later') return setTimeout(() => { throw new Error('out of nowhere') }, 10)
    if (req.path === '/half') { res.write('half'); return setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100) }
    res.send(id)
  }`

test('a request that times out is ended, with its instance if that has no other', async () => {
  const revision = site.revision(trouble, { timeoutMs: 1_500 })
  const { body: id } = await node.ask(revision)
  expect(await node.ask(revision, '/never')).toMatchObject({
    status: 504,
    body: 'The function did not respond within its 1.5 s.\n',
  })
  const { status, body } = await node.ask(revision)
  expect(status).toBe(200)
  expect(body).not.toBe(id)
})

test('after a timeout an instance with other requests stays if it passes the liveness probe', async () => {
  const revision = site.revision(trouble, { timeoutMs: 1_500, concurrency: 4, maxInstances: 1 })
  const { body: id } = await node.ask(revision)
  const [late, fine] = await Promise.all([node.ask(revision, '/never'), node.ask(revision)])
  expect([late.status, fine.status]).toEqual([504, 200])
  expect((await node.ask(revision)).body).toBe(id)
  expect((await node.ask(revision, '/spin')).status).toBe(504)
  const { status, body } = await node.ask(revision)
  expect(status).toBe(200)
  expect(body).not.toBe(id)
})

test('an instance that dies takes only its own requests with it', async () => {
  const revision = site.revision(trouble, { concurrency: 2 })
  const { body: id } = await node.ask(revision)
  const others = site.revision(`exports.main = (req, res) => setTimeout(() => res.send('fine'), 500)`)
  await node.ask(others)
  const [dead, fine] = await Promise.all([node.ask(revision, '/exit'), node.ask(others)])
  expect(dead).toMatchObject({ status: 502, body: expect.stringContaining('exited before it responded') })
  expect(fine.body).toBe('fine')
  const after = await node.ask(revision)
  expect(after.status).toBe(200)
  expect(after.body).not.toBe(id)
  await expect(node.ask(revision, '/half'), 'an incomplete response is an error').rejects.toThrow()
  expect((await node.ask(revision, '/throw')).status).toBe(500)
  expect([500, 502]).toContain((await node.ask(revision, '/later')).status)
  expect((await node.ask(revision)).status).toBe(200)
})

test('the next node ends what a killed node left, and its leases expire', async () => {
  await using started = children()
  const revision = site.revision(`exports.main = (req, res) => res.send('up')`, { maxInstances: 1 })
  const killed = started.add(
    fork(new URL('./testing/node.ts', import.meta.url), [
      site.databaseUrl,
      site.folder,
      quickRuntime,
      JSON.stringify(revision),
    ]),
  )
  expect(await once(killed, 'message')).toEqual([{ status: 200, body: 'up' }, undefined])
  const state = join(site.folder, 'sandbox')
  const programs = () =>
    readdirSync(state).flatMap((owner) => (owner.includes('.') ? [] : readdirSync(join(state, owner))))
  const before = programs()
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await site.database.run(sql`
    insert into functions.instances (tenant, revision, id, node, expires_at)
    values ('acme', 'expired', gen_random_uuid(), 'gone', now() - interval '1 hour')`)
  const next = await site.node()
  expect(await site.database.maybe(sql`select 1 from functions.instances where revision = 'expired'`)).toBeUndefined()
  const after = programs()
  const removed = before.filter((id) => !after.includes(id))
  expect(removed.length).toBeGreaterThan(0)
  expect(removed.filter(isRunning)).toEqual([])
  const answer = next.ask(revision)
  const waits = () => site.database.many(sql`select 1 from functions.instance_waits where revision = ${revision.id}`)
  await expect.poll(waits, { message: 'the killed node still has the only lease' }).toHaveLength(1)
  await site.database.run(sql`
    update functions.instances set expires_at = now() - interval '1 second' where revision = ${revision.id}`)
  expect((await answer).body, 'an instance starts once the lease has expired').toBe('up')
})

const isRunning = (id: string) =>
  readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(id)
    } catch {
      return false // it ended meanwhile
    }
  })
