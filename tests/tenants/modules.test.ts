import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { hardwareSecurityModules } from '@icosa/hardware-security-modules'
import { startModules } from '@icosa/hardware-security-modules/testing/app'
import type { CellVault, Service } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { masterKeyVault, openVault } from '@icosa/tokens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryTenantKeys } from '../../apps/server/src/master-key/carry.ts'
import type { MoveCell } from '../../apps/server/src/moves/cell.ts'
import { blockers, moveTenant } from '../../apps/server/src/moves/move.ts'
import { startTestServer, type TestCells, type TestServer } from '../../apps/server/src/moves/testing/cells.ts'
import { leftovers, rowsOf } from '../../apps/server/src/moves/testing/writers.ts'

const service: Service = hardwareSecurityModules()
const { sealed = [], derives = [] } = service

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([service])
})
afterAll(() => server[Symbol.asyncDispose]())

const masterKeys = { a: [randomBytes(32)], b: [randomBytes(32)] }
const vaultOptions = ({ name }: MoveCell) => ({ masterKeys: masterKeys[name as 'a' | 'b'], sealed: () => sealed })

/** Cells that have neither a master key nor a data key in common. */
function withOwnKeys(world: TestCells): TestCells {
  const site = async (cell: MoveCell) => ({
    database: cell.database,
    vault: (await openVault(cell.database, vaultOptions(cell))) as CellVault,
  })
  const carryKeys = async (from: MoveCell, to: MoveCell, tenant: string) =>
    carryTenantKeys(await site(from), await site(to), { tenant, sealed, derives })
  return { ...world, cells: { ...world.cells, carryKeys } }
}

const start = (cell: MoveCell) =>
  startModules({}, { databaseUrl: cell.databaseUrl, vault: masterKeyVault(vaultOptions(cell)) })

const data = Buffer.from('signed in one cell, verified with the key from the other')
const name = 'release'
const created = { type: 'EC', curve: 'P-256' } as const
const body = { algorithm: 'ES256', value: data.toString('base64') } as const

const isValid = (publicKey: string, signature: string) =>
  verify('sha256', data, createPublicKey(publicKey), Buffer.from(signature, 'base64'))

test('a module signs in the other cell, whose keys are others, what its public key from before verifies, and back', async () => {
  await using plain = await server.cells('acme')
  const world = withOwnKeys(plain)
  const { source, target } = world.cells
  await using here = await start(source)
  await using empty = await startTestApp({
    services: [service],
    databaseUrl: target.databaseUrl,
    vault: masterKeyVault(vaultOptions(target)),
  })
  expect(empty.url).toBeDefined()
  const module = await here.open('signing')
  const key = (await module.keys.make({ params: { moduleId: module.id, keyName: name }, body: created })).body
  const publicKey = key.publicKey ?? ''
  const pin = (await module.keys.replacePin({ params: { moduleId: module.id } })).body.pin
  expect(
    isValid(
      publicKey,
      (await module.keys.sign({ params: { moduleId: module.id, keyName: name }, body })).body.signature,
    ),
  ).toBe(true)

  expect(await blockers(world.cells, 'acme')).toEqual([])
  const move = await moveTenant({ ...world, tenant: 'acme' })
  console.log(move.detail)
  expect(move).toMatchObject({ state: 'reversible', isEqual: true })
  await using there = await start(target)
  const moved = await there.keysOf('acme')
  const signature = (await moved.sign({ params: { moduleId: module.id, keyName: name }, body })).body.signature
  expect(isValid(publicKey, signature)).toBe(true)
  const byPin = await fetch(`${there.addressOf(module.id)}/keys/${name}/sign`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`app:${pin}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  expect(isValid(publicKey, ((await byPin.json()) as { signature: string }).signature), 'by its PIN').toBe(true)
  await expect(
    module.keys.sign({ params: { moduleId: module.id, keyName: name }, body }),
    'the open token of the old cell signs nothing',
  ).rejects.toMatchObject({ status: 421 })
  const late =
    (await moved.make({ params: { moduleId: module.id, keyName: 'late' }, body: created })).body.publicKey ?? ''

  expect(await moveTenant({ ...world, tenant: 'acme' }, 'back')).toMatchObject({ state: 'returned' })
  const back = await here.keysOf('acme')
  const later = (await back.sign({ params: { moduleId: module.id, keyName: 'late' }, body })).body.signature
  expect(isValid(late, later), 'a key that was made there').toBe(true)
  await moveTenant({ ...world, tenant: 'acme' })
  expect(await moveTenant({ ...world, tenant: 'acme' }, 'finish')).toMatchObject({ state: 'finished' })
  expect(await rowsOf(source.database, 'acme')).toBe(0)
  expect(await leftovers(world)).toEqual([])
})

test('a module in a device does not move, and none moves into a device', async () => {
  await using world = await server.cells('acme')
  const { source } = world.cells
  await using here = await startModules({}, { databaseUrl: source.databaseUrl })
  await here.open('payments')
  const device = hardwareSecurityModules({ keeps: 'library', library: '/usr/lib/device.so' }).moves
  const soft = service.moves
  const problems = async (from: Service['moves'], to: Service['moves']) =>
    blockers({ ...world.cells, services: [{ service: service.name, source: from, target: to }] }, 'acme')
  expect(await problems(device, soft)).toContainEqual(
    expect.stringMatching(/^The keys of the hardware security module 'payments' are in a device of a: wrap those/),
  )
  expect(await problems(soft, device)).toContainEqual(
    expect.stringMatching(/^The hardware security module 'payments' cannot get into the device of b/),
  )
})
