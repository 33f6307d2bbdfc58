import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { recordedSeconds, ShardByDuration, secondsOf } from '../../scripts/shards.ts'
import config from '../../vitest.config.ts'
import { root } from '../architecture/sources.ts'

const folder = fileURLToPath(root)
const tests = globSync('{apps,packages,services,tests}/**/*.test.ts', {
  cwd: folder,
  exclude: (name) => name.endsWith('node_modules'),
})

/** Files of one shard, as Vitest asks for them. */
async function shard(index: number, count: number, files: readonly string[] = tests): Promise<string[]> {
  const specifications = files.map((file) => ({ moduleId: `${folder}${file}` }) as TestSpecification)
  const sequencer = new ShardByDuration({ config: { root: folder, shard: { index, count } } } as Vitest)
  return (await sequencer.shard(specifications)).map(({ moduleId }) => moduleId.slice(folder.length))
}

test.each([1, 2, 4, 7])('%i shards run each file once, and take about equally long', async (count) => {
  const shards = await Promise.all(Array.from({ length: count }, (_, index) => shard(index + 1, count)))
  expect(shards.flat().sort()).toEqual(tests.toSorted())
  const seconds = shards.map((files) => files.reduce((sum, file) => sum + secondsOf(file), 0))
  expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(1.02)
})

test('machines agree on the shards, in whatever order they find the files', async () => {
  expect((await shard(1, 4, tests.toReversed())).sort()).toEqual((await shard(1, 4)).sort())
})

test('Vitest makes shards this way', () => expect(config.test?.sequence?.sequencer).toBe(ShardByDuration))

test('recorded files exist', () => {
  expect(Object.keys(recordedSeconds).filter((file) => !existsSync(new URL(file, root)))).toEqual([])
})
