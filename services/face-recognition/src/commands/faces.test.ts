import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { groupPhoto } from '../testing/photos.ts'
import { faces } from './faces.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-faces-'))
  await writeFile(join(folder, 'photo.jpg'), groupPhoto(5))
  await writeFile(join(folder, 'words.txt'), 'no photo')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (words: readonly string[], flags: Record<string, string | boolean> = {}) => {
  const output: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => output.push(String(line)) > 0)
  try {
    await faces.run({ words, flags, facts: { scratchDirectory: '.icosa' } } as never)
  } finally {
    write.mockRestore()
  }
  return output.join('')
}

test('faces are listed, and drawn in a picture of the same size', async () => {
  const out = join(folder, 'boxes.png')
  const faceList = JSON.parse(await run(['detect', join(folder, 'photo.jpg')], { out, json: true }))
  expect(faceList).toHaveLength(5)
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(await readFile(out))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([1920, 1398])
  const { left, top, width } = faceList[0].box
  const at = ((top + 1) * info.width + left + (width >> 1)) * info.channels
  expect([...data.subarray(at, at + 3)]).toEqual([0, 220, 90])
}, 60_000)

test('a missing or unreadable photo is a usage error', async () => {
  await expect(run(['detect', join(folder, 'words.txt')])).rejects.toThrow('cannot be read')
  await expect(run(['detect'])).rejects.toThrow('Which photo?')
  expect(await run(['account', 'acme'])).toMatch(/^[0-9a-f-]{36}\n$/)
}, 60_000)
