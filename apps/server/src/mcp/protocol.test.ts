import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serveStdio, type Tool } from './protocol.ts'

const echo: Tool = {
  name: 'echo',
  description: 'Returns its argument.',
  inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
  call: async ({ words }) => {
    if (words === 'fail') throw new Error('It failed.')
    return words
  },
}
const wait: Tool = {
  name: 'wait',
  description: 'Waits until it is cancelled.',
  inputSchema: { type: 'object', properties: {} },
  call: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('cancelled'))),
}

/** Sends lines and returns the messages that come back. */
async function exchange(...lines: readonly (string | object)[]): Promise<unknown[]> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  input.end()
  await serveStdio({ input, output, name: 'test', version: '1', instructions: '', tools: [echo, wait] })
  output.end()
  const answers = (await text(output)).split('\n').filter(Boolean)
  return answers.map((line) => JSON.parse(line))
}

const call = (id: number, name: string, input?: unknown) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } },
})

test('the version of a client is kept if it is supported', async () => {
  const initialize = (id: number, protocolVersion: string) => ({
    id,
    method: 'initialize',
    params: { protocolVersion },
  })
  expect(await exchange(initialize(1, '2025-03-26'), initialize(2, '1999-01-01'))).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-03-26', capabilities: { tools: {} } } },
    { id: 2, result: { protocolVersion: '2025-11-25' } },
  ])
})

test('malformed messages are refused and the next ones answered', async () => {
  const answers = await exchange('{', '[]', 'null', '', { id: 1, method: 'nothing' }, { id: 'two', method: 'ping' })
  expect(answers).toHaveLength(5)
  for (const answer of [
    { id: null, error: { code: -32_700 } },
    { id: null, error: { code: -32_600 } },
    { id: 1, error: { code: -32_601 } },
    { id: 'two', result: {} },
  ])
    expect(answers).toContainEqual(expect.objectContaining({ id: answer.id }))
  expect(answers).toMatchObject([{ error: { code: -32_700 } }, { error: { code: -32_600 } }, {}, {}, {}])
})

test('notifications get no response', async () => {
  expect(await exchange({ method: 'notifications/initialized' }, { id: 7, result: {} })).toEqual([])
})

test('arguments are refused by name, and failures of a tool are its result', async () => {
  const answers = await exchange(
    ...[call(1, 'echo', { words: 'hello' }), call(2, 'echo', { wrods: 'hello' }), call(3, 'echo', {})],
    ...[call(4, 'echo', { words: 'fail' }), call(5, 'ehco', {}), call(6, 'echo', [])],
  )
  const textOf = (id: number) => answers.find((one) => (one as { id: number }).id === id)
  const failure = (words: string) => ({
    result: { isError: true, content: [{ text: expect.stringContaining(words) }] },
  })
  expect(textOf(1)).toMatchObject({ result: { content: [{ type: 'text', text: 'hello' }] } })
  expect(textOf(2)).toMatchObject(failure("no argument 'wrods'. Did you mean 'words'?"))
  expect(textOf(3)).toMatchObject(failure("'words' is missing"))
  expect(textOf(4)).toMatchObject(failure('It failed.'))
  expect(textOf(5)).toMatchObject({ error: { code: -32_602, message: expect.stringContaining("'echo'") } })
  expect(textOf(6)).toMatchObject(failure('object'))
})

test('a cancelled call gets no response', async () => {
  const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } }
  expect(await exchange(call(1, 'wait'), cancel, call(2, 'echo', { words: 'on' }))).toMatchObject([{ id: 2 }])
})
