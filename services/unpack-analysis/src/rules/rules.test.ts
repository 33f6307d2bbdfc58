import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '@icosa/compute'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUnpack, type UnpackApp } from '../testing/app.ts'
import { Workshop } from '../testing/build.ts'
import { openTestEngine } from '../testing/engine.ts'
import { linuxDownloader } from '../testing/linux/programs.ts'
import { downloader } from '../testing/programs.ts'
import type { Applied, Generated, Task } from './tasks.ts'

const workshop = new Workshop()
const original = workshop.compile(64, downloader(7))
const packed = workshop.pack(original)
let service: UnpackApp
beforeAll(async () => {
  service = await startUnpack({ ruleMs: 3_000 })
}, 60_000)
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  workshop[Symbol.dispose]()
})

interface ApplyReply {
  readonly result: {
    readonly is_success: boolean
    readonly matched_yara_rules?: { rule: string; string_information: string[] }[][]
    readonly error_message?: string
  }
}

async function apply(rules: readonly string[], more: readonly (readonly [string, string])[] = [], file = packed) {
  const fields = [...rules.map((rule) => ['rules', rule] as const), ...more]
  const reply = await service.post('/apply-yara-rules', file, fields)
  return { status: reply.status, ...((await reply.json()) as ApplyReply & { message?: string }) }
}

const gate = 'rule gate { strings: $u = /https?:\\/\\/[a-z.]+\\/c2/ condition: $u }'

describe('rules', () => {
  test('match in the file as sent and in its unpacked form, with offsets', async () => {
    const { status, result } = await apply([gate], [['is_unpacking_required', 'true']])
    expect(status).toBe(200)
    expect(result.is_success).toBe(true)
    const [inPacked, inUnpacked] = result.matched_yara_rules ?? []
    expect(inPacked).toEqual([])
    expect(inUnpacked).toEqual([
      { rule: 'gate', string_information: [expect.stringMatching(/^0x[0-9a-f]+:\$u: http:\/\/evil\.example\/c2$/)] },
    ])
  }, 120_000)

  test('can be text, or Base64 with or without line breaks', async () => {
    const encoded = Buffer.from('rule magic { strings: $m = "This program" condition: $m }').toString('base64')
    for (const rule of [encoded, (encoded.match(/.{1,40}/g) ?? []).join('\r\n')]) {
      const { result } = await apply([rule])
      expect(result.matched_yara_rules?.[0]?.map(({ rule: name }) => name)).toEqual(['magic'])
    }
    const eleven = Buffer.from('rule a { condition: true }\n'.repeat(11)).toString('base64')
    expect((await apply([eleven])).status).toBe(400)
    expect((await apply(['bm90aGluZw=='])).result.is_success).toBe(false)
  }, 60_000)

  test('can use the modules pe, elf, math and hash', async () => {
    const { result } = await apply([
      'import "pe" import "math" import "hash" import "elf" rule every_module { condition: pe.is_pe and pe.number_of_sections == 3 and math.entropy(0, filesize) > 6.0 and not hash.md5(0, filesize) == "" and not defined elf.type }',
    ])
    expect(result.matched_yara_rules).toEqual([[{ rule: 'every_module', string_information: [] }]])
  }, 60_000)

  test('are limited to ten over all fields', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => `rule r${index} { condition: true }`)
    expect((await apply(ten)).result.matched_yara_rules?.[0]?.length).toBe(10)
    expect(await apply([...ten, 'rule eleventh { condition: true }'])).toMatchObject({ status: 400 })
    expect(await apply([`${ten.join('\n')} rule eleventh { condition: true }`])).toMatchObject({
      status: 400,
      message: expect.stringContaining('11 rules'),
    })
  }, 60_000)

  test('that are invalid or too slow are errors, not files without matches', async () => {
    expect((await apply(['rule broken { condition: nothing }'])).result).toMatchObject({
      is_success: false,
      error_message: expect.stringContaining('nothing'),
    })
    const slow = 'rule slow { condition: for all i in (0..2000000000) : ( uint8(i % filesize) != 999 ) }'
    expect(await apply([slow])).toMatchObject({ status: 400, message: expect.stringContaining('time') })
    expect((await apply([gate])).result.is_success).toBe(true)
  }, 120_000)
})

