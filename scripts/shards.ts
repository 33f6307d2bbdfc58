import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that slow files took: written by `node scripts/test.ts --record`. */
export const recordedSeconds: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('../tests/seconds.json', import.meta.url), 'utf8'),
)
/** Faster ones are not recorded, and count as half of it. */
export const minRecordedSeconds = 5

export const secondsOf = (file: string) => recordedSeconds[file] ?? minRecordedSeconds / 2

/** Parts of about equal duration: the slowest files first, each into the part that is shortest so far. */
function shardsOf(files: readonly string[], count: number): string[][] {
  const shards = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const shortest = shards.reduce((least, shard) => (shard.seconds < least.seconds ? shard : least))
    shortest.files.push(file)
    shortest.seconds += secondsOf(file)
  }
  return shards.map((shard) => shard.files)
}

/** Vitest's own parts have equal numbers of files. */
export class ShardByDuration extends BaseSequencer {
  override async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, shard: { index, count } = { index: 1, count: 1 } } = this.ctx.config
    const nameOf = ({ moduleId }: TestSpecification) => relative(root, moduleId)
    const files = new Set(shardsOf(specifications.map(nameOf), count)[index - 1])
    return specifications.filter((specification) => files.has(nameOf(specification)))
  }
}
