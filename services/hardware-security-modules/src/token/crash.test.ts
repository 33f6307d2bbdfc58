import { type ChildProcess, fork } from 'node:child_process'
import { verify } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { client } from '@icosa/client'
import { children, createTestDatabase, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { keys } from '../contract.ts'
import { hardwareSecurityModules } from '../index.ts'
import { serviceName } from '../names.ts'
import { newFolder, type OpenedModule, startModules } from '../testing/app.ts'
import type { NodeArguments } from '../testing/node.ts'

const data = Buffer.from('signed data')
const sign = { algorithm: 'ES256', value: data.toString('base64') } as const

/** Checks that every acknowledged key is listed once, and signs. */
async function expectAll(api: ReturnType<typeof client<typeof keys>>, moduleId: string, created: Map<string, string>) {
  const listed = new Map<string, number>()
  let after: string | undefined
  do {
    const { body } = await api.list({ params: { moduleId }, query: after === undefined ? {} : { after } })
    for (const { name = '' } of body.value) listed.set(name, (listed.get(name) ?? 0) + 1)
    after = body.nextLink === undefined ? undefined : (new URL(body.nextLink).searchParams.get('after') ?? undefined)
  } while (after !== undefined)
  for (const [keyName, publicKey] of created) {
    expect(listed.get(keyName), keyName).toBe(1)
    const { signature } = (await api.sign({ params: { moduleId, keyName }, body: sign })).body
    expect(verify('sha256', data, publicKey, Buffer.from(signature, 'base64')), keyName).toBe(true)
  }
}

test('no key is lost when the process of a token is killed repeatedly', async () => {
  await using world = await startModules()
  const module = await world.open('killed')
  const at = (keyName: string) => ({ params: { moduleId: module.id, keyName } })
  await module.keys.make({ ...at('old'), body: { type: 'EC', curve: 'P-256' } })
  const created = new Map<string, string>()
  let [isOver, kills, signed, refused] = [false, 0, 0, 0]
  const killing = (async () => {
    for (; kills < sized(4, 25); kills++) {
      const before = { signed, created: created.size }
      await expect
        .poll(() => signed > before.signed + 5 && created.size > before.created, { timeout: 120_000 })
        .toBe(true)
      for (const pid of tokensIn(world.folder)) process.kill(pid, 'SIGKILL')
    }
    isOver = true
  })()
  const making = (async () => {
    for (let index = 0; !isOver; index++) {
      const body = { type: 'EC', curve: 'P-256' } as const
      const key = await module.keys.make({ ...at(`key-${index}`), body }).catch(() => undefined)
      if (key) created.set(`key-${index}`, key.body.publicKey ?? '')
    }
  })()
  const signing = Array.from({ length: 4 }, async () => {
    while (!isOver)
      await module.keys.sign({ ...at('old'), body: sign }).then(
        () => signed++,
        () => refused++,
      )
  })
  await Promise.all([killing, making, ...signing])
  console.log(`${kills} kills: ${created.size} keys created, ${signed} signatures, ${refused} refused`)
  expect(created.size).toBeGreaterThan(0)
  expect(signed).toBeGreaterThan(0)
  await expectAll(module.keys, module.id, created)
  expect(readdirSync(world.folder).length, 'folders of killed processes are deleted').toBe(1)
}, 300_000)

/** Returns the token processes of a folder. */
function tokensIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words.some((word) => word.startsWith('{') && word.includes(folder)) ? [Number(pid)] : []
    } catch {
      return [] // not a process, or just ended
    }
  })
}

test('a node never exceeds its limit of processes', async () => {
  await using world = await startModules({ processes: 1 })
  const modules = [await world.open('one'), await world.open('two')]
  let maxRunning = 0
  const make = async ({ id, keys }: OpenedModule, keyName: string) => {
    await keys.make({ params: { moduleId: id, keyName }, body: { type: 'EC', curve: 'P-256' } })
    maxRunning = Math.max(maxRunning, tokensIn(world.folder).length)
  }
  for (const module of modules) await make(module, 'in-turn')
  await Promise.all(modules.map((module) => make(module, 'concurrent')))
  expect(maxRunning).toBe(1)
})

test('every key that a killed node acknowledged exists once on the next node', async () => {
  const folder = newFolder()
  await using all = children()
  await using database = await createTestDatabase([hardwareSecurityModules({ folder })])
  const blobs = mkdtempSync(join(tmpdir(), 'icosa-blobs-'))
  const start = async (): Promise<{ child: ChildProcess; url: string; key: string; moduleId: string }> => {
    const options: NodeArguments = { databaseUrl: database.url, blobs, folder }
    const child = all.add(
      fork(fileURLToPath(new URL('../testing/node.ts', import.meta.url)), [JSON.stringify(options)]),
    )
    const [ready] = await once(child, 'message')
    return { child, ...ready }
  }
  const created = new Map<string, string>()
  let last: Awaited<ReturnType<typeof start>> | undefined
  let count = 0
  for (let round = 0; round < sized(2, 8); round++) {
    last = await start()
    const { child, url, key, moduleId } = last
    const api = client(keys, { baseUrl: `${url}/${serviceName}`, headers: { authorization: `Bearer ${key}` } })
    await expectAll(api, moduleId, created)
    const before = created.size
    const exit = once(child, 'exit')
    let isOver = false
    const makers = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const keyName = `key-${count++}`
        const body = { type: 'EC', curve: 'P-256' } as const
        const response = await api.make({ params: { moduleId, keyName }, body }).catch(() => undefined)
        if (response) created.set(keyName, response.body.publicKey ?? '')
      }
    })
    await expect.poll(() => created.size, { timeout: 120_000, interval: 20 }).toBeGreaterThan(before + 10)
    child.kill('SIGKILL')
    await exit
    isOver = true
    await Promise.all(makers)
  }
  last = await start()
  const headers = { authorization: `Bearer ${last.key}` }
  await expectAll(client(keys, { baseUrl: `${last.url}/${serviceName}`, headers }), last.moduleId, created)
  console.log(`${created.size} keys acknowledged by killed nodes, all exist`)
}, 600_000)
