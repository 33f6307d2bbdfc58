import { print, remark, text } from '@icosa/module'
import type { Setting } from '@icosa/settings'
import type { Command } from '../../command.ts'
import { loadModules } from '../../services.ts'
import { platformSettings } from '../../settings.ts'
import { markdownRow, writeGenerated } from './generated.ts'

export const configuration: Command = {
  name: 'configuration',
  usage: 'configuration [--out FILE [--check]]',
  summary: 'Print the page that describes every setting, write it to a file, or check that the file is up to date.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ flags }) {
    const file = text(flags, 'out')
    const page = await settingsPage()
    if (file === undefined) return print(page.trimEnd())
    await writeGenerated(file, page, 'configuration', flags.check === true)
    if (flags.check !== true) remark(`Wrote ${file}.`)
  },
}

const introduction = `# Configuration

Settings are read once, at the start, from the environment. \`icosa dev\` needs none of them. Missing and invalid values are reported
before a node starts, all at once; a variable that begins with \`ICOSA_\` but is not a setting causes a warning. This page is
generated from the settings themselves: \`npm run configuration\`.

Every API node answers \`/healthz\` and \`/readyz\`; so does a worker with \`icosa worker --port 4001\`. With \`ICOSA_METRICS_PORT\`, both serve \`/metrics\` (Prometheus) on a port of its own.
Traces are sent to a collector over OTLP ([how](monitoring.md#traces)). \`icosa doctor\` checks what
a machine needs besides Node.
`

/** Renders docs/operate/configuration.md. */
async function settingsPage(): Promise<string> {
  const modules = await loadModules()
  const sections = [
    section('The platform', platformSettings.settings),
    ...modules.map(({ letter, name, module }) => section(`${name} (${letter})`, module.settings?.settings ?? [])),
  ]
  return [introduction, ...sections].join('\n')
}

function section(title: string, settings: readonly Setting[]): string {
  if (settings.length === 0) return `## ${title}\n\nThis service has no settings.\n`
  const rows = settings.map((setting) =>
    markdownRow([`\`${setting.variable}\``, valueIn(setting), defaultIn(setting), setting.meaning]),
  )
  return [
    `## ${title}`,
    '',
    markdownRow(['Setting', 'Value', 'Default', 'Meaning']),
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function valueIn({ kind, example, secret, default: usual }: Setting): string {
  const code = example.includes('`') ? example : `\`${example}\``
  const shown = example && example !== usual ? `${kind.is}: ${code}` : kind.is
  return secret ? `${shown} (**secret**)` : shown
}

function defaultIn({ default: usual, otherwise, development, required }: Setting): string {
  if (required === true) return `**required**; \`dev\`: ${otherwise}`
  const always = usual === undefined ? (otherwise ?? 'none') : `\`${usual}\``
  const condition = required ? `; **required** where \`${required.where}\` is \`${required.is}\`` : ''
  return `${always}${development === undefined ? '' : `; \`dev\`: \`${development}\``}${condition}`
}
