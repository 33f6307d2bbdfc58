import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCell, type Running } from './cell.ts'
import { Load } from './load.ts'
import { hasCommit, release, releaseOfThis } from './released.ts'

/** Last commit of the previous version. No version has a tag yet; older ones cannot run alongside this one (ADR 87). */
const before = 'f5cce22e6146eacf2db81f14735058d9af57fe26'
const reason = !process.env.NIGHTLY
  ? 'it takes minutes: NIGHTLY=1'
  : (await hasCommit(before))
    ? undefined
    : `this checkout does not have ${before}`

test.skipIf(reason !== undefined)(
  `no request fails while packages of the previous version and this one replace each other under load${reason ? ` (not now: ${reason})` : ''}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'icosa-versions-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const older = await release(join(folder, 'older'), before)
    const newer = await releaseOfThis(join(folder, 'newer'))
    await using cell = await openCell(folder, 'configuration-stores,sql-databases,backup')
    await cell.icosa(older, 'migrate')
    await cell.icosa(older, 'subscriptions', 'bind', 'mine', '--tenant', 'acme')
    const key = await cell.icosa(older, 'keys', 'create', '--tenant', 'acme')
    const [id = '', secret = ''] = (await cell.icosa(older, 'keys', 'create', '--tenant', 'acme', '--signing')).split(
      ' ',
    )

    const roles = ['serve', 'worker', 'serve', 'worker'] as const
    let running: { readonly role: (typeof roles)[number]; readonly one: Running }[] = []
    for (const role of roles) running.push({ role, one: await cell.start(older, role) })
    const load = new Load(() => running.filter(({ role }) => role === 'serve').map(({ one }) => one), {
      key,
      id,
      secret,
    })
    await load.makeStore('settings')
    await expect.poll(() => load.stateOfStore('settings')).toBe('Succeeded')
    await load.makeDatabase()
    load.begin('settings')

    /** Waits until all kinds of work have been done once more, or one has failed. */
    const goOn = async () => {
      const { requests, stores, backups } = { ...load, stores: load.stores.length, backups: load.backups.length }
      const isOn = () =>
        load.requests > requests + 50 && load.stores.length > stores + 3 && load.backups.length > backups + 1
      await expect
        .poll(() => load.failures.length > 0 || isOn(), { timeout: 300_000 })
        .toBe(true)
        .catch(stuck)
      expect(load.failures).toEqual([])
      return load.requests
    }
    const stuck = async () => {
      const last = load.backups.at(-1)
      throw new Error(`Nothing goes on: ${JSON.stringify(last && (await load.stateOfBackup(last)))}`)
    }
    const replace = async (cli: string) => {
      for (const { role, one } of [...running]) {
        const next = await cell.start(cli, role)
        running = [...running.filter((other) => other.one !== one), { role, one: next }]
        await one.stop()
      }
      return goOn()
    }

    await goOn()
    await cell.icosa(newer, 'migrate')
    const migrated = await goOn() // older nodes on the newer schema
    const upgraded = await replace(newer)
    const back = await replace(older)
    const again = await replace(newer)
    await load.end()

    const lost: string[] = []
    for (const name of load.stores)
      await expect
        .poll(() => load.stateOfStore(name), { timeout: 60_000 })
        .toBe('Succeeded')
        .catch(() => lost.push(name))
    for (const backup of load.backups)
      await expect
        .poll(async () => (await load.stateOfBackup(backup)).State, { timeout: 60_000 })
        .toMatch(/COMPLETED|FAILED|ABORTED/)
        .catch(() => {})
        .then(() => load.stateOfBackup(backup))
        .then(({ State, StatusMessage }) => State === 'COMPLETED' || lost.push(`backup ${State}: ${StatusMessage}`))
    console.log(
      `${again} requests (${migrated} until the database was migrated, ${upgraded} until all nodes were newer, ${back} until they were older again), ${load.failures.length} failed; ${load.stores.length} stores and ${load.backups.length} backups, ${lost.length} lost`,
    )
    expect(load.failures).toEqual([])
    expect(lost).toEqual([])
    for (const { one } of running) await one.stop()
  },
)
