/**
 * Backs up a database through the service and with plain `pg_dump | restic`, on the same machine in the same run: the
 * first time, unchanged, and with 1 % of the rows changed: the newest ones, and every hundredth, which touches every
 * chunk of restic's (1 MB). BENCH_MB is the size of the database (100).
 * `scripts/postgres run node bench/backup/run.ts`
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '@icosa/backup'
import { backupJobs, vaults } from '@icosa/backup/contract'
import { settings } from '@icosa/backup/settings'
import { client } from '@icosa/client'
import { credentialsFor, startTestApp } from '@icosa/testing'
import { dropPhysical, testService } from '../../services/sql-databases/src/testing/app.ts'
import { idOf, tenantOf } from '../../services/sql-databases/src/testing/tenant.ts'
import { type Figure, record } from '../figures.ts'

const megabytes = Number(process.env.BENCH_MB ?? 100)
const rowBytes = 1_030
const rows = Math.round((megabytes * 1_000_000) / rowBytes)
const folder = await mkdtemp(join(tmpdir(), 'icosa-bench-'))
const ours = join(folder, 'ours')
const baseline = join(folder, 'theirs')

async function sizeOf(of: string): Promise<number> {
  const all = await readdir(of, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(all.filter((one) => one.isFile()).map((one) => stat(join(one.parentPath, one.name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** `work` may return its own duration. */
async function timed(of: string, work: () => Promise<number> | undefined) {
  const before = await sizeOf(of)
  const began = performance.now()
  const output = await work()
  return { seconds: output ?? (performance.now() - began) / 1_000, added: (await sizeOf(of)) - before }
}

const service = backup({ ...settings.read({}), region: 'us-east-1', repositories: ours })
const app = await startTestApp({ services: [testService(), service] })
try {
  const owner = await tenantOf(app, 'acme')
  await owner.create('large')
  await using connection = await owner.connect('large')
  await connection.query('create table large (id int primary key, content text not null)')
  await connection.query(
    `insert into large select n, (select string_agg(encode(sha512((n || ' ' || m)::bytea), 'hex'), '')
       from generate_series(1, 8) m) from generate_series(1, $1::int) n`,
    [rows],
  )
  await connection.query('vacuum analyze large') // or autovacuum runs during the measurement
  const calls = client({ ...vaults, ...backupJobs }, await credentialsFor(app, service, 'acme'))
  await calls.CreateBackupVault({ params: { backupVaultName: 'bench' }, body: {} })
  const { connectionString } = await owner.credentials('large')
  const env = { ...process.env, RESTIC_PASSWORD: 'bench', RESTIC_REPOSITORY: baseline }
  execFileSync('restic', ['init', '--quiet', '--no-cache'], { env })

  const byService = async () => {
    const body = { BackupVaultName: 'bench', ResourceArn: idOf('large'), IamRoleArn: 'arn:aws:iam::1:role/any' }
    const { BackupJobId } = (await calls.StartBackupJob({ body })).body
    await app.jobs.drain()
    const job = (await calls.DescribeBackupJob({ params: { backupJobId: BackupJobId } })).body
    if (job.State !== 'COMPLETED') throw new Error(`${job.State}: ${job.StatusMessage}`)
    return (job.CompletionDate ?? 0) - (job.CreationDate ?? 0)
  }
  const byHand = () => {
    // Each in its own session, as the service starts them: on a busy machine Linux schedules by session.
    const dump = `setsid -w pg_dump --format=custom --compress=0 '${connectionString}'`
    const dumped = `${dump} | setsid -w nice -n 10 restic backup --stdin --quiet --no-cache`
    execFileSync('sh', ['-c', dumped], { env })
    return undefined
  }
  const reverse = 'update large set content = reverse(content) where'
  const changeLast = () => connection.query(`${reverse} id > $1::int`, [Math.floor(rows * 0.99)])
  const changeEverywhere = () => connection.query(`${reverse} id % 100 = 0`)

  const figures: Figure[] = []
  const first = { ours: 0, theirs: 0 }
  for (const [name, before] of Object.entries({
    'first backup': undefined,
    'backup, unchanged': undefined,
    'backup, last 1 % of the rows changed': changeLast,
    'backup, every 100th row changed': changeEverywhere,
  })) {
    await before?.()
    const hand = await timed(baseline, byHand)
    const own = await timed(ours, byService)
    if (name === 'first backup') Object.assign(first, { ours: own.added, theirs: hand.added })
    const subject = `${name}, ${megabytes} MB`
    const comparedWith = '`pg_dump | restic` by hand'
    figures.push(
      { name: `${subject}, throughput`, value: hand.seconds / own.seconds, unit: '×', comparedWith },
      { name: `${subject}, time`, value: own.seconds, unit: 's' },
      { name: `${subject}, added to the vault`, value: (100 * own.added) / first.ours, unit: '%' },
      { name: `${subject}, added by hand`, value: (100 * hand.added) / first.theirs, unit: '%' },
    )
  }
  record(figures)
} finally {
  await dropPhysical(app.platform.database)
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
