import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type TestNode, type TestSite } from './testing/site.ts'

let site: TestSite
let node: TestNode
beforeAll(async () => {
  site = await openSite()
  node = await site.node()
})
afterAll(() => site.close())

test('a function answers from zero, with its environment, its query and its body, and again at once', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => {
       console.log('asked for', req.url)
       res.set('x-mine', 'yes').status(201).json({ url: req.url, body: req.body, header: req.get('x-theirs'),
         env: [process.env.K_SERVICE, process.env.K_REVISION, process.env.PORT, process.env.GREETING, process.env.FUNCTION_TARGET] })
     }`,
    { environment: { GREETING: 'hi' } },
  )
  const headers = { 'content-type': 'application/json', 'x-theirs': 'there' }
  const answer = await node.ask(revision, '/a/b?c=d', { headers, body: '{"n":1}' })
  expect(answer).toMatchObject({ status: 201, headers: { 'x-mine': 'yes' } })
  const name = revision.function.split('/').at(-1)
  expect(JSON.parse(answer.body)).toEqual({
    url: '/a/b?c=d',
    body: { n: 1 },
    header: 'there',
    env: [name, revision.id, '8080', 'hi', 'main'],
  })
  expect(node.instances.running(revision.id)).toBe(1)
  await node.ask(revision, '/again')
  expect(node.instances.running(revision.id)).toBe(1)
  await expect.poll(() => node.log(revision)).toContain('asked for /again')
  const line = node.lines.find(({ text }) => text === 'asked for /a/b?c=d')
  expect(line).toMatchObject({ stream: 'stdout', invocation: expect.stringMatching(/^[0-9a-f]{12}$/) })
  expect(node.errors).toEqual([])
})
