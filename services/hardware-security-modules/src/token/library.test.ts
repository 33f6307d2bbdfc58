import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, startModules, versioned } from '../testing/app.ts'
import { prepareFolder } from './files.ts'

const softhsm = '/usr/lib/softhsm/libsofthsm2.so'

test('a library stays loaded across garbage collections', () => {
  const folder = newFolder()
  prepareFolder(folder)
  const code = `
    import { openPkcs11 } from ${JSON.stringify(import.meta.resolve('@icosa/pkcs11'))}
    const library = openPkcs11(${JSON.stringify(softhsm)})
    for (let round = 0; round < 20; round++) {
      globalThis.gc()
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (library.slots().length === 0) throw new Error('no slot')
    }
    console.log(library.version())`
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: { SOFTHSM2_CONF: join(folder, 'softhsm2.conf') },
  })
  expect({ status: run.status, signal: run.signal, stdout: run.stdout.trim() }).toEqual({
    status: 0,
    signal: null,
    stdout: expect.stringContaining('SoftHSM'),
  })
})

test('keys stored by the library itself, as by a device, are shared by nodes and deleted with their module', async () => {
  const device = newFolder()
  prepareFolder(device)
  const environment = { SOFTHSM2_CONF: join(device, 'softhsm2.conf') }
  const settings = { keeps: 'library', environment } as const
  await using world = await startModules(settings)
  await using other = await startModules(settings, { databaseUrl: world.app.databaseUrl })
  const module = await world.open('device')
  const params = { moduleId: module.id, keyName: 'one' }
  await module.keys.make({ params, body: { type: 'EC', curve: 'P-256' } })
  const body = { algorithm: 'ES256', value: 'aGVsbG8=' } as const
  const { signature } = (await (await other.keysOf('acme')).sign({ params, body })).body
  expect((await module.keys.verify({ params, body: { ...body, signature } })).body.valid).toBe(true)
  expect(objectsIn(device)).toBe(2)

  await module.keys.delete({ params })
  await world.app.jobs.drain()
  expect(objectsIn(device), 'the key is deleted from the device').toBe(0)
  await module.keys.make({ params, body: { type: 'EC', curve: 'P-256' } })
  await (await world.manager()).delete({ ...versioned, params: module.params })
  await world.app.jobs.drain()
  expect(objectsIn(device)).toBe(0)
})

/** Counts the objects of a SoftHSM token. */
function objectsIn(folder: string): number {
  const { stdout } = spawnSync('find', [folder, '-name', '*.object', '-not', '-name', 'token.object'], {
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(Boolean).length
}
