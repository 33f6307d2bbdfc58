import type { Logged } from '../prediction/log-store.ts'

/** A text that a spreadsheet takes as a formula gets a quote before it. */
const cell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

export function csvOf(rows: readonly Logged[]): string {
  const lines = rows.map(({ query, createdAt, answer }) =>
    [cell(query), createdAt.toISOString(), cell(JSON.stringify(answer))].join(','),
  )
  return `${['Query,UTC DateTime,Response', ...lines].join('\r\n')}\r\n`
}
