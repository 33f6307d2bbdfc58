import type { Blobs } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { type Current, contentOf, fresh } from './subject.ts'

const inByteOrder = (keys: readonly string[]) =>
  [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

async function listAll(blobs: Blobs, prefix: string, limit: number): Promise<string[]> {
  const keys: string[] = []
  let after: string | undefined
  do {
    const page = await blobs.list(prefix, { limit, ...(after !== undefined && { after }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    keys.push(...page.items.map(({ key }) => key))
    after = page.next
  } while (after !== undefined)
  return keys
}

// Names that a file system could fold, refuse or reorder, or that a URL could alter.
const oddNames = [
  ...['a', 'A', 'a b', ' a', 'a+b', 'a%20b', '100%', '%', 'a&b=c?d#e', "quote'quote", '"', '<tag>', 'a\\b', 'a:b'],
  ...['ä', 'a\u0308', 'Ä', 'ß', '日本', '😀', '\uff5e', '~', '.hidden', 'trailing.', '...', '-', '_', '=41', 'a=b'],
  ...['con', 'NUL', 'aux.txt', 'com1', 'folder', 'folder!', 'folder/child', 'folder/child/grandchild', 'folder0'],
]
const longNames = ['x'.repeat(79), 'x'.repeat(80), 'x'.repeat(81), `${'x'.repeat(80)}/y`, `${'x'.repeat(80)}!`]

export function describeListing(current: Current): void {
  test('a listing is in UTF-8 order, also of odd keys', async () => {
    const { blobs } = current()
    const folder = fresh('')
    const keys = [...oddNames, ...longNames, 'é'.repeat(400)].map((name) => folder + name)
    for (const key of keys) await blobs.put(key, Buffer.from(key))
    expect(await listAll(blobs, folder, 1000)).toEqual(inByteOrder(keys))
    for (const key of keys) expect(await contentOf(blobs, key)).toBe(key)
    expect(await listAll(blobs, folder, 3)).toEqual(inByteOrder(keys))
    for (const key of keys) await blobs.delete(key)
    expect(await listAll(blobs, folder, 1000)).toEqual([])
  })

  test('a listing has the size, etag and time of each object', async () => {
    const { blobs } = current()
    const key = fresh()
    await blobs.put(key, Buffer.from('four'))
    const { contentType: _, ...entry } = { contentType: '', ...(await blobs.head(key)) }
    expect(await blobs.list(key, { limit: 5 })).toEqual({ items: [entry] })
  })

  test('pages have the requested length, and the last one has no `next`', async () => {
    const { blobs } = current()
    const folder = fresh('')
    const keys = Array.from({ length: 6 }, (_, index) => `${folder}${index}`)
    for (const key of keys) await blobs.put(key, Buffer.from(key))
    const first = await blobs.list(folder, { limit: 3 })
    expect(first).toMatchObject({ items: [{ key: keys[0] }, { key: keys[1] }, { key: keys[2] }], next: keys[2] })
    const second = await blobs.list(folder, { limit: 3, after: first.next ?? '' })
    expect(second.items.map(({ key }) => key)).toEqual(keys.slice(3))
    expect(second).not.toHaveProperty('next')
  })

  test('a page starts after a key that need not exist, nor have the prefix', async () => {
    const { blobs } = current()
    const folder = fresh('')
    for (const name of ['a', 'b/1', 'b/2', 'b!', 'c']) await blobs.put(folder + name, Buffer.from(name))
    const after = async (prefix: string, name: string) => {
      const { items } = await blobs.list(folder + prefix, { limit: 10, after: folder + name })
      return items.map(({ key }) => key.slice(folder.length))
    }
    expect(await after('', 'a')).toEqual(['b!', 'b/1', 'b/2', 'c'])
    expect(await after('', 'b')).toEqual(['b!', 'b/1', 'b/2', 'c'])
    expect(await after('', 'b/')).toEqual(['b/1', 'b/2', 'c'])
    expect(await after('', 'b/11')).toEqual(['b/2', 'c'])
    expect(await after('b', 'a')).toEqual(['b!', 'b/1', 'b/2'])
    expect(await after('b/', 'b/1')).toEqual(['b/2'])
    expect(await after('b/', 'c')).toEqual([])
    expect(await after('', 'z')).toEqual([])
  })

  test('a prefix may end within a segment', async () => {
    const { blobs } = current()
    const folder = fresh('')
    const names = ['report', 'reports/2024', 'reports/2025/q1', 'rest', 'Report', 'ré']
    for (const name of names) await blobs.put(folder + name, Buffer.from(name))
    const under = async (prefix: string) =>
      (await listAll(blobs, folder + prefix, 10)).map((key) => key.slice(folder.length))
    expect(await under('rep')).toEqual(['report', 'reports/2024', 'reports/2025/q1'])
    expect(await under('reports/2')).toEqual(['reports/2024', 'reports/2025/q1'])
    expect(await under('reports/2025/')).toEqual(['reports/2025/q1'])
    expect(await under('rest')).toEqual(['rest'])
    expect(await under('r')).toEqual(['report', 'reports/2024', 'reports/2025/q1', 'rest', 'ré'])
    expect(await under('nothing')).toEqual([])
  })
}
