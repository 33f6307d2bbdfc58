import { expect, test } from 'vitest'
import { type Line, openLines } from './lines.ts'

function printed(...chunks: (string | Buffer)[]): Line[] {
  const all: Line[] = []
  const lines = openLines((line) => all.push(line))
  for (const chunk of chunks) lines.write(Buffer.from(chunk), 'stdout')
  lines.flush()
  return all
}
const texts = (all: readonly Line[]) => all.map(({ text }) => text)
const labels = (id: string) => `"logging.googleapis.com/labels":{"execution_id":"${id}"}`

test('lines come out whole, whatever the pieces, with the last one at the end', () => {
  expect(texts(printed('a', 'b\nc', '\n\n', 'd'))).toEqual(['ab', 'c', 'd'])
  const euro = Buffer.from('€\n')
  expect(texts(printed(euro.subarray(0, 1), euro.subarray(1)))).toEqual(['€'])
})

test('what a runner says of a line is read, and JSON of the function’s own stays as it is', () => {
  expect(printed(`{"message":"hi\\n",${labels('7')}}\n`)).toEqual([{ stream: 'stdout', text: 'hi', invocation: '7' }])
  expect(printed(`{"severity":"ERROR","message":"hi",${labels('7')}}\n`)).toEqual([
    { stream: 'stdout', text: '{"severity":"ERROR","message":"hi"}', invocation: '7' },
  ])
  const own = ['{"a":1}', `{"broken ${labels('7')}`, `{${labels('7').replace('"7"', '7')}}`]
  expect(texts(printed(...own.map((text) => `${text}\n`)))).toEqual(own)
})

test('a line without end is cut, and too many are counted', () => {
  expect(printed('x'.repeat(1_000_000), 'x\n')[0]?.text).toHaveLength(16_384)
  const many = printed('y\n'.repeat(5_000))
  expect(many.length).toBeLessThanOrEqual(3_003) // a second, and those that began meanwhile
  expect(many.at(-1)).toMatchObject({ stream: 'platform', text: expect.stringMatching(/^\d+ lines were dropped/) })
})
