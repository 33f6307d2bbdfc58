import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { formParts } from './parts.ts'

const type = 'multipart/form-data; boundary=xyz'
const part = (head: string, content: string) => `--xyz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const almost = 'x\r\n--xy'
const long = 'long '.repeat(50)
const body = Buffer.from(
  [
    'preamble\r\n',
    part('name="a"', almost),
    part('name="b"; filename="C:\\a\\q\\".txt"', long),
    part(`name="c"; filename*=UTF-8''%e2%82%ac`, ''),
    '--xyz--epilogue',
  ].join(''),
)

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test.each([1, 2, 7, 64, body.length])('parts are read in chunks of any size: %i bytes at a time', async (size) => {
  const seen: unknown[] = []
  for await (const { name, fileName, content } of formParts(inPieces(body, size), type, { maxParts: 3 }))
    seen.push([name, fileName, await text(content)])
  expect(seen).toEqual([
    ['a', undefined, almost],
    ['b', 'q".txt', long],
    ['c', '€', ''],
  ])
})

test('the body is read to its end, even beyond the last part', async () => {
  const source = inPieces(Buffer.concat([body, Buffer.alloc(200)]), 64)
  for await (const { content } of formParts(source, type, { maxParts: 3 })) await text(content)
  expect(await source.next()).toEqual({ value: undefined, done: true })
})

test.each([1, 7, body.length])('the unread rest of a part is skipped: %i bytes at a time', async (size) => {
  for (const pieces of [0, 1]) {
    const names: string[] = []
    for await (const { name, content } of formParts(inPieces(body, size), type, { maxParts: 3 })) {
      for (let read = 0; read < pieces; read++) await content.next()
      await content.return(undefined)
      names.push(name)
    }
    expect(names).toEqual(['a', 'b', 'c'])
  }
})

test.each([
  ['a part with unterminated headers', '\r\n--xyz1\r\n--xyz--'],
  ['too many parts, the last one truncated', '--xyz\r\n'.repeat(600)],
  ['endless headers', `--xyz\r\n${'x'.repeat(200_000)}`],
  ['unterminated content', part('name="a"', 'x').slice(0, -2)],
  ['a large part without a name or an end', `--xyz\r\nA: b\r\n\r\n${'x'.repeat(100_000)}\r\n--xyz`],
  ['an empty body', ''],
])('%s is refused', async (_, sent) => {
  const read = async () => {
    for await (const { content } of formParts(inPieces(Buffer.from(sent), 65_536), type, { maxParts: 3 }))
      await text(content)
  }
  await expect(read()).rejects.toMatchObject({ kind: 'invalid' })
})
