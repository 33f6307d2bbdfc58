import { styleText } from 'node:util'

/** `icosa operations | head` is no mistake of anybody. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit()
      throw error
    })
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Progress and remarks go to stderr: stdout belongs to the answer. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`)
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
