import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HsmSettings } from '../index.ts'
import { newFolder, paramsOf, plain, startModules, versioned } from '../testing/app.ts'

/** What becomes of a module that is made in such surroundings, and of another attempt. */
async function made(settings: Partial<HsmSettings>, mend?: () => void) {
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
  const used = await keys.list({ params: { moduleId: id } }).catch((error) => error)
  mend?.()
  return { first, used, second: mend ? await create() : undefined }
}

test('without its library a module fails and says what to install', async () => {
  const { first, used } = await made({ library: '/nowhere/libdevice.so' })
  expect(first.provisioningState).toBe('Failed')
  expect(first.statusMessage).toMatch(
    /\/nowhere\/libdevice\.so cannot be loaded: install softhsm2, or set ICOSA_HSM_LIBRARY/,
  )
  expect(used).toMatchObject({ status: 409, body: { error: { code: 'ModuleNotReady' } } })
})

test('a file that is no library is told as such', async () => {
  const file = join(newFolder(), 'library.so')
  writeFileSync(file, 'not a library')
  expect((await made({ library: file })).first.statusMessage).toContain('cannot be loaded')
  const other = execFileSync('sh', ['-c', 'ls /usr/lib/*/libm.so.6 /lib/*/libm.so.6 2>/dev/null | head -1'])
    .toString()
    .trim()
  expect((await made({ library: other })).first.statusMessage).toContain('cannot be loaded')
})

test('a folder that cannot be written is named, and once it can, the same PUT makes the module', async () => {
  const root = newFolder()
  const folder = join(root, 'closed')
  writeFileSync(folder, 'a file where the folder should be')
  const { first, second } = await made({ folder }, () => {
    execFileSync('rm', [folder])
    mkdirSync(folder)
  })
  expect(first.provisioningState).toBe('Failed')
  expect(first.statusMessage).toMatch(/folder of tokens .*closed.* cannot be written \(\w+\): .*ICOSA_HSM_FOLDER/)
  expect(second).toMatchObject({ provisioningState: 'Succeeded', statusMessage: 'The module is functional.' })
})

const isRoot = process.getuid?.() === 0

test.runIf(isRoot && canMount())(
  'a full folder is named, no key is answered that was not kept, and old ones sign on',
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
        body: { error: { message: expect.stringContaining('See to the room') } },
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

/** To the last byte. */
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

test('folders of nodes that were killed are overwritten by the next one', async () => {
  const folder = newFolder()
  const left = join(folder, 'icosa-token-4194999-left')
  mkdirSync(join(left, 'tokens'), { recursive: true })
  writeFileSync(join(left, 'tokens', 'one.object'), 'what was left')
  chmodSync(left, 0o700)
  await using _ = await startModules({ folder })
  expect(readdirSync(folder)).toEqual([])
})
