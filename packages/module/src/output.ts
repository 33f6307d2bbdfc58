import { styleText } from 'node:util'

/** `icosa operations | head` is no mistake of anybody. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      throw error
    })
}

/** Characters that a terminal obeys, with the rest of a colour's code, and those that reorder text. */
const controls = /\p{Cc}(?:\[\d+m)?|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const allowed = new Set(['\t', '\n', '\u001b[1m', '\u001b[22m']) // the last two are bold, as `table` has it

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Callers choose names, paths and log lines, which must not command the terminal. JSON keeps its meaning. */
export const printable = (text: string) =>
  text.replace(controls, (match) =>
    allowed.has(match) || allowed.has(match.charAt(0)) ? match : escaped(match) + match.slice(1),
  )

export function print(line = ''): void {
  process.stdout.write(`${printable(line)}\n`)
}

/** Progress and remarks go to stderr: stdout belongs to the answer. */
export function remark(line: string): void {
  process.stderr.write(`${printable(line)}\n`)
}

/**
 * Columns as wide as their widest cell. Where that is wider than the terminal, each row is a paragraph of its own:
 * an address that is cut off, or broken over two lines, cannot be copied.
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

/** A cell with ends of lines could pass for rows of its own. */
const oneLine = (cell: string) => cell.replace(/\p{Cc}/gu, escaped)

function tableOf(head: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const width = widths.reduce((sum, one) => sum + one + 2, -2)
  if (width > columns) return rows.map((row) => paragraph(head, row)).join('\n\n')
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [strong(line(head)), line(widths.map((one) => '-'.repeat(one))), ...rows.map(line)].join('\n')
}

function paragraph(head: readonly string[], row: readonly string[]): string {
  const width = Math.max(...head.map(({ length }) => length))
  return head
    .flatMap((title, column) => (row[column] ? `${strong(title.padEnd(width))}  ${row[column]}` : []))
    .join('\n')
}

/** What is not read in a terminal may be as wide as it likes. */
const terminalColumns = () => (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY)

/** Plain where there is no terminal, or NO_COLOR is set. */
const strong = (words: string) => styleText('bold', words, { stream: process.stdout })
