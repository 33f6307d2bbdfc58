import { print, remark, text } from '@icosa/module'
import type { Command } from '../../command.ts'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'
import { routingOf } from '../../tenants/routing.ts'
import { writeGenerated } from './generated.ts'

export const routing: Command = {
  name: 'routing',
  usage: 'routing [--out FILE [--check]]',
  summary:
    'Print how a router finds the tenant of a request, write it to a file, or check that the file is up to date.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ flags }) {
    const page = `${JSON.stringify(routingOf(withPlatform(await allServices(), 'virtual')), null, 2)}\n`
    const file = text(flags, 'out')
    if (file === undefined) return print(page.trimEnd())
    await writeGenerated(file, page, 'routing', flags.check === true)
    if (flags.check !== true) remark(`Wrote ${file}.`)
  },
}
