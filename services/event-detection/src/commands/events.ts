import { readFile } from 'node:fs/promises'
import { virtualClock } from '@icosa/kernel'
import {
  type Arguments,
  print,
  remark,
  type ServiceArguments,
  type ServiceCommand,
  table,
  text,
  UsageError,
  whole,
} from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { list } from '../delivery-failures/store.ts'
import { toDeliveryFailure } from '../delivery-failures/view.ts'
import type { settings } from '../settings.ts'
import { diagram, readMessages, readModel, simulate, table as simulated } from '../simulate/index.ts'
import { importModel } from './import-model.ts'
import { lineOf, tail } from './tail.ts'

type Settings = ValuesOf<typeof settings>

export const events: ServiceCommand<Settings> = {
  name: 'events',
  usage:
    'events simulate MODEL.json MESSAGES.ndjson [--diagram] | import MODEL.json [--tenant dev] | tail [--tenant dev] [--last 10] | failures [--tenant dev] [--last 10]',
  summary:
    'Simulate a detector model without a database, import models, follow detectors and alarms, or list failed deliveries.',
  flags: {
    tenant: { type: 'string', default: 'dev' },
    last: { type: 'string' },
    diagram: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: { simulate: false, import: ['tenant'], tail: false, failures: false },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${events.usage}`)
    await action(args)
  },
}

const actions: Readonly<Record<string, (args: Arguments & ServiceArguments<Settings>) => Promise<void>>> = {
  async simulate({ words, flags }) {
    const [, model, messages] = words
    if (!model || !messages) throw new UsageError('Give a model and messages: icosa events simulate a.json b.ndjson')
    const parsed = readModel(await readFile(model, 'utf8'))
    const rows = simulate(parsed, readMessages(await readFile(messages, 'utf8')))
    if (flags.json === true) return print(JSON.stringify(rows))
    print(simulated(rows))
    if (flags.diagram === true) print(`\n\`\`\`mermaid\n${diagram(parsed.detectorModelDefinition, rows)}\n\`\`\``)
  },

  async import({ words: [, file], flags, facts, settings: { targets }, withDatabase }) {
    if (!file) throw new UsageError('Which file? icosa events import model.json')
    const content = await readFile(file, 'utf8')
    const tenant = text(flags, 'tenant') ?? 'dev'
    const imported = await withDatabase(async (database) =>
      importModel(database, { tenant, region: facts.region, clock: await virtualClock(database), targets }, content),
    )
    if (flags.json === true) return print(JSON.stringify(imported))
    print(
      table(
        ['kind', 'name', ''],
        imported.map(({ kind, name, done }) => [kind, name, done]),
      ),
    )
    for (const { name, unconfigured } of imported)
      if (unconfigured) remark(`No address is configured for these targets of ${name}: ${unconfigured.join(', ')}.`)
  },

  async failures({ flags, withDatabase }) {
    const tenant = text(flags, 'tenant') ?? 'dev'
    const { items } = await withDatabase((database) => list(database, tenant, { maxResults: whole(flags, 'last', 10) }))
    if (flags.json === true) return print(JSON.stringify(items.map(toDeliveryFailure)))
    if (items.length === 0) remark(`${tenant} has no failed deliveries.`)
    for (const entry of items.toReversed()) print(lineOf(entry))
  },

  async tail({ flags, withDatabase }) {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    const options = { tenant: text(flags, 'tenant') ?? 'dev', last: whole(flags, 'last', 10), signal: stop.signal }
    remark(`Following detectors and alarms of ${options.tenant}; press Ctrl-C to stop.`)
    await withDatabase(async (database) => {
      for await (const entry of tail(database, options))
        print(flags.json === true ? JSON.stringify(entry) : lineOf(entry))
    })
  },
}
