import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { print, remark, type ServiceCommand, table, UsageError } from '@icosa/module'
import { page } from '../page/page.ts'
import { openEngine } from '../sandboxed/engine.ts'
import type { UnpackValues } from '../settings.ts'

const hex = (value: number) => `0x${value.toString(16)}`

export const unpack: ServiceCommand<UnpackValues> = {
  name: 'unpack',
  usage: 'unpack FILE [--html]',
  summary:
    'Unpack a packed program for Windows or Linux without running it: writes FILE.unpacked, and FILE.html as a report.',
  flags: { html: { type: 'boolean' } },
  audited: false,
  async run({ words: [file], flags, settings, facts }) {
    if (!file) throw new UsageError(`Usage: icosa ${unpack.usage}`)
    const sample = await readFile(file)
    const state = join(facts.scratchDirectory, 'sandbox')
    const engine = openEngine({ ...settings, state }, (error) => remark(String(error)))
    const startedAt = performance.now()
    const seconds = () => Math.round((performance.now() - startedAt) / 1_000)
    const progress = setInterval(() => remark(`emulating in ${settings.runtime}, ${seconds()} s`), 2_000)
    try {
      const { report, unpacked } = await engine.analyze('command', sample)
      const { before, after } = report
      const rows = [
        ['packed', before.size, hex(before.entry), before.entropy, ''],
        ...(after ? [['unpacked', after.size, hex(after.entry), after.entropy, after.imports.length]] : []),
      ]
      remark(`${report.format}, packer: ${report.packer}; ${report.layers.length} layers, ${report.callCount} calls`)
      print(
        table(
          ['', 'bytes', 'entry point', 'entropy', 'imports'],
          rows.map((row) => row.map(String)),
        ),
      )
      if (flags.html) await writeFile(`${file}.html`, page(report).body)
      if (unpacked) await writeFile(`${file}.unpacked`, unpacked)
      remark(unpacked ? `Wrote ${file}.unpacked.` : (report.why ?? ''))
    } finally {
      clearInterval(progress)
      await engine.close()
    }
  },
}
