/** Reads one stored row, bare and through the whole stack; then measures braille and the check of a key. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, credentials, openDatabase, systemClock } from '@icosa/kernel'
import { createTestDatabase, example } from '@icosa/testing'
import { openVault } from '@icosa/tokens'
import { insert } from '../../packages/testing/src/example/notes/store.ts'
import { paragraph } from '../../services/braille-translation/src/testing/liblouis-alone.ts'
import { type Figure, median, record } from '../figures.ts'
import { load, startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const goal = 0.85
const keyGoalUs = 3
const brailleGoal = 0.7
const tenant = 'bench'

await using database = await createTestDatabase([example])
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const { key, noteId } = await seed()
const keyCheckUs = await timeKeyCheck()
const servers = {
  bare: await start('bare.ts', [database.url, tenant]),
  ours: await start('ours.ts', [database.url, blobs]),
}
type Name = keyof typeof servers

const samples: { name: Name; connections: number; perSecond: number; cpuUs: number }[] = []
await both(32)
for (let round = 1; round <= rounds; round++) {
  for (const connections of [32, 128]) {
    for (const sample of await both(connections)) samples.push({ connections, ...sample })
  }
  process.stderr.write(`round ${round} of ${rounds}\n`)
}
const braille = await timeBraille()
for (const { child } of Object.values(servers)) child.kill('SIGKILL')
rmSync(blobs, { recursive: true })
report()

async function seed() {
  const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => {} })
  const note = await insert(db, tenant, { title: 'A note', text: 'of ordinary length '.repeat(10) }, systemClock.now())
  const { key } = await createKey(db, systemClock, { tenant, name: 'bench', permissions: ['*'] })
  await db.close()
  return { key, noteId: note.id }
}

/** A paragraph translated over HTTP while liblouis alone translates the same on the same core. */
async function timeBraille() {
  const { child } = await start('liblouis.ts', [])
  const path = `/braille-translation/translate/braille/unicode?text=${encodeURIComponent(paragraph)}`
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    child.send(seconds)
    const [[alone], ours] = await Promise.all([once(child, 'message'), read('ours', 8, path, 'X-Vendor-Api-Secret')])
    ratios.push(ours.perSecond / Number(alone))
  }
  child.kill('SIGKILL')
  return median(ratios)
}

/** CPU time of a cached key lookup with its permission check. */
async function timeKeyCheck(): Promise<number> {
  const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => {} })
  const vault = await openVault(db, { masterKeys: [Buffer.alloc(32, 1)], sealed: () => [] })
  const { byKey } = credentials(db, systemClock, vault)
  const times = 500_000
  await byKey(key)
  const before = process.cpuUsage()
  let allowed = 0
  for (let time = 0; time < times; time++) {
    const caller = byKey(key)
    const found = caller instanceof Promise ? await caller : caller
    if (found?.allows('example:getNote')) allowed++
  }
  const { user, system } = process.cpuUsage(before)
  await db.close()
  if (allowed !== times) throw new Error('the key was not always found')
  return (user + system) / times
}

function start(file: string, args: readonly string[]) {
  return startServer(new URL(file, import.meta.url), args)
}

/** Both at the same time on the same core, so that other load slows both alike. */
function both(connections: number) {
  const one = async (name: Name) => ({ name, ...(await read(name, connections)) })
  return Promise.all([one('bare'), one('ours')])
}

function read(name: Name, connections: number, path = `/example/notes/${noteId}`, header = 'X-Api-Key') {
  return load(servers[name], { connections, seconds, path, headers: { [header]: key } })
}

function report(): void {
  const figures = [32, 128].flatMap((connections): Figure[] => {
    const of = (name: Name, figure: 'perSecond' | 'cpuUs') =>
      samples
        .filter((sample) => sample.name === name && sample.connections === connections)
        .map((sample) => sample[figure])
    const [bare, ours] = [of('bare', 'perSecond'), of('ours', 'perSecond')]
    const ratio = median(ours.map((perSecond, round) => perSecond / (bare[round] ?? Number.NaN)))
    const read = `read of one row, ${connections} connections`
    return [
      { name: read, value: ratio, unit: '×', comparedWith: 'bare Fastify and `pg`', goal: { atLeast: goal } },
      { name: `${read}, requests`, value: median(ours), unit: '/s' },
      { name: `${read}, CPU`, value: median(of('ours', 'cpuUs')), unit: 'µs' },
      { name: `${read}, CPU of bare Fastify and \`pg\``, value: median(of('bare', 'cpuUs')), unit: 'µs' },
    ]
  })
  const alone = { comparedWith: 'liblouis alone', goal: { atLeast: brailleGoal } }
  record([
    ...figures,
    { name: 'braille translation over HTTP', value: braille, unit: '×', ...alone },
    { name: 'cached check of an API key, CPU', value: keyCheckUs, unit: 'µs', goal: { atMost: keyGoalUs } },
  ])
}
