import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@icosa/testing'
import { expect, test } from 'vitest'
import { createTestDirectory } from '../cells/testing/directory.ts'
import { refusalOf, shellOf } from '../testing/shell.ts'
import { startHaproxy } from './testing/haproxy.ts'
import { addCell, addTenant } from './testing/router.ts'

const cli = new URL('../../bin/icosa.js', import.meta.url).pathname

/** A directory of one cell, which answers after `delayMs`. */
async function directoryOfOne(delayMs = 0) {
  const stack = new AsyncDisposableStack()
  const { database, url } = stack.use(await createTestDirectory())
  const server = createServer((_, response) => void setTimeout(() => response.end('cell a'), delayMs))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  await addCell(database, 'a', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, true)
  await addTenant(database, 'ada', 'adaadaadaada', 'a')
  const data = await mkdtemp(join(tmpdir(), 'icosa-route-'))
  stack.defer(() => rm(data, { recursive: true }))
  const env = { ...process.env, ICOSA_DIRECTORY_URL: url, ICOSA_DATA: data, ICOSA_DRAIN_MS: '0' }
  return { env, data, server, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('icosa route finishes running requests at SIGTERM, and starts without the directory', {
  timeout: 300_000,
}, async () => {
  await using directory = await directoryOfOne(500)
  const port = await freePort()
  const start = async (env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, [cli, 'route', '--port', String(port)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let lines = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      lines += text
    })
    await expect.poll(() => lines, { timeout: 120_000 }).toContain(`Routing at http://127.0.0.1:${port} to 1 cells`)
    return { child, [Symbol.dispose]: () => void child.kill('SIGKILL') }
  }
  const ask = () => fetch(`http://127.0.0.1:${port}/~adaadaadaada/x`).then((response) => response.text())
  {
    using running = await start(directory.env)
    const asked = once(directory.server, 'request')
    const answer = ask()
    await asked
    running.child.kill('SIGTERM')
    expect(await answer).toBe('cell a')
    if (running.child.exitCode === null) await once(running.child, 'exit')
    expect(running.child.exitCode).toBe(0)
  }
  expect((await stat(join(directory.data, 'routes'))).mode & 0o777).toBe(0o600)
  using _ = await start({ ...directory.env, ICOSA_DIRECTORY_URL: 'postgres://127.0.0.1:1/none' })
  expect(await ask()).toBe('cell a')
})

test('icosa route --haproxy writes what HAProxy runs', { timeout: 300_000 }, async () => {
  await using directory = await directoryOfOne()
  const port = await freePort()
  const folder = join(directory.data, 'haproxy')
  const printed = await shellOf(directory.env)('route', '--haproxy', folder, '--port', String(port))
  expect(printed).toContain(`Wrote ${folder}/haproxy.cfg for 1 cells: haproxy -W -f ${folder}/haproxy.cfg`)
  await using haproxy = await startHaproxy(folder, port)
  expect(await (await fetch(`${haproxy.url}/~adaadaadaada/x`)).text()).toBe('cell a')
  expect(await readFile(join(folder, 'haproxy.cfg'), 'utf8')).not.toContain('postgres:')
})

test('without a directory or a table, icosa route says what to do', async () => {
  expect(await refusalOf(['route'], {})).toContain('Set ICOSA_DIRECTORY_URL')
  expect(await refusalOf(['route', '--follow'], { ICOSA_DIRECTORY_URL: 'postgres://127.0.0.1:1/x' })).toContain(
    '--follow is for',
  )
  const data = await mkdtemp(join(tmpdir(), 'icosa-route-'))
  const env = { ICOSA_DIRECTORY_URL: 'postgres://127.0.0.1:1/x', ICOSA_DATA: data }
  expect(await refusalOf(['route'], env)).toContain(
    `There is no routing table at ${data}/routes, and the directory cannot be read`,
  )
  await rm(data, { recursive: true })
})
