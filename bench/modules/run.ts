/**
 * Signatures of 32 clients over HTTP, each audited, compared with bare SoftHSM in this process, alternately in one run.
 * `scripts/postgres run node bench/modules/run.ts [signatures]`, needs wrk.
 */
import { execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { client } from '@icosa/client'
import { keys } from '@icosa/hardware-security-modules/contract'
import { openPkcs11 } from '@icosa/pkcs11'
import { createTestDatabase } from '@icosa/testing'
import { hardwareSecurityModules } from '../../services/hardware-security-modules/src/index.ts'
import { prepareFolder, zeroiseFolder } from '../../services/hardware-security-modules/src/token/files.ts'
import { createToken, openToken, type Token } from '../../services/hardware-security-modules/src/token/token.ts'
import { type Figure, latencies, median, record } from '../figures.ts'

const signatures = Number(process.argv[2] ?? 10_000)
const clients = 32
const rounds = 5
const seconds = 2
const data = Buffer.alloc(64, 7)
const kinds = [
  { algorithm: 'ES256', spec: { type: 'EC', curve: 'P-256' } },
  { algorithm: 'RS256', spec: { type: 'RSA', size: 2048 } },
] as const

/** Bare SoftHSM, loaded as a library: the same calls, without processes, HTTP and rows. */
async function bare(): Promise<Token> {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-bench-hsm-'))
  prepareFolder(folder)
  process.once('exit', () => zeroiseFolder(folder))
  process.env.SOFTHSM2_CONF = join(folder, 'softhsm2.conf')
  const pkcs11 = openPkcs11('/usr/lib/softhsm/libsofthsm2.so')
  const around = { library: '', keeps: 'sealed', folder, environment: {} } as const
  const pins = { so: randomUUID(), user: randomUUID() }
  createToken(pkcs11, around, 'bench', pins)
  const token = openToken(pkcs11, around, 'bench', pins)
  for (const { algorithm, spec } of kinds)
    await token.make(algorithm, { ...spec, operations: ['sign', 'verify'], exportable: false })
  return token
}

/** Signatures per second. */
async function rate(count: number, concurrency: number, sign: () => Promise<unknown>): Promise<number> {
  let left = count
  const began = performance.now()
  const one = async () => {
    while (left-- > 0) await sign()
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return (count / (performance.now() - began)) * 1_000
}

const run = promisify(execFile)

/** The same with wrk, whose clients cost almost nothing. */
async function load(address: string, script: string) {
  const { stdout } = await run('wrk', ['-t1', `-c${clients}`, `-d${seconds}s`, '--latency', '-s', script, address])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  const ms = (percent: number) => {
    const [, number = '0', unit = ''] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? []
    return Number(number) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN)
  }
  const [, signed] = /(\d+) requests in/.exec(stdout) ?? []
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  return { signed: Number(signed), perSecond: Number(perSecond), p50: ms(50), p99: ms(99) }
}

const folder = mkdtempSync(join(tmpdir(), 'icosa-bench-hsm-'))
await using database = await createTestDatabase([hardwareSecurityModules()])
const context = { databaseUrl: database.url, blobs: folder, folder: '/dev/shm', checkReplies: false }
const at = new URL('../../services/hardware-security-modules/src/testing/node.ts', import.meta.url)
const node = fork(at, [JSON.stringify(context)])
const [{ url, key, moduleId }] = await once(node, 'message')
const headers = { authorization: `Bearer ${key}` }
const api = client(keys, { baseUrl: `${url}/hardware-security-modules`, headers })
const token = await bare()

const figures: Figure[] = []
for (const { algorithm, spec } of kinds) {
  const params = { moduleId, keyName: algorithm }
  await api.make({ params, body: spec })
  const body = JSON.stringify({ algorithm, value: data.toString('base64') })
  const script = join(folder, `${algorithm}.lua`)
  writeFileSync(
    script,
    `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "${headers.authorization}"
wrk.body = '${body}'`,
  )
  const ours = () => load(`${url}/hardware-security-modules/modules/${moduleId}/keys/${algorithm}/sign`, script)
  const alone = () => token.sign(algorithm, { algorithm, data, isDigest: false })
  await ours()
  await rate(200, 1, alone)
  const [single, four, over] = [[] as number[], [] as number[], [] as Awaited<ReturnType<typeof load>>[]]
  const signed = () => over.reduce((sum, one) => sum + one.signed, 0)
  while (over.length < rounds || signed() < signatures) {
    single.push(await rate(1_000, 1, alone))
    over.push(await ours())
    four.push(await rate(1_000, 4, alone))
  }
  const [one, many, mine] = [median(single), median(four), median(over.map(({ perSecond }) => perSecond))]
  const name = `${algorithm} signature, ${clients} clients`
  figures.push(
    { name, value: mine / one, unit: '×', comparedWith: 'SoftHSM in-process, one at a time' },
    { name: `${name}, at once`, value: mine / many, unit: '×', comparedWith: 'SoftHSM in-process, four at once' },
    { name: `${name}, requests`, value: mine, unit: '/s' },
    ...latencies(`${name}, latency`, {
      p50: median(over.map(({ p50 }) => p50)),
      p99: median(over.map(({ p99 }) => p99)),
    }),
  )
}
record(figures)
node.disconnect()
await once(node, 'exit')
process.exit()
