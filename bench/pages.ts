/**
 * `npm run benchmarks` writes the pages of docs/benchmarks from results and the handwritten text of each page; with
 * `--check` it only reports pages that are out of date.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { barChart } from './chart.ts'
import {
  type Conditions,
  type Figure,
  isMissed,
  type Results,
  type Run,
  readIfExists,
  readResults,
  rowsOf,
  shown,
} from './figures.ts'
import { type Subject, subjects } from './subjects.ts'

const folder = new URL('../docs/benchmarks/', import.meta.url)
const marker = '<!-- `npm run benchmarks` writes everything above this line; edit below it. -->\n'

const textOf = (path: string) => readIfExists(new URL(path, folder)) ?? ''

/** Generated text, then the handwritten text below the marker. */
function withHandwritten(path: string, generated: string): string {
  const [, handwritten = ''] = textOf(path).split(marker)
  return `${generated}\n${marker}${handwritten}`
}

function charted(results: Results, { programs, chart }: Subject): Figure[] {
  const chosen = Object.keys(programs).filter((name) => chart.program === undefined || name === chart.program)
  return chosen
    .flatMap((name) => results[name]?.figures ?? [])
    .filter(
      ({ name, statistic, unit }) =>
        unit === chart.unit &&
        (chart.statistic === undefined || statistic === chart.statistic) &&
        (chart.figures?.test(name) ?? true),
    )
}

function headlineOf(results: Results, { headline: { program, figure, statistic } }: Subject): Figure | undefined {
  return results[program]?.figures.find((one) => figure.test(one.name) && one.statistic === statistic)
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function shownHeadline(figure: Figure | undefined): string {
  if (!figure) return 'Not measured yet.'
  const outcome = figure.goal ? (isMissed(figure) ? ' The goal is missed.' : ' The goal is met.') : ''
  return `${sentence(figure.name)}: **${shown(figure)}**.${outcome}`
}

/** Absolute figures of a busy machine mislead unless the reader knows. */
function loadNote(run: Run | undefined): string {
  if (!run || run.conditions.load <= run.conditions.machine.cores) return ''
  const { load, machine } = run.conditions
  return ` Other work shared the machine: the load average was ${load} on ${machine.cores} cores.`
}

function shownConditions({ date, commit, load, machine, settings }: Conditions): string {
  const { cores, memoryGb, cpu, node, postgresql } = machine
  const set = Object.entries(settings).map(([name, value]) => `\`${name}=${value}\``)
  const parts = [
    `${date}, code of commit \`${commit}\``,
    `${cores} cores (${cpu}), ${memoryGb} GB of memory, load average ${load} before the run`,
    `Node ${node}${postgresql ? `, PostgreSQL ${postgresql}` : ''}`,
    ...(set.length > 0 ? [set.join(' ')] : []),
  ]
  return `Measured on ${parts.join('; ')}.`
}

/** Cells end at `|` even within code. */
const cell = (text: string) => text.replaceAll('|', '\\|')

function tableOf(figures: readonly Figure[]): string {
  const rows = [...rowsOf(figures)].map(
    ([name, row]) =>
      `| ${cell(name)} | ${cell(row.map(shown).join(', '))}${row.some(isMissed) ? ', **missed**' : ''} |`,
  )
  return `| | Measured |\n|---|---|\n${rows.join('\n')}`
}

function pageOf(name: string, subject: Subject, results: Results): string {
  const { question, programs, chart } = subject
  const sections = Object.entries(programs).map(([program, { title }]) => {
    const run = results[program]
    const command = `\`npm run bench -- ${name}/${program}\``
    const measured = run
      ? `${tableOf(run.figures)}\n\n${shownConditions(run.conditions)} Reproduce it with ${command}.`
      : `Not measured yet: ${command}.`
    return `### ${title}\n\n${measured}\n`
  })
  return `# ${question}

${shownHeadline(headlineOf(results, subject))}${loadNote(results[subject.headline.program])}

${charted(results, subject).length > 0 ? `![${chart.title.replaceAll('`', '')}: bar chart of figures in the tables below](charts/${name}.svg)\n\n` : ''}\`\`\`sh
npm run bench -- ${name}
\`\`\`

## Measured

${sections.join('\n')}`
}

function indexOf(all: ReadonlyMap<string, Results>): string {
  const rows = Object.entries(subjects).map(
    ([name, subject]) =>
      `| [${subject.title}](${name}.md) | ${subject.question} | ${cell(shownHeadline(headlineOf(all.get(name) ?? {}, subject)))} |`,
  )
  return `# Benchmarks\n\n| Subject | Question | Headline |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** Every generated file, by its path below docs/benchmarks. */
export function generate(read: (subject: string) => Results = readResults): ReadonlyMap<string, string> {
  const results = new Map(Object.keys(subjects).map((name) => [name, read(name)]))
  const files = new Map([['README.md', withHandwritten('README.md', indexOf(results))]])
  for (const [name, subject] of Object.entries(subjects)) {
    const own = results.get(name) ?? {}
    files.set(`${name}.md`, withHandwritten(`${name}.md`, pageOf(name, subject, own)))
    const bars = charted(own, subject)
    if (bars.length > 0) files.set(`charts/${name}.svg`, barChart(subject.chart.title, bars))
  }
  return files
}

export const stalePages = (files = generate()) =>
  [...files].flatMap(([path, text]) => (textOf(path) === text ? [] : path))

export function writePages(): void {
  mkdirSync(new URL('charts/', folder), { recursive: true })
  for (const [path, text] of generate()) writeFileSync(new URL(path, folder), text)
}

if (import.meta.main) {
  const stale = process.argv.includes('--check') ? stalePages() : []
  if (stale.length > 0) {
    console.error(`Out of date: ${stale.map((path) => `docs/benchmarks/${path}`).join(', ')}. Run: npm run benchmarks`)
    process.exitCode = 1
  } else if (!process.argv.includes('--check')) writePages()
}
