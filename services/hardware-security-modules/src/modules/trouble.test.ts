import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HsmSettings } from '../index.ts'
import { newFolder, paramsOf, plain, startModules, versioned } from '../testing/app.ts'

/** Creates a module with these settings, and again after `repair`. */
async function createModule(settings: Partial<HsmSettings>, repair?: () => void) {
  await using world = await startModules(settings)
  const manager = await world.manager()
  const params = paramsOf('acme', 'troubled')
  const create = async () => {
    await manager.createOrUpdate({ ...versioned, params, body: plain })
    for (let attempt = 0; attempt < 5; attempt++) {
      await world.app.jobs.drain()
      await world.app.clock.advance(3_600_000)
    }
    return (await manager.get({ ...versioned, params })).body.properties
  }
  const first = await create()
  const id = first.endpoint?.split('/').at(-1) ?? ''
  const keys = await world.keysOf('acme')
  const listing = await keys.list({ params: { moduleId: id } }).catch((error) => error)
  repair?.()
  return { first, listing, second: repair ? await create() : undefined }
}

test('without its library a module fails with a hint what to install', async () => {
  const { first, listing } = await createModule({ library: '/nowhere/libdevice.so' })
  expect(first.provisioningState).toBe('Failed')
  expect(first.statusMessage).toMatch(
    /\/nowhere\/libdevice\.so cannot be loaded: install softhsm2, or set ICOSA_HSM_LIBRARY/,
  )
  expect(listing).toMatchObject({ status: 409, body: { error: { code: 'ModuleNotReady' } } })
})

test('a file that is not a library is reported', async () => {
  const file = join(newFolder(), 'library.so')
  writeFileSync(file, 'not a library')
  expect((await createModule({ library: file })).first.statusMessage).toContain('cannot be loaded')
  const other = execFileSync('sh', ['-c', 'ls /usr/lib/*/libm.so.6 /lib/*/libm.so.6 2>/dev/null | head -1'])
    .toString()
    .trim()
  expect((await createModule({ library: other })).first.statusMessage).toContain('cannot be loaded')
})

test('an unwritable folder is reported, and once it is writable the same PUT creates the module', async () => {
  const root = newFolder()
  const folder = join(root, 'closed')
  writeFileSync(folder, 'a file where the folder should be')
  const { first, second } = await createModule({ folder }, () => {
    execFileSync('rm', [folder])
    mkdirSync(folder)
  })
  expect(first.provisioningState).toBe('Failed')
  expect(first.statusMessage).toMatch(/token folder .*closed.* cannot be written \(\w+\): .*ICOSA_HSM_FOLDER/)
  expect(second).toMatchObject({ provisioningState: 'Succeeded', statusMessage: 'The module is functional.' })
})

const isRoot = process.getuid?.() === 0

test.runIf(isRoot && canMount())(
  'a full folder is reported, unsaved keys are not returned, and existing ones still sign',
  async () => {
    const folder = newFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
    try {
      await using world = await startModules({ folder })
      const module = await world.open('crowded')
      const at = (keyName: string) => ({ params: { moduleId: module.id, keyName } })
      await module.keys.make({ ...at('early'), body: { type: 'EC', curve: 'P-256' } })
      fill(folder)
      const late = module.keys.make({ ...at('late'), body: { type: 'EC', curve: 'P-256' } })
      await expect(late).rejects.toMatchObject({
        status: 503,
        body: { error: { message: expect.stringContaining('Check free space') } },
      })
      const sign = { algorithm: 'ES256', value: 'aGVsbG8=' } as const
      expect((await module.keys.sign({ ...at('early'), body: sign })).status).toBe(200)
      await expect(module.keys.get(at('late'))).rejects.toMatchObject({ status: 404 })
      execFileSync('rm', [join(folder, 'filling')])
      expect((await module.keys.make({ ...at('late'), body: { type: 'EC', curve: 'P-256' } })).status).toBe(201)
      expect((await module.keys.sign({ ...at('late'), body: sign })).status).toBe(200)
    } finally {
      execFileSync('umount', ['-l', folder])
    }
  },
)

function fill(folder: string): void {
  for (let size = 64; size > 0; size--)
    try {
      execFileSync('sh', ['-c', `head -c ${size}k /dev/zero >> ${folder}/filling`], { stdio: 'ignore' })
    } catch {} // less fits
}

function canMount(): boolean {
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  }
}

test('a node zeroises the token folders of killed nodes', async () => {
  const folder = newFolder()
  const leftover = join(folder, 'icosa-token-4194999-left')
  mkdirSync(join(leftover, 'tokens'), { recursive: true })
  writeFileSync(join(leftover, 'tokens', 'one.object'), 'leftover')
  chmodSync(leftover, 0o700)
  await using _ = await startModules({ folder })
  expect(readdirSync(folder)).toEqual([])
})
