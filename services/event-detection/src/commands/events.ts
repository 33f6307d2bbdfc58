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
import { diagram, readMessages, readModel, simulate, table as simulated } from '../simulate/index.ts'
import { importModel } from './import-model.ts'
import { lineOf, tail } from './tail.ts'

export const events: ServiceCommand = {
  name: 'events',
  usage:
    'events simulate MODEL.json MESSAGES.ndjson [--diagram] | import MODEL.json [--tenant dev] | tail [--tenant dev] [--last 10]',
  summary: 'Try a detector model without a database, bring models in, or follow what detectors and alarms do.',
  flags: {
    tenant: { type: 'string', default: 'dev' },
    last: { type: 'string' },
    diagram: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${events.usage}`)
    await action(args)
  },
}

const actions: Readonly<Record<string, (args: Arguments & ServiceArguments) => Promise<void>>> = {
  async simulate({ words, flags }) {
    const [, model, messages] = words
    if (!model || !messages) throw new UsageError('Give a model and messages: icosa events simulate a.json b.ndjson')
    const read = readModel(await readFile(model, 'utf8'))
    const rows = simulate(read, readMessages(await readFile(messages, 'utf8')))
    if (flags.json === true) return print(JSON.stringify(rows))
    print(simulated(rows))
    if (flags.diagram === true) print(`\n\`\`\`mermaid\n${diagram(read.detectorModelDefinition, rows)}\n\`\`\``)
  },

  async import({ words: [, file], flags, facts, withDatabase }) {
    if (!file) throw new UsageError('Which file? icosa events import model.json')
    const content = await readFile(file, 'utf8')
    const tenant = text(flags, 'tenant') ?? 'dev'
    const imported = await withDatabase(async (database) =>
      importModel(database, { tenant, region: facts.region, clock: await virtualClock(database) }, content),
    )
    if (flags.json === true) return print(JSON.stringify(imported))
    print(
      table(
        ['kind', 'name', ''],
        imported.map(({ kind, name, done }) => [kind, name, done]),
      ),
    )
  },

  async tail({ flags, withDatabase }) {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    const options = { tenant: text(flags, 'tenant') ?? 'dev', last: whole(flags, 'last', 10), signal: stop.signal }
    remark(`What detectors and alarms of ${options.tenant} do; Ctrl-C ends it.`)
    await withDatabase(async (database) => {
      for await (const entry of tail(database, options))
        print(flags.json === true ? JSON.stringify(entry) : lineOf(entry))
    })
  },
}
