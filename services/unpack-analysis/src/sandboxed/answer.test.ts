import { expect, test } from 'vitest'
import { frameOf } from '../engine/frame.ts'
import type { Report } from '../engine/report.ts'
import { runEngine } from './answer.ts'

const unpacked = Buffer.from('a program')
const report = { packer: 'UPX', after: { size: unpacked.length } } as unknown as Report
const frame = frameOf({ report, unpacked })
const empty = Buffer.alloc(0)
const crash = { ended: 'exit', code: 134, stdout: empty, stderr: Buffer.from('Native stack trace') } as const

async function answerOfRuns(...stdouts: Buffer[]) {
  const errors: unknown[] = []
  let count = 0
  const run = async () => ({ ...crash, stdout: stdouts[count++] ?? empty })
  const answer = await runEngine(run, (error) => errors.push(error)).catch((error: Error) => error.message)
  return { answer, count, errors: errors.length }
}

test('a crashed emulator is run once more, and a second crash is reported', async () => {
  expect(await answerOfRuns(empty, frame)).toEqual({ answer: { report, unpacked }, count: 2, errors: 1 })
  expect(await answerOfRuns(empty, empty, frame)).toMatchObject({
    answer: expect.stringContaining('twice'),
    count: 2,
    errors: 2,
  })
})

test('a complete answer counts, however the emulator ended after it', async () => {
  expect(await answerOfRuns(frame)).toEqual({ answer: { report, unpacked }, count: 1, errors: 0 })
  expect(await answerOfRuns(frame.subarray(0, -1), frame)).toMatchObject({ count: 2, errors: 1 })
  expect(await answerOfRuns(frameOf({ malformed: 'no program' }))).toMatchObject({ answer: 'no program', count: 1 })
})
