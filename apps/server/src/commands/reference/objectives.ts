import { readFile } from 'node:fs/promises'
import { lazyValidator } from '@icosa/kernel'
import { print, remark, text, UsageError } from '@icosa/module'
import { bucketsSeconds } from '@icosa/telemetry'
import type { Command } from '../../command.ts'
import { defaultObjectives, Objectives } from '../../objectives/objectives.ts'
import { rulesOf } from '../../objectives/rules.ts'
import { serviceNames } from '../../services.ts'
import { writeGenerated } from './generated.ts'

export const objectives: Command = {
  name: 'objectives',
  usage: 'objectives [--from FILE] [--out FILE [--check]]',
  summary: "Print Prometheus recording rules for objectives of availability and latency: yours, or the platform's.",
  flags: { from: { type: 'string' }, out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ flags }) {
    const from = text(flags, 'from')
    const page = pageOf(from === undefined ? defaultObjectives : await readObjectives(from))
    const out = text(flags, 'out')
    if (out === undefined) return print(page.trimEnd())
    await writeGenerated(out, page, 'objectives', flags.check === true)
    if (flags.check !== true) remark(`Wrote ${out}.`)
  },
}

const problemsOf = lazyValidator(Objectives, 'body')

async function readObjectives(file: string): Promise<Objectives> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`)
  })
  const value = parse(content, file)
  const [problem] = problemsOf(value)
  if (problem) throw new UsageError(`${file}: ${problem.at.replace(/^body\/?/, '')} ${problem.message}.`)
  const objectives = value as Objectives
  const bound = objectives.latency.find(({ seconds }) => !bucketsSeconds.includes(seconds))
  if (bound) throw new UsageError(`${file}: seconds is one of ${bucketsSeconds.join(', ')}, not ${bound.seconds}.`)
  const named = [...objectives.availability, ...objectives.latency].flatMap(({ services = [] }) => services)
  const unknown = named.find((name) => ![...serviceNames, 'platform'].includes(name))
  if (unknown !== undefined) throw new UsageError(`${file}: there is no service '${unknown}'.`)
  return objectives
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`)
  }
}

function pageOf(objectives: Objectives): string {
  const rules = rulesOf(objectives).map(({ record, expr }) => `      - record: ${record}\n        expr: ${expr}`)
  return ['# Written by `icosa objectives`.', 'groups:', '  - name: icosa-objectives', '    rules:', ...rules, ''].join(
    '\n',
  )
}
