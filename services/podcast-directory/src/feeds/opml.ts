import { type Database, type Db, Failure } from '@icosa/kernel'
import { feedAddress, submit } from './submit.ts'

export interface Imported {
  /** Feeds that were not in the directory. The crawler looks at them next. */
  readonly added: number
  readonly found: number
  /** Entries whose address is none. */
  readonly refused: number
}

interface Outline {
  readonly xmlUrl?: string | undefined
  readonly outlines?: readonly Outline[] | undefined
}

const feedsAtOnce = 100

/** Takes the feeds of an OPML file into a tenant's directory. Importing it again changes nothing. */
export async function importOpml(database: Database, tenant: string, opml: string, now: Date): Promise<Imported> {
  const addresses = await addressesIn(opml)
  const good = [...new Set(addresses.flatMap((text) => readable(text) ?? []))]
  let added = 0
  for (let start = 0; start < good.length; start += feedsAtOnce) {
    const some = good.slice(start, start + feedsAtOnce)
    added += await database.transaction((db) => addAll(db, tenant, some, now))
  }
  return { added, found: good.length - added, refused: addresses.filter((text) => readable(text) === undefined).length }
}

async function addAll(db: Db, tenant: string, addresses: readonly string[], now: Date): Promise<number> {
  let added = 0
  for (const rss of addresses) if ((await submit(db, tenant, { rss, email: '' }, now)).isNew) added++
  return added
}

async function addressesIn(opml: string): Promise<string[]> {
  const { parseOpml } = await import('feedsmith') // only who imports lists needs it here
  try {
    const { body } = parseOpml(opml) as { readonly body?: { readonly outlines?: readonly Outline[] } }
    return (body?.outlines ?? []).flatMap(within)
  } catch (cause) {
    throw new Failure('invalid', 'The file is not OPML: export the list of podcasts again.', { cause })
  }
}

const within = ({ xmlUrl, outlines = [] }: Outline): string[] => [
  ...(xmlUrl ? [xmlUrl] : []),
  ...outlines.flatMap(within),
]

function readable(text: string): string | undefined {
  try {
    return feedAddress(text)
  } catch {
    return undefined
  }
}
