import { print, remark, table, text } from '@icosa/module'
import type { Command } from '../../command.ts'
import { type Examined, examine, remedyOf } from '../../doctor/examine.ts'
import { unknownSettings } from '../../services.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: 'doctor [--services a,b] [--json]',
  summary: 'Check everything that the services need on this machine, and show how to install missing programs.',
  flags: { services: { type: 'string' }, json: { type: 'boolean' } },
  audited: false,
  async run({ flags, config }) {
    for (const line of await unknownSettings(config.env, [])) remark(line)
    const all = await examine(config, text(flags, 'services'))
    if (flags.json === true) print(JSON.stringify(all, null, 2))
    else report(all)
    if (all.some(isMissing)) process.exitCode = 1
  },
}

const isMissing = ({ isThere, isOptional }: Examined) => !isThere && !isOptional

function report(all: readonly Examined[]): void {
  const state = (one: Examined) => (one.isThere ? 'there' : one.isOptional ? 'optional' : 'MISSING')
  const rows = all.map((one) => [one.service, one.need, state(one), one.detail])
  print(table(['service', 'needs', '', 'found'], rows))
  const absent = all.filter(({ isThere }) => !isThere)
  for (const [name, [first]] of Map.groupBy(absent, ({ need }) => need)) {
    if (!first) continue
    print(`\n${name}${first.isOptional ? ' (optional)' : ''}: ${first.purpose}.`)
    for (const line of remedyOf(first.remedy)) print(`  ${line}`)
  }
  const count = all.filter(isMissing).length
  print(count === 0 ? '\nNothing that is required is missing.' : `\nMissing: ${count}.`)
}
