/**
 * Cost of machines and of a listener: the memory of twenty machines, and pgbench directly to one, through our
 * listener's proxy and through HAProxy, alternately in one run.
 * `scripts/postgres run node bench/machines/run.ts [machines]`
 */
import { execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from '@icosa/kernel'
import { freePort } from '@icosa/testing'
import { foldersOf } from '../../services/sql-virtual-machines/src/hosting/folders.ts'
import { processesOf } from '../../services/sql-virtual-machines/src/hosting/tree.ts'
import { openProxy } from '../../services/sql-virtual-machines/src/listeners/proxy.ts'
import { startMachinesApp } from '../../services/sql-virtual-machines/src/testing/app.ts'
import { tenantOf } from '../../services/sql-virtual-machines/src/testing/tenant.ts'
import { type Figure, median, record } from '../figures.ts'

const run = promisify(execFile)
const count = Number(process.argv[2] ?? 20)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = 5
const figures: Figure[] = []

/** Proportional set size of its processes. */
async function memoryOf(folder: string): Promise<number> {
  const all = await processesOf(folder)
  const sizes = await Promise.all(
    all.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

await using app = await startMachinesApp()
const tenant = await tenantOf(app, 'bench')
for (let number = 1; number <= count; number++) {
  const began = performance.now()
  await tenant.create(`machine-${number}`)
  if (number === 1)
    figures.push({ name: 'first machine running', value: (performance.now() - began) / 1_000, unit: 's' })
}
const rows = await app.platform.database.many<{ id: string }>(sql`select id from sql_virtual_machines.machines`)
const memory = await Promise.all(rows.map(({ id }) => memoryOf(foldersOf(app.folder, id).all)))
const idle = `memory of an idle machine, one of ${rows.length}`
figures.unshift(
  { name: idle, statistic: 'p50', value: median(memory) / 1024, unit: 'MB' },
  { name: idle, statistic: 'max', value: Math.max(...memory) / 1024, unit: 'MB' },
)

const { host, port, user, password, database } = await tenant.credentials('machine-1')
const bare = { host, port }
const ours = await freePort()
const proxy = await openProxy(ours, '127.0.0.1', console.error)
proxy.follow(bare)
const freshPort = await freePort()
const config = join(app.folder, 'haproxy.cfg')
await writeFile(
  config,
  `defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen machine
  bind 127.0.0.1:${freshPort}
  server one ${host}:${port}
`,
)
const haproxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' })
await delay(1_000)

const env = { ...process.env, PGPASSWORD: password, PGSSLMODE: 'disable' }
const pgbench = async (at: number, ...args: string[]) => {
  const { stdout } = await run(
    '/usr/lib/postgresql/15/bin/pgbench',
    ['-h', '127.0.0.1', '-p', String(at), '-U', user, ...args, database],
    { env },
  )
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0)
}
await pgbench(port, '-i', '-q', '-s', '1')
const ways = { 'a direct connection': port, 'our listener': ours, HAProxy: freshPort }
for (const [what, flags] of [
  ['reads', ['-S', '-M', 'prepared']],
  ['transactions', ['-N']],
] as const) {
  const measured: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++)
    for (const [way, at] of Object.entries(ways))
      measured[way] = [
        ...(measured[way] ?? []),
        await pgbench(at, ...flags, '-c', '8', '-j', '2', '-T', String(seconds)),
      ]
  const base = median(measured['a direct connection'] ?? [])
  for (const [way, all] of Object.entries(measured)) {
    if (way !== 'a direct connection')
      figures.push({
        name: `${what} by ${way}`,
        value: median(all) / base,
        unit: '×',
        comparedWith: 'a direct connection',
      })
    figures.push({ name: `${what} by ${way}, rate`, value: median(all), unit: '/s' })
  }
}
record(figures)
haproxy.kill()
await proxy.close()
