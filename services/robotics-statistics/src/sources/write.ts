import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source } from '../import/given.ts'

const fileOf: Readonly<Record<string, string>> = {
  awardListings: 'awards',
  attendance: 'teams',
  districtRanks: 'district-rankings',
}

/** Writes a season as a folder that can be imported. */
export async function writeFolder(folder: string, source: Source): Promise<void> {
  const write = async (at: string, lists: object) => {
    await mkdir(at, { recursive: true })
    for (const [list, items] of Object.entries(lists)) {
      const content = list === 'summary' ? items[0] : items
      await writeFile(join(at, `${fileOf[list] ?? list}.json`), `${JSON.stringify(content, null, 1)}\n`)
    }
  }
  await write(folder, (await source.whole()).lists)
  for await (const { code, lists } of source.events()) await write(join(folder, 'events', code), lists)
}
