import type { Report, ReportedSection, Shape } from '../engine/report.ts'
import { callLine } from '../samples/view.ts'

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/[^\x20-\x7e\n]/g, '\ufffd')

const hex = (value: number) => `0x${value.toString(16)}`
const width = 640
const height = 120

/** How much each part of a file tells, from its beginning to its end: packed parts are at the top. */
function curveOf({ curve }: Shape, title: string): string {
  const x = (index: number) => ((index / Math.max(1, curve.length - 1)) * width).toFixed(1)
  const points = curve.map((bits, index) => `${x(index)},${(height - (bits / 8) * height).toFixed(1)}`).join(' ')
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" fill="none" stroke="#888"/><polyline points="${points}" fill="none" stroke="#06c"/></svg>`
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  `<table><tr>${head.map((title) => `<th>${escaped(title)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escaped(String(cell))}</td>`).join('')}</tr>`)
    .join('\n')}</table>`

const sectionTable = (sections: readonly ReportedSection[]) =>
  table(
    ['section', 'address', 'size', 'entropy'],
    sections.map(({ name, address, size, entropy }) => [name, hex(address), size, entropy]),
  )

const shape = (title: string, one: Shape) =>
  `<h2>${title}: ${one.size.toLocaleString('en')} bytes, entry point ${hex(one.entry)}, entropy ${one.entropy}</h2>
${curveOf(one, `Entropy of the file ${title.toLowerCase()}, from 0 to 8 bits a byte`)}${sectionTable(one.sections)}`

/** A report for people. Whatever a sample has chosen is only text in it. */
export function page(report: Report): string {
  const { before, after, why = '', calls, events, stopped } = report
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Unpack analysis</title>
<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{text-align:left;padding:0 1rem 0 0;overflow-wrap:anywhere}svg{width:100%}</style>
<h1>${escaped(report.format)}, packer: ${escaped(report.packer)}</h1>
<p>${after ? `Unpacked after ${report.layers.length} layers.` : escaped(why)} The emulation ended because ${escaped(stopped.text)}.</p>
${shape('As it was sent', before)}
${after ? shape('Unpacked', after) : ''}
<h2>What happened</h2>${table(
    ['ms', ''],
    events.map(({ atMs, text }) => [atMs, text]),
  )}
<h2>Calls (${report.callCount.toLocaleString('en')})</h2>${table(
    ['ms', 'layer', 'call'],
    calls.map((call) => [call.atMs, call.layer, callLine(call)]),
  )}</html>`
}
