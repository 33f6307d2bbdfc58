import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'

/** Exits quietly on a broken pipe: `icosa operations | head` is not an error. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      throw error
    })
}

/** Terminal control characters, with the rest of a colour code, and those that reorder text. */
const controls = /\p{Cc}(?:\[\d+m)?|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const allowed = new Set(['\t', '\n', '\u001b[1m', '\u001b[22m']) // the last two are bold, as used by `table`

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters in untrusted names, paths and log lines, for terminals. JSON stays equivalent. */
export const printable = (text: string) =>
  text.replace(controls, (match) =>
    allowed.has(match) || allowed.has(match.charAt(0)) ? match : escaped(match) + match.slice(1),
  )

export function print(line = ''): void {
  process.stdout.write(`${printable(line)}\n`)
}

/** Progress and remarks go to stderr, since stdout is for results. */
export function remark(line: string): void {
  process.stderr.write(`${printable(line)}\n`)
}

/**
 * Columns are as wide as their widest cell. If they exceed the terminal, each row becomes a paragraph: an address that
 * is truncated or broken over two lines cannot be copied.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = terminalColumns(),
): string {
  return tableOf(
    head,
    rows.map((row) => row.map(oneLine)),
    columns,
  )
}

/** Line breaks in a cell could forge rows. */
const oneLine = (cell: string) => cell.replace(/\p{Cc}/gu, escaped)

function tableOf(head: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const width = widths.reduce((sum, columnWidth) => sum + columnWidth + 2, -2)
  if (width > columns) return rows.map((row) => paragraph(head, row)).join('\n\n')
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [strong(line(head)), line(widths.map((columnWidth) => '-'.repeat(columnWidth))), ...rows.map(line)].join('\n')
}

function paragraph(head: readonly string[], row: readonly string[]): string {
  const width = Math.max(...head.map(({ length }) => length))
  return head
    .flatMap((title, column) => (row[column] ? `${strong(title.padEnd(width))}  ${row[column]}` : []))
    .join('\n')
}

/** Unlimited without a terminal. */
const terminalColumns = () => (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY)

/** Plain without a terminal, or if NO_COLOR is set. */
const strong = (words: string) => styleText('bold', words, { stream: process.stdout })

/** Whether a person reads our output and can reply. */
export const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks the user for confirmation. Anything but yes is no. */
export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${printable(question)} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

/** Writes a transient line on a terminal, which the next one replaces; an empty one clears it. */
export function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${printable(line)}`)
}
