import { print, remark, text } from '@icosa/module'
import type { Command } from '../../command.ts'
import { writeGenerated } from './generated.ts'

export const routing: Command = {
  name: 'routing',
  usage: 'routing [--out FILE [--check]]',
  summary:
    'Print how a router finds the tenant of a request, write it to a file for all domains, or check that the file is up to date.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ flags, config }) {
    const { generatedDomain, rulesIn } = await import('../../router/rules.ts')
    const file = text(flags, 'out')
    if (file === undefined) return print(pageOf(await rulesIn(config.env)).trimEnd())
    await writeGenerated(file, pageOf(await declaredRules(generatedDomain)), 'routing', flags.check === true)
    if (flags.check !== true) remark(`Wrote ${file}.`)
  },
}

const pageOf = (rules: readonly unknown[]) => `${JSON.stringify(rules, null, 2)}\n`

async function declaredRules(domain: string) {
  const { withPlatform } = await import('../../node.ts')
  const { allServices } = await import('../../services.ts')
  const { routingOf } = await import('../../tenants/routing.ts')
  return routingOf(withPlatform(await allServices({}, { ICOSA_FUNCTIONS_DOMAIN: domain }), 'virtual'))
}
