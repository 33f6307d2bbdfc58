import type { LoggedQuery } from '../prediction/log-store.ts'

/** Prefixes text that a spreadsheet would run as a formula. */
const cell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

export function csvOf(rows: readonly LoggedQuery[]): string {
  const lines = rows.map(({ query, createdAt, answer }) =>
    [cell(query), createdAt.toISOString(), cell(JSON.stringify(answer))].join(','),
  )
  return `${['Query,UTC DateTime,Response', ...lines].join('\r\n')}\r\n`
}
