import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUnpack, type UnpackApp } from '../testing/app.ts'
import { Workshop } from '../testing/build.ts'
import { elfFactsOf, elfTextOf } from '../testing/linux/facts.ts'
import { linuxDownloader } from '../testing/linux/programs.ts'
import { factsOf, textOf } from '../testing/pe-facts.ts'
import { downloader } from '../testing/programs.ts'

const workshop = new Workshop()
let service: UnpackApp
beforeAll(async () => {
  service = await startUnpack()
}, 60_000)
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  workshop[Symbol.dispose]()
})

const blobs = async () => (await service.app.platform.blobs.list('unpack-analysis/', { limit: 100 })).items

describe.each([32, 64] as const)('a %i-bit program packed by UPX', (bits) => {
  const original = workshop.compile(bits, downloader())
  const packed = workshop.pack(original)

  test('is unpacked with its entry point, code and imports, readable by objdump', async () => {
    const reply = await service.post('/unpack', packed)
    expect(reply.status, await reply.clone().text()).toBe(200)
    expect(reply.headers.get('unpack-packer')).toBe('UPX')
    expect(reply.headers.get('unpack-layers')).toBe('1')
    const unpacked = Buffer.from(await reply.arrayBuffer())
    expect(factsOf(unpacked, textOf(original))).toEqual(factsOf(original))
    const file = join(workshop.folder, `unpacked${bits}.exe`)
    writeFileSync(file, unpacked)
    const dump = execFileSync(bits === 64 ? 'x86_64-w64-mingw32-objdump' : 'i686-w64-mingw32-objdump', ['-x', file], {
      encoding: 'utf8',
    })
    expect(dump).toMatch(/DLL Name: kernel32\.dll/)
    expect(dump).toMatch(/CreateFileA/)
  }, 120_000)

  test('has its calls traced in order, with the hidden texts', async () => {
    const reply = await service.post('/emulation-output', packed)
    expect(reply.status).toBe(200)
    const { output } = (await reply.json()) as { output: string[] }
    const at = (pattern: RegExp) => output.findIndex((line) => pattern.test(line))
    const order = [
      at(/^kernel32\.GetProcAddress\(.*"CreateFileA"/),
      at(/^\* layer \d: went to code it had written/),
      at(/^kernel32\.LoadLibraryA\("user32\.dll"\)/),
      at(/^kernel32\.CreateFileA\("C:\\\\temp\\\\drop0\.bin"/),
      at(/^kernel32\.WriteFile\(.*"http:\/\/evil\.example\/c2\/gate0\.php"/),
      at(/^\* ended \(exit\)/),
    ]
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
    expect(packed.includes('evil.example')).toBe(false)
    const htmlReply = await service.post('/emulation-output', packed, [], { accept: 'text/html' })
    expect(htmlReply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await htmlReply.text()).toMatch(/<svg[\s\S]*<polyline[\s\S]*CreateFileA\(&quot;C:/)
  }, 120_000)
})

describe.each(['-static', '-pie'])('a Linux program packed by UPX, built with %s', (option) => {
  const original = workshop.compileLinux(linuxDownloader(), option)
  const packed = workshop.pack(original)

  test('is unpacked with its entry point, code and imports, readable by readelf and objdump', async () => {
    const reply = await service.post('/unpack', packed)
    expect(reply.status, await reply.clone().text()).toBe(200)
    expect(reply.headers.get('unpack-packer')).toBe('UPX')
    const unpacked = Buffer.from(await reply.arrayBuffer())
    expect(elfFactsOf(unpacked, elfTextOf(original))).toEqual(elfFactsOf(original))
    const { path } = workshop.write(unpacked)
    const run = (program: string, ...options: string[]) =>
      spawnSync(program, [...options, path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    const headers = run('readelf', '--wide', '--all')
    expect(headers.stderr).toBe('')
    expect(headers.stdout).toContain(`Entry point address:               0x${elfFactsOf(original).entry.toString(16)}`)
    const code = run('objdump', '--disassemble', '--dynamic-syms')
    expect(code.stdout.split('\n').length).toBeGreaterThan(3_000)
    if (option === '-pie') expect(code.stdout).toMatch(/\*UND\*.* __libc_start_main/)
  }, 120_000)

  test('has its calls traced, with the hidden texts', async () => {
    const reply = await service.post('/emulation-output', packed)
    const { output } = (await reply.json()) as { output: string[] }
    const at = (pattern: RegExp) => output.findIndex((line) => pattern.test(line))
    const order = [
      at(/^system\.open\("\/proc\/self\/exe"/),
      at(/^\* layer \d: began at its entry point/),
      at(/^(?:system\.openat|library\.open)\(.*"\/tmp\/drop0\.bin"/),
      at(/\.write\(.*"http:\/\/evi"/),
      at(/^\* ended \(exit\)/),
    ]
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
    expect(packed.includes('evil.example')).toBe(false)
  }, 120_000)
})

test('uploads are stored until their sender cleans up', async () => {
  expect((await blobs()).length).toBeGreaterThan(0)
  expect((await fetch(`${service.url}/clean`, { method: 'HEAD' })).status).toBe(204)
  expect(await blobs()).toEqual([])
})

test('paths also work below /v1, and a header reports how the emulation ended', async () => {
  const reply = await service.post('/v1/unpack', workshop.pack(workshop.compileLinux(linuxDownloader(), '-static')))
  expect([reply.status, reply.headers.get('unpack-ended')]).toEqual([200, 'exit: the program ended with 0'])
  expect((await fetch(`${service.url}/v1/clean`, { method: 'HEAD' })).status).toBe(204)
}, 120_000)

test('a program that ends inside the stub of its packer is refused with a reason', async () => {
  const broken = workshop.pack(workshop.compileLinux(linuxDownloader(), '-static'), '--lzma')
  broken.fill(0x55, broken.length >> 1, (broken.length >> 1) + 64)
  const reply = await service.post('/unpack', broken)
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({
    message: expect.stringMatching(/inside the stub of UPX.* ended with 127/),
  })
}, 120_000)

test('an unknown field is refused by name', async () => {
  const reply = await service.post('/unpack', Buffer.from('MZ'), [['is_unpacking_required', 'true']])
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('is_unpacking_required is unknown')
})

test('a body that is not a form returns 400, as specified', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const init of [{ method: 'POST', headers, body: '{}' }, { method: 'POST' }]) {
    const reply = await fetch(`${service.url}/unpack`, init)
    expect([reply.status, ((await reply.json()) as { status: number }).status]).toEqual([400, 400])
  }
})

test('unpacked programs and other files are refused with a reason', async () => {
  const plain = await service.post('/unpack', workshop.compile(64, downloader()))
  expect(plain.status).toBe(400)
  expect(await plain.json()).toEqual({
    status: 400,
    message: expect.stringMatching(/^Nothing was unpacked: the program runs/),
  })
  const linux = await service.post('/unpack', readFileSync('/bin/true'))
  expect(linux.status).toBe(400)
  expect(await linux.json()).toMatchObject({
    message: expect.stringMatching(/^Nothing was unpacked: the program runs/),
  })
  const text = await service.post('/unpack', Buffer.from('not a program'.repeat(10)))
  expect(text.status).toBe(400)
  expect(await text.json()).toMatchObject({ message: expect.stringContaining('neither a Windows program') })
}, 60_000)
