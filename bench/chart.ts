import { type Figure, isMissed, shownGoal, shownValue } from './figures.ts'

const width = 720
const margin = 24
const rowHeight = 46
const top = 52
const plotted = width - 2 * margin

const escaped = (text: string) =>
  text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Colours of packages/pages. The chart brings its own background, so that it is readable on any page. */
const style = `
    .page { fill: #f2f5f4 } text { fill: #17211f } .value { font-weight: 600 } .track { fill: #d6dedc }
    .bar { fill: #0b5f5c } .missed { fill: #a33a1f } .goal { stroke: #17211f; stroke-width: 2; stroke-dasharray: 4 3 }
    @media (prefers-color-scheme: dark) {
      .page { fill: #18211f } text { fill: #e7eeec } .track { fill: #35423f }
      .bar { fill: #74d0c6 } .missed { fill: #ffb1a8 } .goal { stroke: #e7eeec }
    }`

const goalOf = ({ goal }: Figure) => goal && ('atLeast' in goal ? goal.atLeast : goal.atMost)

/** Horizontal bars as SVG, each with its goal as a dashed line. */
export function barChart(title: string, figures: readonly Figure[]): string {
  const largest = Math.max(...figures.flatMap((figure) => [figure.value, goalOf(figure) ?? 0]))
  const x = (value: number) => Math.round((plotted * Math.max(0, value)) / largest)
  const height = top + figures.length * rowHeight + margin / 2
  const bars = figures.map((figure, nth) => {
    const { name, statistic, value, unit, goal } = figure
    const y = top + nth * rowHeight
    const label = escaped(statistic ? `${name}, ${statistic}` : name)
    const goalText = goal ? ` (goal: ${shownGoal(goal, unit)})` : ''
    const goalX = margin + x(goalOf(figure) ?? 0)
    const line = goal ? `<path class="goal" d="M${goalX} ${y + 14}v22"/>` : ''
    return `  <text x="${margin}" y="${y + 10}">${label}: <tspan class="value">${escaped(shownValue(value, unit))}</tspan>${escaped(goalText)}</text>
  <rect class="track" x="${margin}" y="${y + 18}" width="${plotted}" height="14" rx="3"/>
  <rect class="bar${isMissed(figure) ? ' missed' : ''}" x="${margin}" y="${y + 18}" width="${Math.max(2, x(value))}" height="14" rx="3"/>${line}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">
  <title id="title">${escaped(title)}</title>
  <style>${style}
  </style>
  <rect class="page" width="${width}" height="${height}" rx="12"/>
  <text x="${margin}" y="30" font-size="15" font-weight="700">${escaped(title)}</text>
${bars.join('\n')}
</svg>
`
}
