/**
 * `npm run clients [-- name ...]` calls the platform with clients in other languages, and writes
 * docs/start/clients-tested.md. Installs Debian packages that are missing.
 */
import { clients } from './clients.ts'
import { writePage } from './page.ts'
import { runClients } from './platform.ts'
import { store, tallies, wrongCalls } from './results.ts'

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in clients))
if (unknown.length > 0) throw new Error(`Unknown: ${unknown}. There are ${Object.keys(clients).join(', ')}.`)

let wrong = 0
for await (const [name, report] of runClients(chosen.length > 0 ? chosen : Object.keys(clients))) {
  const services = tallies(report)
  store(name, { version: report.version, date: new Date().toISOString().slice(0, 10), services })
  for (const [service, tally] of Object.entries(services)) console.log(name.padEnd(30), service, JSON.stringify(tally))
  for (const call of wrongCalls(report)) {
    console.log(`  wrong: ${call.operation} (${call.input}): ${call.detail}`)
    wrong++
  }
}
writePage()
if (wrong > 0) process.exitCode = 1
