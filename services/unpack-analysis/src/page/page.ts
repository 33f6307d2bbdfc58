import { type Html, html, type Page, page as wholePage } from '@icosa/pages'
import type { Report, ReportedSection, Shape } from '../engine/report.ts'
import { callLine } from '../samples/view.ts'

/** Removes all but plain characters from text that a sample chose. */
const plain = (text: string) => text.replace(/[^\x20-\x7e\n]/g, '\ufffd')

const style =
  'body{max-width:60rem;margin:2rem auto;padding:0 1rem}h2{margin:1.5rem 0 .5rem;font-size:1.125rem}svg{width:100%}'

const hex = (value: number) => `0x${value.toString(16)}`
const width = 640
const height = 120

/** Draws the entropy along a file: packed parts are at the top. */
function curveOf({ curve }: Shape, title: string): Html {
  const x = (index: number) => ((index / Math.max(1, curve.length - 1)) * width).toFixed(1)
  const points = curve.map((bits, index) => `${x(index)},${(height - (bits / 8) * height).toFixed(1)}`).join(' ')
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<rect width="${width}" height="${height}" fill="none" stroke="#888"/><polyline points="${points}" fill="none" stroke="#06c"/></svg>`
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  html`<div class="wide"><table><thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${plain(String(cell))}</td>`)}</tr>
`,
  )}</tbody></table></div>`

const sectionTable = (sections: readonly ReportedSection[]) =>
  table(
    ['section', 'address', 'size', 'entropy'],
    sections.map(({ name, address, size, entropy }) => [name, hex(address), size, entropy]),
  )

const shapeOf = (title: string, shape: Shape) =>
  html`<h2>${title}: ${shape.size.toLocaleString('en')} bytes, entry point ${hex(shape.entry)}, entropy ${shape.entropy}</h2>
${curveOf(shape, `Entropy of the file ${title.toLowerCase()}, from 0 to 8 bits a byte`)}${sectionTable(shape.sections)}`

/** Renders a report as HTML; everything that a sample chose is plain text. */
export function page(report: Report): Page {
  const { before, after, why = '', calls, events, stopped } = report
  const content = html`<main>
<h1>${plain(report.format)}, packer: ${plain(report.packer)}</h1>
<p>${after ? `Unpacked after ${report.layers.length} layers.` : plain(why)} The emulation ended because ${plain(stopped.text)}.</p>
${shapeOf('As sent', before)}
${after && shapeOf('Unpacked', after)}
<h2>Events</h2>${table(
    ['ms', 'event'],
    events.map(({ atMs, text }) => [atMs, text]),
  )}
<h2>Calls (${report.callCount.toLocaleString('en')})</h2>${table(
    ['ms', 'layer', 'call'],
    calls.map((call) => [call.atMs, call.layer, callLine(call)]),
  )}
</main>`
  return wholePage({ title: 'Unpack analysis', style, content })
}