test('rules are generated for Linux programs, and applied to their unpacked form', async () => {
  const program = workshop.compileLinux(linuxDownloader(5))
  const sample = workshop.pack(program)
  const unpacking = [['is_unpacking_required', 'true']] as const
  const reply = await service.post('/generate-partial-yara-rules', sample, unpacking)
  const { rule } = (await reply.json()) as { rule: { name: string; strings: string[][] } }
  const texts = rule.strings.map((pattern) => pattern.join(' = ')).join('\n')
  expect(texts).toContain('http://evil.example/c2/gate5.php')
  expect(texts).toMatch(/^\$c\d = \{/m)
  const source = `import "elf" rule ${rule.name} { strings: ${texts} condition: all of them and elf.machine == elf.EM_X86_64 }`
  expect((await apply([source], [], program)).result.matched_yara_rules?.[0]).toHaveLength(1)
  const { result } = await apply([source], unpacking, sample)
  expect(result.matched_yara_rules?.map((matches) => matches.length)).toEqual([0, 1])
}, 120_000)

test('a generated rule matches nothing of clean programs, and has no condition', async () => {
  const reply = await service.post('/generate-partial-yara-rules', packed, [
    ['is_unpacking_required', 'true'],
    ['minimum_string_length', '8'],
    ['strings_to_ignore', 'C:\\temp\\drop7.bin'],
  ])
  expect(reply.status).toBe(200)
  const { rule } = (await reply.json()) as { rule: { name: string; strings: string[][] } }
  const texts = rule.strings.map((pattern) => pattern.join(' = '))
  expect(texts.join('\n')).toContain('http://evil.example/c2/gate7.php')
  expect(texts.join('\n')).not.toContain('drop7.bin')
  expect(texts.some((text) => /^\$c\d = \{ .*\?\?/.test(text))).toBe(true)
  const source = `rule ${rule.name} { strings: ${texts.join('\n')} condition: all of them }`
  expect((await apply([source], [], original)).result.matched_yara_rules?.[0]).toHaveLength(1)
}, 120_000)

test('a thousand strings can be ignored, and a name with brackets is refused', async () => {
  const ignored = ['C:\\temp\\drop7.bin', ...Array.from({ length: 999 }, (_, index) => `text ${index}`)]
  const reply = await service.post(
    '/generate-partial-yara-rules',
    original,
    ignored.map((text) => ['strings_to_ignore', text] as const),
  )
  expect(reply.status).toBe(200)
  expect(await reply.text()).not.toContain('drop7.bin')
  const misspelt = await service.post('/generate-partial-yara-rules', original, [['strings_to_ignore[]', 'x']])
  expect(misspelt.status).toBe(400)
  expect(await misspelt.text()).toContain("strings_to_ignore[] is unknown; did you mean 'strings_to_ignore'?")
}, 60_000)

test('patterns exclude debug information, in programs as built and in unpacked ones', async () => {
  const built = workshop.compile(64, downloader(9), '-g')
  expect(built.includes('GNU C')).toBe(true)
  for (const [file, unpacking] of [
    [built, 'false'],
    [workshop.pack(built), 'true'],
  ] as const) {
    const fields = [['is_unpacking_required', unpacking]] as const
    const text = await (await service.post('/generate-partial-yara-rules', file, fields)).text()
    expect(text).toContain('gate9.php')
    expect(text).not.toMatch(/GNU C|uI128|signal/)
  }
}, 120_000)

/** Programs of this machine, none of which is malware. */
function* cleanPrograms(): Generator<Buffer> {
  for (const folder of ['/usr/bin', '/usr/sbin', '/usr/lib/x86_64-linux-gnu'])
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isFile() && stat.size > 4_096 && stat.size < 4 * 2 ** 20) yield readFileSync(path)
    }
}

test('generated rules match their sample and its unpacked form, and no program of this machine', async () => {
  const engine = openTestEngine()
  const pool = openPool<Task, Applied | Generated>({
    name: 'rules test',
    module: new URL('./rules-thread.ts', import.meta.url),
    deadlineMs: 300_000,
  })
  const sources: string[] = []
  const count = sized(3, 30)
  for (let seed = 1; seed <= count; seed++) {
    const source =
      seed % 3 === 0
        ? workshop.compileLinux(linuxDownloader(seed))
        : workshop.compile(seed % 2 ? 64 : 32, downloader(seed))
    const sample = workshop.pack(source)
    const { unpacked, report } = await engine.one(sample)
    if (!unpacked) throw new Error(`Sample ${seed} was not unpacked.`)
    const from = { packed: sample, code: report.after?.code ?? [] }
    const task = { kind: 'generate', file: unpacked, unpacked: from, minLength: 6, ignored: [] } as const
    const patterns = (await pool.run('tests', task)) as Generated
    expect(patterns.length).toBeGreaterThan(3)
    const rule = `rule s${seed} { strings: ${patterns.map((pattern) => pattern.join(' = ')).join('\n')} condition: all of them }`
    const outcome = (await pool.run('tests', { kind: 'apply', sources: [rule], files: [source, unpacked] })) as Applied
    expect(outcome, rule).toMatchObject({ matches: [[{ rule: `s${seed}` }], [{ rule: `s${seed}` }]] })
    sources.push(rule)
  }
  const clean = [...cleanPrograms().take(sized(150, 1_000))]
  for (let from = 0; from < clean.length; from += 50) {
    const outcome = (await pool.run('tests', {
      kind: 'apply',
      sources,
      files: clean.slice(from, from + 50),
    })) as Applied
    expect('matches' in outcome && outcome.matches.flat()).toEqual([])
  }
  console.log(
    `${count} rules match their source and its unpacked form, and 0 of ${clean.length} programs of this machine`,
  )
  await pool.close()
  await engine.close()
}, 600_000)
