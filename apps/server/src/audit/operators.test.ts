import { hostname, userInfo } from 'node:os'
import { createTestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '../command.ts'
import { commands } from '../commands/index.ts'
import { withPlatform } from '../node.ts'
import { serviceCommands } from '../service-command.ts'
import { allServices } from '../services.ts'
import { type Shell, shellOf } from '../testing/shell.ts'
import { auditedAction } from './action.ts'

const every = await Promise.all(Object.values({ ...commands, ...(await serviceCommands()) }).map((load) => load()))

/** First word of each alternative in a usage; '' if it begins with a flag. */
function actionsIn({ name, usage }: Command): string[] {
  let bare = usage
  while (/\[[^[\]]*\]|\([^()]*\)/.test(bare)) bare = bare.replace(/\[[^[\]]*\]|\([^()]*\)/g, '')
  const [, ...words] = bare.startsWith(name) ? [name, bare.slice(name.length)] : []
  return words
    .join('')
    .split(' | ')
    .map((one) => /^ *([a-z-]*)/.exec(one)?.[1] ?? '')
}

test('every action of every command declares its audit log entry, and undeclared actions are refused', () => {
  expect(every.length).toBeGreaterThan(30)
  const byAction = every.filter(({ audited }) => audited !== false && !Array.isArray(audited) && !('flags' in audited))
  expect(byAction.length).toBeGreaterThan(15)
  for (const command of byAction) {
    for (const action of actionsIn(command)) expect(() => auditedAction(command, [action])).not.toThrow()
    for (const action of ['seize', 'constructor', '__proto__'])
      expect(() => auditedAction(command, [action])).toThrow(`Usage: icosa ${command.name}`)
  }
})

/** Flags whose values may be or contain secrets. */
const secretFlags = ['value', 'key', 'body', 'attributes', 'set-env-vars', 'url']

test('audited flags exist on their command and never contain secrets', () => {
  for (const command of every)
    for (const action of actionsIn(command)) {
      const { flags = [] } = auditedAction(command, [action].filter(Boolean)) ?? {}
      expect(
        flags.filter((flag) => !(flag in command.flags) || secretFlags.includes(flag)),
        command.name,
      ).toEqual([])
    }
})

/** Commands that grant or change permissions or data; all others are in the usages above. */
const power = [
  ...['keys create', 'keys revoke', 'token', 'token revoke', 'subscriptions bind', 'subscriptions release'],
  ...['signing-keys rotate', 'master-key rotate', 'tenants export', 'tenants delete', 'tenants limits a b c d'],
  ...['people invite', 'people disable', 'people enable', 'clients approve', 'clients withdraw', 'backup export-key'],
  ...['functions deploy', 'functions secrets set', 'topics publish', 'bank seed', 'reset', 'clock advance'],
]

test.each(power)('%s is in the audit log', (line) => {
  const [name, ...words] = line.split(' ')
  const command = every.find((one) => one.name === name)
  expect(command && auditedAction(command, words)).toBeDefined()
})

let database: Awaited<ReturnType<typeof createTestDatabase>>
let icosa: Shell
beforeAll(async () => {
  database = await createTestDatabase(withPlatform(await allServices(), 'system'))
  icosa = shellOf({ DATABASE_URL: database.url, ICOSA_MASTER_KEY: masterKey(7) })
})
afterAll(() => database[Symbol.asyncDispose]())

const masterKey = (byte: number) => Buffer.alloc(32, byte).toString('base64')

interface Entry {
  readonly caller: string
  readonly operation: string
  readonly resource: string
  readonly subject: string
  readonly status: number
}
const log = async (): Promise<Entry[]> => JSON.parse(await icosa('audit', 'list', '--json'))

test('the audit log records operator actions by name, before and after, without secrets', async () => {
  const key = await icosa('keys', 'create', '--tenant', 'acme', '--as', 'ada')
  const token = await icosa('token', '--tenant', 'acme', '--permissions', 'backup:*')
  await icosa('subscriptions', 'bind', 'S', '--tenant', 'acme')
  await expect(icosa('keys', 'revoke', key), 'a key instead of its id').rejects.toThrow('not found')
  const { id } = JSON.parse(await icosa('keys', 'list', '--json'))[0]
  await icosa('keys', 'revoke', id)
  await icosa('signing-keys', 'rotate', '--now')
  await icosa('people', 'invite', 'hana@example.com', '--tenant', 'acme')

  const account = `${userInfo().username}@${hostname()}`
  const entries = await log()
  const of = (operation: string) => entries.filter((entry) => entry.operation === operation).map(({ status }) => status)
  expect(of('keys create')).toEqual([200, 102])
  expect(entries.at(-2)).toMatchObject({ caller: `operator ada (${account})`, subject: 'acme', status: 200 })
  expect(entries.at(-2)?.resource).toBe(`--tenant acme --permissions * --name  ${id}`)
  expect(entries.find(({ operation }) => operation === 'token')?.caller).toBe(`operator ${account}`)
  expect(of('keys revoke')).toEqual([200, 102, 400, 102])
  expect(entries.find(({ operation }) => operation === 'keys revoke')?.subject).toBe('acme')
  for (const operation of ['token', 'subscriptions bind', 'signing-keys rotate', 'people invite'])
    expect(of(operation), operation).toEqual([200, 102])
  for (const secret of [key, token]) expect(JSON.stringify(entries)).not.toContain(secret)
  expect(await icosa('audit', 'list', '--tenant', 'acme')).toMatch(/operator:people invite +200 +hana@example/)
})

test('an action without an audit log entry is not performed', async () => {
  const before = await icosa('keys', 'list')
  const other = shellOf({ DATABASE_URL: database.url, ICOSA_MASTER_KEY: masterKey(9) })
  await expect(other('keys', 'create', '--tenant', 'globex')).rejects.toThrow('ICOSA_MASTER_KEY')
  expect(await icosa('keys', 'list')).toBe(before)
})
