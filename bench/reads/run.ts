/** An authenticated GET of a resource of several services compared with a bare read of its row, concurrently on one core. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request, type Target } from '@icosa/client'
import { operationsOfService } from '@icosa/kernel'
import { createTestDatabase, credentialsFor, startTestApp } from '@icosa/testing'
import { type Figure, median, record } from '../figures.ts'
import { load, startServer } from '../load.ts'
import { type Subject, services, subjects } from './subjects.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const goal = 1.3
const connections = 64
const tenant = 'bench'

await using database = await createTestDatabase(services)
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const bare = await startServer(new URL('bare.ts', import.meta.url), [database.url])
const ours = await startServer(new URL('ours.ts', import.meta.url), [database.url, blobs])

const figures: Figure[] = []
for (const subject of subjects) figures.push(...(await compare(subject)))
for (const { child } of [bare, ours]) child.kill('SIGKILL')
rmSync(blobs, { recursive: true })
record(figures)

async function compare(subject: Subject): Promise<Figure[]> {
  const { key, path, headers } = await seeded(subject)
  const both = () =>
    Promise.all([
      load(bare, { connections, seconds, path: `/${subject.name}/${key}`, headers: {} }),
      load(ours, { connections, seconds, path, headers }),
    ])
  await both()
  const samples: Awaited<ReturnType<typeof both>>[] = []
  for (let round = 0; round < rounds; round++) samples.push(await both())
  const ratio = median(samples.map(([alone, own]) => own.perSecond / alone.perSecond))
  const of = (which: 0 | 1, figure: 'perSecond' | 'cpuUs') => median(samples.map((sample) => sample[which][figure]))
  const read = `read of a ${subject.name}, ${connections} connections`
  return [
    { name: read, value: ratio, unit: '×', comparedWith: 'bare Fastify and `pg`', goal: { atLeast: goal } },
    { name: `${read}, requests`, value: of(1, 'perSecond'), unit: '/s' },
    { name: `${read}, CPU`, value: of(1, 'cpuUs'), unit: 'µs' },
    { name: `${read}, CPU of bare Fastify and \`pg\``, value: of(0, 'cpuUs'), unit: 'µs' },
  ]
}

/** Creates the resource, and the request that reads it. */
async function seeded({ service, seed, operation: id, query, keyOf }: Subject) {
  await using app = await startTestApp({ services, databaseUrl: database.url })
  const target = await credentialsFor(app, service, tenant)
  const known = await seed(target, app)
  const operation = operationsOfService(service).find((one) => one.id === id)?.operation
  if (!operation) throw new Error(`${service.name} has no ${id}`)
  const own = { ...target, baseUrl: `${ours.url}/${service.name}` }
  return { key: keyOf(known), ...(await sent(own, (to) => request(operation, to, { params: known, query }))) }
}

/** Path and headers of the request that a client sends. */
async function sent(target: Target, send: (target: Target) => Promise<unknown>) {
  const really = globalThis.fetch
  let seen = { path: '', headers: {} as Record<string, string> }
  const record: typeof fetch = async (input, init) => {
    const { url, headers } = new Request(input, init)
    const { pathname, search } = new URL(url)
    seen = { path: pathname + search, headers: Object.fromEntries(headers) }
    return new Response()
  }
  globalThis.fetch = record
  try {
    await send(target)
  } finally {
    globalThis.fetch = really
  }
  return seen
}
