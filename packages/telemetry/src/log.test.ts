import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('logs the known properties of an error, not those attached by libraries', () => {
  const lines: string[] = []
  const log = createLog({ level: 'error', destination: { write: (line) => lines.push(line) } })
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (token)=(hush) already exists.',
  })
  const error = Object.assign(new Error('a row is duplicated', { cause }), { client: { password: 'hush' } })
  log.error({ err: error, service: 'banking' }, 'a job')
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('hush')
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    msg: 'a job',
    service: 'banking',
    err: {
      type: 'Error',
      message: 'a row is duplicated',
      stack: expect.stringContaining('log.test.ts'),
      cause: { code: '23505', message: 'duplicate key' },
    },
  })
})

const linesOf = (log: (log: ReturnType<typeof createLog>) => void) => {
  const lines: string[] = []
  log(createLog({ level: 'info', destination: { write: (line) => lines.push(line) } }))
  return lines
}

test('logs type, message and code of objects that are not errors', () => {
  const [event, plain] = linesOf((log) => {
    log.error({ err: { message: 'gone', code: 'ECONNRESET', password: 'hush' } }, 'first')
    log.error({ err: { reason: 'hush' } }, 'second')
  })
  expect(JSON.parse(event as string).err).toEqual({ type: 'Object', message: 'gone', code: 'ECONNRESET' })
  expect(JSON.parse(plain as string).err).toEqual({ type: 'Object', has: ['reason'] })
})

// Text that a caller or an upstream server may put into a log line.
test.each([
  ['ends of lines', 'a\n{"level":30,"msg":"request","status":200}\r\n'],
  ['escape sequences', '\u001b[2J\u001b[31mred\u009b0m\u0007'],
  ['quotes and JSON', '","level":60,"msg":"forged","x":"'],
  ['separators', 'a\u2028b\u2029c\0d\u202e'],
])('%s in any field stay within one line of JSON', (_, hostile) => {
  const lines = linesOf((log) => {
    log.warn({ err: new Error(hostile), userAgent: hostile, operation: hostile, [hostile]: 1 }, hostile)
    log.child({ job: hostile }).info(hostile)
  })
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line.slice(0, -1)).not.toMatch(/\r|\n/)
  expect(JSON.parse(lines[0] as string)).toMatchObject({ level: 40, msg: hostile, userAgent: hostile })
  expect(JSON.parse(lines[1] as string)).toMatchObject({ level: 30, job: hostile })
})
