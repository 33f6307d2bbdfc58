import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('an error is logged with what it says, not with what libraries hang on it', () => {
  const lines: string[] = []
  const log = createLog({ level: 'error', destination: { write: (line) => lines.push(line) } })
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (token)=(hush) already exists.',
  })
  const error = Object.assign(new Error('a row is there twice', { cause }), { client: { password: 'hush' } })
  log.error({ err: error, service: 'banking' }, 'a job')
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('hush')
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    msg: 'a job',
    service: 'banking',
    err: {
      type: 'Error',
      message: 'a row is there twice',
      stack: expect.stringContaining('log.test.ts'),
      cause: { code: '23505', message: 'duplicate key' },
    },
  })
})
