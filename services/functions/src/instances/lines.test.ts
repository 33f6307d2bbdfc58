import { expect, test } from 'vitest'
import { type Line, openLines } from './lines.ts'

function printed(...chunks: (string | Buffer)[]): Line[] {
  const emitted: Line[] = []
  const lines = openLines((line) => emitted.push(line))
  for (const chunk of chunks) lines.write(Buffer.from(chunk), 'stdout')
  lines.flush()
  return emitted
}
const texts = (lines: readonly Line[]) => lines.map(({ text }) => text)
const labels = (id: string) => `"logging.googleapis.com/labels":{"execution_id":"${id}"}`

test('lines are reassembled from chunks, including an unterminated last one', () => {
  expect(texts(printed('a', 'b\nc', '\n\n', 'd'))).toEqual(['ab', 'c', 'd'])
  const euro = Buffer.from('€\n')
  expect(texts(printed(euro.subarray(0, 1), euro.subarray(1)))).toEqual(['€'])
})

test('labels of the runner are parsed, and other JSON is kept', () => {
  expect(printed(`{"message":"hi\\n",${labels('7')}}\n`)).toEqual([{ stream: 'stdout', text: 'hi', invocation: '7' }])
  expect(printed(`{"severity":"ERROR","message":"hi",${labels('7')}}\n`)).toEqual([
    { stream: 'stdout', text: '{"severity":"ERROR","message":"hi"}', invocation: '7' },
  ])
  const own = ['{"a":1}', `{"broken ${labels('7')}`, `{${labels('7').replace('"7"', '7')}}`]
  expect(texts(printed(...own.map((text) => `${text}\n`)))).toEqual(own)
})

test('long lines are truncated, and dropped lines are counted', () => {
  expect(printed('x'.repeat(1_000_000), 'x\n')[0]?.text).toHaveLength(16_384)
  const many = printed('y\n'.repeat(5_000))
  expect(many.length).toBeLessThanOrEqual(3_003) // up to three seconds may have begun
  expect(many.at(-1)).toMatchObject({ stream: 'platform', text: expect.stringMatching(/^\d+ lines were dropped/) })
})
