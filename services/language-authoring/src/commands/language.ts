import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { print, remark, type ServiceCommand, table, text, UsageError } from '@icosa/module'
import type { LabelledUtterance, Predicted, Report } from '../scoring/score.ts'
import { score } from '../scoring/score.ts'
import { type CommandArguments, openSession, type Session } from './session.ts'

const string = { type: 'string' } as const

export const language: ServiceCommand = {
  name: 'language',
  usage: 'language import FILE [--name NAME] | test APP FILE [--slot production] [--json]  [--url URL] [--key KEY]',
  summary:
    'Import an app from a file, train and publish it; or test one with labelled utterances, and print its accuracy.',
  flags: { name: string, slot: string, url: string, key: string, json: { type: 'boolean' } },
  // Requests of the key's owner, which the nodes audit.
  audited: { import: false, test: false },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${language.usage}`)
    await action(args)
  },
}

interface App {
  readonly id: string
  readonly name: string
  readonly activeVersion: string
}

const actions: Readonly<Record<string, (args: CommandArguments) => Promise<void>>> = {
  async import(args) {
    const [, file] = args.words
    if (!file) throw new UsageError('Which file? icosa language import export.json')
    const session = openSession(args)
    const name = text(args.flags, 'name')
    const query = name === undefined ? '' : `?appName=${encodeURIComponent(name)}`
    const id = String(await session.ask('POST', `/apps/import${query}`, await readFile(file)))
    const { activeVersion, name: appName } = (await session.ask('GET', `/apps/${id}`)) as App
    remark(`Imported ${appName} as ${id}. Training ...`)
    await train(session, `/apps/${id}/versions/${encodeURIComponent(activeVersion)}`)
    const body = JSON.stringify({ versionId: activeVersion, isStaging: false })
    const { endpointUrl } = (await session.ask('POST', `/apps/${id}/publish`, body)) as { endpointUrl: string }
    print(endpointUrl)
  },

  async test(args) {
    const [, name, file] = args.words
    if (!name || !file) throw new UsageError('Which app, and which file? icosa language test Travel utterances.json')
    const session = openSession(args)
    const labelled = utterancesIn(await readFile(file, 'utf8'))
    const app = await appNamed(session, name)
    const slot = text(args.flags, 'slot') ?? 'production'
    const answers: Predicted[] = []
    for (const { text: query } of labelled) answers.push(await answerOf(session, app.id, slot, query))
    show(score(labelled, answers), args.flags.json === true)
  },
}

async function train(session: Session, version: string): Promise<void> {
  await session.ask('POST', `${version}/train`)
  for (;;) {
    const [first] = (await session.ask('GET', `${version}/train`)) as {
      details: { status: string; failureReason?: string }
    }[]
    const { status, failureReason } = first?.details ?? { status: 'Fail', failureReason: 'It has no models.' }
    if (status === 'UpToDate' || status === 'Success') return
    if (status === 'Fail') throw new UsageError(`The training failed. ${failureReason ?? ''}`)
    await sleep(500)
  }
}

const pageSize = 500

async function appNamed(session: Session, name: string): Promise<App> {
  for (let skip = 0; ; skip += pageSize) {
    const apps = (await session.ask('GET', `/apps/?skip=${skip}&take=${pageSize}`)) as App[]
    const match = apps.find((app) => app.name === name || app.id === name)
    if (match) return match
    if (apps.length < pageSize) throw new UsageError(`There is no app '${name}'.`)
  }
}

/** Reads a list of utterances, a test set of the original, or an exported app. */
function utterancesIn(content: string): LabelledUtterance[] {
  const file = JSON.parse(content) as
    | LabelledUtterance[]
    | { LabeledTestSetUtterances?: LabelledUtterance[]; utterances?: LabelledUtterance[] }
  const all = Array.isArray(file) ? file : (file.LabeledTestSetUtterances ?? file.utterances ?? [])
  if (all.length === 0)
    throw new UsageError('The file has no utterances: [{"text": "...", "intent": "...", "entities": []}]')
  return all.map((utterance) => ({ ...utterance, entities: utterance.entities ?? [] }))
}

interface Instance {
  readonly role?: string
  readonly startIndex: number
  readonly length: number
  readonly type: string
}
interface Entities {
  readonly $instance?: Readonly<Record<string, readonly Instance[]>>
}

async function answerOf(session: Session, app: string, slot: string, query: string): Promise<Predicted> {
  const path = `/prediction/apps/${app}/slots/${slot}/predict?verbose=true`
  const { prediction } = (await session.ask('POST', path, JSON.stringify({ query }))) as {
    prediction: { topIntent: string; entities: Entities }
  }
  const instances = Object.entries(prediction.entities.$instance ?? {}).flatMap(([name, all]) =>
    all.map(({ type, role, startIndex, length }) => ({
      entity: role === undefined && !type.includes('::') ? name : type,
      startPos: startIndex,
      endPos: startIndex + length - 1,
    })),
  )
  return { intent: prediction.topIntent, entities: instances }
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`

function show({ accuracy, intents, entities, confusion }: Report, asJson: boolean): void {
  const errors = [...confusion].flatMap(([expected, row]) =>
    [...row]
      .filter(([answered]) => answered !== expected)
      .map(([answered, times]) => ({ meant: expected, answered, times })),
  )
  const confused = errors.toSorted((a, b) => b.times - a.times)
  if (asJson) {
    print(JSON.stringify({ accuracy, intents, entities, confusion: confused }))
    return
  }
  const rows = (all: Report['intents']) =>
    all.map(({ name, support, precision, recall, f1 }) => [
      name,
      String(support),
      percent(precision),
      percent(recall),
      percent(f1),
    ])
  print(table(['intent', 'support', 'precision', 'recall', 'F1'], rows(intents)))
  if (entities.length > 0) print(`\n${table(['entity', 'support', 'precision', 'recall', 'F1'], rows(entities))}`)
  if (confused.length > 0)
    print(
      `\n${table(
        ['expected', 'predicted', 'count'],
        confused.map(({ meant: expected, answered, times }) => [expected, answered, String(times)]),
      )}`,
    )
  print(`\nThe intent is correct in ${percent(accuracy)} of the cases.`)
}
