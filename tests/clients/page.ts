import { readFileSync, writeFileSync } from 'node:fs'
import { clients } from './clients.ts'
import { listed, type Result, readResults } from './results.ts'

const file = new URL('../../docs/start/clients-tested.md', import.meta.url)

const columns = [
  ['Operations', 'operations'],
  ['supported', 'supported'],
  ['Success', 'success'],
  ['Declared error', 'declared'],
  ['501 by name', 'notBuilt'],
  ['Not sent', 'client'],
  ['Listed', 'listed'],
  ['Wrong', 'wrong'],
] as const

function rowsOf(client: string, { version, services }: Result): string[] {
  const name = `${client} ${version}`.trim()
  return Object.entries(services).map(
    ([service, tally]) =>
      `| ${name} | ${clients[client]?.language ?? ''} | ${service} | ${columns.map(([, key]) => tally[key]).join(' | ')} |`,
  )
}

export function pageOf(results: Readonly<Record<string, Result>>): string {
  const rows = Object.entries(results).flatMap(([client, result]) => rowsOf(client, result))
  const dates = Object.values(results)
    .map(({ date }) => date)
    .sort()
  const reasons = listed.map(({ operation, reason }) => `- \`${operation.source.replace(/[\^$]/g, '')}\`: ${reason}`)
  return `# Clients under test

<!-- \`npm run clients\` writes this page from its results. -->

Every operation that a client library has for a service is called with the smallest input, with all members, with names of nothing,
and with wrong values. Answers must parse, and errors must be those that the client's model declares. Journeys stand for clients
without a model. Last run: ${dates.at(-1) ?? 'never'}.

\`\`\`sh
npm run clients             # all, on Debian 12; installs the packages it needs
npm run clients -- boto3    # one
\`\`\`

| Client | Language | Service | ${columns.map(([title]) => title).join(' | ')} |
|---|---|---|${columns.map(() => '--:').join('|')}|
${rows.join('\n')}

Columns count operations, then calls. "501 by name" is an operation, or a member of its input, that is not supported, and says so.
"Not sent" was refused by the client itself.

Listed, because the answer is meant so:

${reasons.join('\n')}
`
}

export const isStale = () => readFileSync(file, 'utf8') !== pageOf(readResults())
export const writePage = () => writeFileSync(file, pageOf(readResults()))
