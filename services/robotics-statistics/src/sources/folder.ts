import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Given, GivenEvent, Source } from '../import/given.ts'
import type { ListName } from '../season/lists.ts'
import { itemsOfCsv } from './csv.ts'
import { itemsIn, respelled, splitHybrid } from './spelling.ts'

/** A folder with a wrong layout or an invalid file. */
export class InvalidFolder extends Error {}

const ofSeason: Readonly<Record<string, ListName>> = {
  summary: 'summary',
  events: 'events',
  districts: 'districts',
  teams: 'teams',
  avatars: 'avatars',
  awards: 'awardListings',
  'district-rankings': 'districtRanks',
}
const ofEvent: Readonly<Record<string, ListName | 'hybrid'>> = {
  teams: 'attendance',
  schedule: 'schedule',
  matches: 'matches',
  scores: 'scores',
  alliances: 'alliances',
  rankings: 'rankings',
  awards: 'awards',
  hybrid: 'hybrid',
}

/**
 * A season in a folder: `events.json`, `teams.json` and so on, and a folder `events/CODE` for every event. A file contains
 * items, or a response of the original API; several of one kind (`teams-1.json`, `scores-qual.json`) are merged. Files
 * may be CSV.
 */
export async function folderSource(folder: string, season = Number(basename(resolve(folder)))): Promise<Source> {
  if (!/^\d{4}$/.test(String(season)))
    throw new InvalidFolder(`Which season is ${folder}? Name the folder after its year, or add --season 2026.`)
  const eventsFolder = join(folder, 'events')
  const codes = (await namesIn(eventsFolder)).filter((name) => !name.includes('.'))
  if (!(await namesIn(folder)).some((name) => /^events\b.*\.(json|csv)$/.test(name)))
    throw new InvalidFolder(`${folder} has no events.json: it lists the events whose folders are in events/.`)
  return {
    season,
    whole: async () => ({ lists: await readLists(folder, ofSeason) }),
    async *events(): AsyncIterable<GivenEvent> {
      for (const code of codes.sort()) yield { code, lists: await readLists(join(eventsFolder, code), ofEvent) }
    },
  }
}

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function readLists(folder: string, kinds: Readonly<Record<string, ListName | 'hybrid'>>): Promise<Given> {
  const lists: Record<string, unknown[]> = {}
  const add = (list: string, items: readonly unknown[]) => {
    lists[list] = [...(lists[list] ?? []), ...items]
  }
  for (const name of (await namesIn(folder)).sort(byNumber)) {
    const [, word = '', type = ''] = /^(.+)\.(json|csv)$/.exec(name) ?? []
    const list = kinds[word] ?? kinds[word.replace(/-\w+$/, '')]
    if (!list) continue
    const text = await readFile(join(folder, name), 'utf8')
    if (list === 'hybrid') {
      const { schedule, matches } = splitHybrid(itemsIn(parsed(folder, name, text)))
      add('schedule', schedule)
      add('matches', matches)
    } else if (type === 'csv') add(list, itemsOfCsv(list, text))
    else {
      const answer = parsed(folder, name, text)
      add(list, list === 'summary' ? [answer] : respelled(list, itemsIn(answer)))
    }
  }
  return lists
}

/** Page 10 comes after page 9. */
const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

function parsed(folder: string, name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new InvalidFolder(`${join(folder, name)} is not JSON: ${(error as Error).message}.`)
  }
}
