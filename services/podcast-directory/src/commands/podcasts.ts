import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type Database, virtualClock } from '@icosa/kernel'
import {
  type Arguments,
  print,
  remark,
  type ServiceArguments,
  type ServiceCommand,
  text,
  UsageError,
  whole,
} from '@icosa/module'
import { type Catalog, startCatalog } from '../catalog/server.ts'
import { importOpml } from '../feeds/opml.ts'
import { importCuratedLists } from '../lists/curated/import.ts'
import { importPlaylists } from '../lists/playlists/import.ts'

type CommandArguments = Arguments & ServiceArguments

export const podcasts: ServiceCommand = {
  name: 'podcasts',
  usage:
    'podcasts import FEEDS.opml | lists LISTS.json | playlists PLAYLISTS.json | catalogue [--feeds 200] [--port 4080] [--tenant dev]',
  summary:
    'Import feeds, curated lists or playlists; or serve synthetic feeds on this machine and import them, to try the directory.',
  flags: {
    tenant: { type: 'string', default: 'dev' },
    feeds: { type: 'string' },
    port: { type: 'string' },
    json: { type: 'boolean' },
  },
  audited: { import: ['tenant'], lists: ['tenant'], playlists: ['tenant'], catalogue: ['tenant'] },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${podcasts.usage}`)
    await action(args)
  },
}

const actions: Readonly<Record<string, (args: CommandArguments) => Promise<void>>> = {
  async import(args) {
    await importFeeds(args, await fileOf(args, 'feeds.opml'))
  },

  async lists(args) {
    print(`${await importJson(args, importCuratedLists)} curated lists were imported.`)
  },

  async playlists(args) {
    print(`${await importJson(args, importPlaylists)} playlists were imported.`)
  },

  async catalogue(args) {
    const { flags } = args
    await using catalog: Catalog = await startCatalog({
      feeds: whole(flags, 'feeds', 200),
      port: whole(flags, 'port', 4080),
    })
    await importFeeds(args, catalog.opml)
    remark(
      `${catalog.feeds.length} synthetic feeds, such as ${catalog.feeds[0]}: a worker reads them. Stop with Ctrl-C.`,
    )
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  },
}

async function fileOf({ words: [action, file] }: Arguments, example: string): Promise<string> {
  if (!file) throw new UsageError(`Which file? icosa podcasts ${action} ${example}`)
  return readFile(file, 'utf8')
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new UsageError(`The file is not JSON: ${(error as Error).message}.`)
  }
}

function inDirectory<T>(
  { flags, withDatabase }: CommandArguments,
  work: (database: Database, tenant: string, now: Date) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => {
    const clock = await virtualClock(database)
    return work(database, text(flags, 'tenant') ?? 'dev', clock.now())
  })
}

async function importJson(args: CommandArguments, importInto: typeof importPlaylists): Promise<number> {
  const file = parseJson(await fileOf(args, `${args.words[0]}.json`))
  return inDirectory(args, (database, tenant, now) =>
    database.transaction((db) => importInto(db, tenant, file, now), tenant),
  )
}

async function importFeeds(args: CommandArguments, opml: string): Promise<void> {
  const imported = await inDirectory(args, (database, tenant, now) => importOpml(database, tenant, opml, now))
  if (args.flags.json === true) return print(JSON.stringify(imported))
  const { added, found, refused } = imported
  print(`${added} feeds were added, ${found} were already in the directory, and ${refused} have no valid URL.`)
}
