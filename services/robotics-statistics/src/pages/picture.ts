import { type Html, html } from '@icosa/pages'
import type { Alliance } from '../season/lists.ts'
import type { Box, Bracket, Side } from './layout.ts'

const box = { width: 176, height: 62, gapX: 28, gapY: 18 }
const top = 34

const xOf = (column: number) => column * (box.width + box.gapX)
const yOf = (row: number) => top + row * (box.height + box.gapY)

/** Draws a bracket as SVG; its title describes the results for screen readers. */
export function picture({ boxes, columns, rows }: Bracket, alliances: readonly Alliance[]): Html {
  const width = xOf(Math.max(...columns.map(({ column }) => column))) + box.width
  const height = yOf(rows)
  const teamsOf = new Map(
    alliances.map(({ number, captain, round1, round2 }) => [number, [captain, round1, round2].join(' ')]),
  )
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="bracket-words">
<title id="bracket-words">${boxes.map(describe).join(' ')}</title>
${columns.map(({ title, column }) => html`<text class="round" x="${xOf(column)}" y="16">${title}</text>`)}
${boxes.map((match) => draw(match, teamsOf))}
</svg>`
}

const describe = ({ title, red, blue }: Box) =>
  `${title}: alliance ${red.alliance} ${red.score}, alliance ${blue.alliance} ${blue.score}.`

function draw({ title, column, row, red, blue }: Box, teamsOf: ReadonlyMap<number, string>): Html {
  const [x, y] = [xOf(column), yOf(row)]
  const half = (box.height - 14) / 2
  const side = ({ alliance, score, wins }: Side, color: string, at: number) =>
    html`<rect class="${color}${wins ? ' wins' : ''}" x="${x}" y="${at}" width="${box.width}" height="${half}" rx="3"/>
<text class="${wins ? 'won' : 'lost'}" x="${x + 8}" y="${at + 16}">${alliance}</text>
<text class="teams" x="${x + 28}" y="${at + 16}">${teamsOf.get(alliance) ?? ''}</text>
<text class="${wins ? 'won' : 'lost'}" x="${x + box.width - 8}" y="${at + 16}" text-anchor="end">${score}</text>
`
  return html`<text class="match" x="${x}" y="${y + 8}">${title}</text>
${side(red, 'red', y + 13)}${side(blue, 'blue', y + 14 + half)}`
}
