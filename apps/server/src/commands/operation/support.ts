import { writeFile } from 'node:fs/promises'
import { print, remark, text } from '@icosa/module'
import manifest from '../../../package.json' with { type: 'json' }
import type { Command } from '../../command.ts'
import { reportOn } from '../../support/report.ts'

export const support: Command = {
  name: 'support',
  usage: 'support [--out FILE]',
  summary:
    'Write a report on this installation, without secrets and without what tenants stored, to attach to a question.',
  flags: { out: { type: 'string' } },
  audited: false,
  async run({ flags, config }) {
    const report = await reportOn(config, manifest.version)
    const file = text(flags, 'out')
    if (file === undefined) return print(report)
    await writeFile(file, `${report}\n`, { mode: 0o600, flag: 'wx' })
    remark(`Wrote ${file}. Read it before you send it: it names hosts, services and tables.`)
  },
}
