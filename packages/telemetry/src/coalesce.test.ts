import { DatabaseUnavailable } from '@icosa/kernel'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createTestLog() {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line).msg) } })
  return { log, lines }
}

test('during an outage, each message is written once in ten seconds, and repetitions are counted', () => {
  const { log, lines } = createTestLog()
  const outage = new DatabaseUnavailable('down')
  for (let time = 0; time < 6; time++) {
    for (let line = 0; line < 1_000; line++) {
      log.error({ err: outage }, 'no connection')
      log.child({ job: `job ${line}` }).warn({ err: outage }, 'the job will be run again')
    }
    vi.advanceTimersByTime(10_000)
  }
  expect(lines.slice(0, 3)).toEqual([
    'no connection',
    'the job will be run again',
    'an outage: ... and 1998 more lines like these in the last 10 s',
  ])
  expect(lines).toHaveLength(18)
})

test('other errors are written every time, including those of other servers', () => {
  const { log, lines } = createTestLog()
  const refused = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:443'), { code: 'ECONNREFUSED' })
  for (const err of [refused, refused, new Error('a fault'), new Error('a fault')]) log.error({ err }, 'job failed')
  log.info('as ever')
  log.info('as ever')
  expect(lines).toEqual(['job failed', 'job failed', 'job failed', 'job failed', 'as ever', 'as ever'])
})
