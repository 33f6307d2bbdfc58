import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { virtualClock } from '@icosa/kernel'
import { importOpml } from '@icosa/podcast-directory'
import { type Catalogue, startCatalogue } from '@icosa/podcast-directory/catalogue'
import { type Arguments, type Command, print, remark, text, UsageError, whole } from '../command.ts'
import { withDatabase } from '../database.ts'

export const podcasts: Command = {
  name: 'podcasts',
  usage: 'podcasts import FEEDS.opml [--tenant dev] | catalogue [--feeds 200] [--port 4080] [--tenant dev]',
  summary:
    'Take feeds into the directory; or serve synthetic ones on this machine and take those in, to try it on something alive.',
  flags: {
    tenant: { type: 'string', default: 'dev' },
    feeds: { type: 'string' },
    port: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${podcasts.usage}`)
    await action(args)
  },
}

const actions: Readonly<Record<string, (args: Arguments) => Promise<void>>> = {
  async import(args) {
    const file = args.words[1]
    if (!file) throw new UsageError('Which list? icosa podcasts import feeds.opml')
    await take(args, await readFile(file, 'utf8'))
  },

  async catalogue(args) {
    const { flags } = args
    await using catalogue: Catalogue = await startCatalogue({
      feeds: whole(flags, 'feeds', 200),
      port: whole(flags, 'port', 4080),
    })
    await take(args, catalogue.opml)
    remark(
      `${catalogue.feeds.length} synthetic feeds, such as ${catalogue.feeds[0]}: a worker reads them. Ctrl-C ends it.`,
    )
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  },
}

async function take({ flags, config }: Arguments, opml: string): Promise<void> {
  const tenant = text(flags, 'tenant') ?? 'dev'
  const imported = await withDatabase(config, async (database) => {
    const clock = await virtualClock(database)
    return importOpml(database, tenant, opml, clock.now())
  })
  if (flags.json === true) return print(JSON.stringify(imported))
  const { added, found, refused } = imported
  print(`${added} feeds are new, ${found} were there, ${refused} have no address that can be fetched.`)
}
