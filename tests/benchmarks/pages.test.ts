import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { barChart } from '../../bench/chart.ts'
import { type Figure, readResults } from '../../bench/figures.ts'
import { generate, stalePages } from '../../bench/pages.ts'
import { subjects } from '../../bench/subjects.ts'

const root = new URL('../../', import.meta.url)
const commands = Object.values(subjects).flatMap(({ programs }) =>
  Object.values(programs).map(({ command }) => command),
)

test('pages and charts are up to date with results', () => {
  expect(stalePages()).toEqual([])
})

test('a changed result makes its page, its chart and the index stale', () => {
  const changed = generate((subject) => {
    const results = readResults(subject)
    if (subject !== 'startup') return results
    const faster = (figure: Figure) => ({ ...figure, value: figure.value / 2 })
    return Object.fromEntries(
      Object.entries(results).map(([program, run]) => [program, { ...run, figures: run.figures.map(faster) }]),
    )
  })
  expect(stalePages(changed).sort()).toEqual(['README.md', 'charts/startup.svg', 'startup.md'])
})

test('headlines and charts find their figures once their programs have run', () => {
  const files = generate()
  const lacking = Object.entries(subjects).flatMap(([name, { headline, chart }]) => {
    const results = readResults(name)
    const isLacking = {
      headline: headline.program in results && files.get(`${name}.md`)?.includes('\nNot measured yet.\n'),
      chart: (chart.program ?? headline.program) in results && !files.has(`charts/${name}.svg`),
    }
    return Object.entries(isLacking).flatMap(([what, is]) => (is ? `${what} of ${name}` : []))
  })
  expect(lacking).toEqual([])
})

test('`npm run bench` runs every program that records figures, except those with external data', () => {
  expect(commands.filter(([file = '']) => !existsSync(new URL(file, root)))).toEqual([])
  const files = readdirSync(new URL('bench/', root), { recursive: true, encoding: 'utf8' })
  const recording = files
    .filter((file) => file.endsWith('.ts') && file !== 'figures.ts')
    .filter((file) => /\brecord\(/.test(readFileSync(new URL(`bench/${file}`, root), 'utf8')))
  const listed = new Set(commands.map(([file = '']) => file.replace(/^bench\//, '')))
  expect(recording.filter((file) => !listed.has(file))).toEqual(['language/run.ts'])
})

test('a chart marks goals and the figures that miss them', () => {
  const figure = { name: 'a < b', unit: '×', goal: { atLeast: 1 } }
  const svg = barChart('Ratios', [
    { ...figure, value: 2 },
    { ...figure, value: 0.5 },
  ])
  expect(svg.match(/class="goal"/g)).toHaveLength(2)
  expect(svg.match(/class="bar missed"/g)).toHaveLength(1)
  expect(svg).toContain('a &lt; b')
  expect(svg).toContain('prefers-color-scheme: dark')
})
