import { type Database, type Db, Failure } from '@icosa/kernel'
import { feedAddress, submit } from './submit.ts'

export interface ImportResult {
  /** New feeds, which the crawler visits next. */
  readonly added: number
  readonly found: number
  /** Entries without a valid URL. */
  readonly refused: number
}

interface Outline {
  readonly xmlUrl?: string | undefined
  readonly outlines?: readonly Outline[] | undefined
}

const feedsPerBatch = 100

/** Imports the feeds of an OPML file. Idempotent. */
export async function importOpml(database: Database, tenant: string, opml: string, now: Date): Promise<ImportResult> {
  const addresses = await addressesIn(opml)
  const valid = [...new Set(addresses.flatMap((text) => validAddress(text) ?? []))]
  let added = 0
  for (let start = 0; start < valid.length; start += feedsPerBatch) {
    const batch = valid.slice(start, start + feedsPerBatch)
    added += await database.transaction((db) => addAll(db, tenant, batch, now), tenant)
  }
  return {
    added,
    found: valid.length - added,
    refused: addresses.filter((text) => validAddress(text) === undefined).length,
  }
}

async function addAll(db: Db, tenant: string, addresses: readonly string[], now: Date): Promise<number> {
  let added = 0
  for (const rss of addresses) if ((await submit(db, tenant, { rss, email: '' }, now)).isNew) added++
  return added
}

async function addressesIn(opml: string): Promise<string[]> {
  const { parseOpml } = await import('feedsmith') // needed only for imports
  try {
    const { body } = parseOpml(opml) as { readonly body?: { readonly outlines?: readonly Outline[] } }
    return (body?.outlines ?? []).flatMap(urlsIn)
  } catch (cause) {
    throw new Failure('invalid', 'The file is not valid OPML: export the list of podcasts again.', { cause })
  }
}

const urlsIn = ({ xmlUrl, outlines = [] }: Outline): string[] => [
  ...(xmlUrl ? [xmlUrl] : []),
  ...outlines.flatMap(urlsIn),
]

function validAddress(text: string): string | undefined {
  try {
    return feedAddress(text)
  } catch {
    return undefined
  }
}
