import { createHash } from 'node:crypto'
import { isDeepStrictEqual as same } from 'node:util'
import { send } from '../../services/unpack-analysis/src/testing/app.ts'
import { Workshop } from '../../services/unpack-analysis/src/testing/build.ts'
import { elfFactsOf, elfTextOf } from '../../services/unpack-analysis/src/testing/linux/facts.ts'
import { linuxDownloader } from '../../services/unpack-analysis/src/testing/linux/programs.ts'
import { factsOf, textOf } from '../../services/unpack-analysis/src/testing/pe-facts.ts'
import { downloader } from '../../services/unpack-analysis/src/testing/programs.ts'
import { type Node, statementsOf } from './statements.ts'

const program = `
#include <stdio.h>
#include <windows.h>
static const char *volatile where = "http://evil.example.test/c2/gate.php";
static const char *volatile marker = "MagicMarker-1234567890";
static int mix(int value) { for (int i = 0; i < 32; i++) value = value * 1103515245 + 12345 + i; return value; }
int main(int argc, char **argv) {
  char text[200];
  DWORD written;
  printf("%s %d\\n", marker, mix(argc));
  sprintf(text, "%s", where);
  HANDLE file = CreateFileA("C:\\\\Temp\\\\dropped.bin", GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0);
  WriteFile(file, text, 36, &written, 0);
  CloseHandle(file);
  RegSetValueExA(HKEY_CURRENT_USER, "Autostart", 0, REG_SZ, (const BYTE *)"dropped", 8);
  LoadLibraryA("ws2_32.dll");
  MessageBoxA(0, "A message", "A title", 0);
  return 0;
}
`
const magic =
  'rule magic { meta: a = "b" strings: $a = "MagicMarker-1234567890" $b = "evil.example.test" condition: $a and $b }'
const never = 'rule never { strings: $a = "ThisIsNowhere999" condition: $a }'
const always = (count: number) => Array.from({ length: count }, (_, index) => `rule r${index} { condition: true }`)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const posts = ['/unpack', '/emulation-output', '/generate-partial-yara-rules', '/apply-yara-rules']

// biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
type Json = any
type Fields = readonly (readonly [name: string, value: string])[]

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  readonly json: Json
}

interface Bench extends Pick<Node, 'call' | 'holds' | 'instance'> {
  readonly url: string
  readonly original: Buffer
  readonly packed: Buffer
  readonly workshop: Workshop
  post(path: string, file: Uint8Array | undefined, fields?: Fields): Promise<Reply>
  apply(file: Uint8Array, rules: readonly string[], fields?: Fields): Promise<Reply>
}

const unpacking: Fields = [['is_unpacking_required', 'true']]

// The sandbox that starts fastest; wall time is charged, so a busy machine could exhaust the hourly budget.
const settings = { ICOSA_UNPACK_RUNTIME: 'bwrap', ICOSA_UNPACK_HOURLY_CPU_SECONDS: '1000000' }

statementsOf(
  'S3',
  ['unpack-analysis'],
  async ({ call, holds, instance }) => {
    using workshop = new Workshop()
    const url = `${instance.app.url}/unpack-analysis/v1`
    const original = workshop.compile(64, program)
    const post: Bench['post'] = async (path, file, fields = []) => {
      const form = new FormData()
      if (file) form.append('file', new Blob([Buffer.from(file)]), 'sample')
      for (const [name, value] of fields) form.append(name, value)
      const { status, headers, ...reply } = await answer(await send(url + path, form))
      return { status, headers, ...reply }
    }
    const apply: Bench['apply'] = (file, rules, fields = []) =>
      post('/apply-yara-rules', file, [...rules.map((rule) => ['rules', rule] as const), ...fields])
    const bench = { call, holds, instance, url, original, packed: workshop.pack(original), workshop, post, apply }
    await errors(bench)
    await unpacked(bench)
    await emulated(bench)
    await generated(bench)
    await applied(bench)
    await cleaned(bench)
  },
  settings,
)

async function answer(reply: Response): Promise<Reply> {
  const { status, headers } = reply
  const bytes = Buffer.from(await reply.arrayBuffer())
  const text = bytes.toString()
  return { status, headers, bytes, text, json: /^[{[]/.test(text) ? JSON.parse(text) : undefined }
}

const namesIn = ({ json }: Reply): string[] =>
  (json?.result?.matched_yara_rules ?? []).flat().map(({ rule }: Json) => rule)

const isError = ({ json }: { json: Json }, status: number) =>
  json?.status === status && typeof json.message === 'string' && json.message.length > 0

async function errors({ call, holds, instance, url, packed, original, post, apply }: Bench): Promise<void> {
  const fault = instance.app.faults.add({ target: 'unpack-analysis:*', kind: 'error', code: '500' })
  for (const path of posts) {
    const reply = await post(path, packed, [['rules', 'x']])
    holds(
      `a server error of ${path} is 500 with status and message`,
      reply.status === 500 && isError(reply, 500),
      reply,
    )
  }
  holds('a server error of /clean is 500', (await call(`${url}/clean`, { method: 'HEAD' })).status === 500)
  instance.app.faults.clear(fault.id)
  for (const path of posts) {
    const fields: Fields = path === '/apply-yara-rules' ? [['rules', magic]] : []
    const empty = await post(path, undefined, fields)
    holds(`${path} without a file is 400 with status and message`, empty.status === 400 && isError(empty, 400), empty)
    const json = await call(url + path, { method: 'POST', json: { file: 'x' } })
    holds(`a JSON body of ${path} is 400`, json.status === 400 && isError(json, 400), json.text)
    const none = await call(url + path, { method: 'POST' })
    holds(`${path} without a body is 400`, none.status === 400 && isError(none, 400), none.text)
    const strange = await post(path, packed, [...fields, ['nonsense', 'x']])
    const isNamed = strange.json?.message.includes('nonsense')
    holds(`an unknown field of ${path} is 400 by its name`, strange.status === 400 && isNamed, strange.text)
    const large = await post(path, Buffer.alloc(30 * 2 ** 20 + 1, 65), fields)
    holds(`${path} takes at most 30 MiB`, large.status === 400 && isError(large, 400), large.text)
  }
  for (const path of ['/unpack', '/emulation-output']) {
    const text = await post(path, Buffer.from('hello'))
    const isNamed = text.json?.message.includes('neither a Windows program')
    holds(`${path} of what is no program is 400`, text.status === 400 && isNamed, text.text)
    const cut = await post(path, original.subarray(0, 200))
    holds(`${path} of a program that is cut off is 400`, cut.status === 400 && isError(cut, 400), cut.text)
    const empty = await post(path, Buffer.alloc(0))
    holds(`${path} of an empty file is 400`, empty.status === 400 && isError(empty, 400), empty.text)
  }
  const plain = await post('/unpack', original)
  const says = plain.json?.message.startsWith('Nothing was unpacked: the program runs')
  holds('what is not packed is 400 and says so', plain.status === 400 && says, plain.text)
  const unknown = await call(`${url}/nothing`)
  holds('an unknown path is 404 with status and message', unknown.status === 404 && isError(unknown, 404), unknown.text)
  holds('no authentication is required', (await apply(original, [never])).status === 200)
}

async function unpacked({ holds, instance, packed, original, workshop, post }: Bench): Promise<void> {
  const reply = await post('/unpack', packed)
  const { bytes, headers } = reply
  holds('/unpack answers the program as bytes', reply.status === 200 && bytes.toString('latin1', 0, 2) === 'MZ', reply)
  holds('/unpack answers a binary type', headers.get('content-type') === 'application/octet-stream')
  const facts = reply.status === 200 && factsOf(bytes, textOf(original))
  holds('its entry point, code and imports are those before packing', same(facts, factsOf(original)), facts)
  holds('a header names the packer', headers.get('unpack-packer') === 'UPX', headers.get('unpack-packer'))
  holds('a header says how the emulation ended', headers.get('unpack-ended')?.startsWith('exit'))
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(packed)]), 'sample')
  const short = await answer(await send(`${instance.app.url}/unpack-analysis/unpack`, form))
  holds('the paths are there without /v1, too', short.status === 200 && short.bytes.equals(bytes), short.status)
  const narrow = workshop.compile(32, downloader(3))
  const of32 = await post('/unpack', workshop.pack(narrow))
  const facts32 = of32.status === 200 && factsOf(of32.bytes, textOf(narrow))
  holds('a program of 32 bits comes back, too', same(facts32, factsOf(narrow)), facts32)
  for (const option of ['-static', '-pie']) {
    const built = workshop.compileLinux(linuxDownloader(4), option)
    const linux = await post('/unpack', workshop.pack(built))
    const factsLinux = linux.status === 200 && elfFactsOf(linux.bytes, elfTextOf(built))
    holds(`a Linux program comes back, built with ${option}`, same(factsLinux, elfFactsOf(built)), factsLinux)
  }
}

async function emulated({ holds, packed, post }: Bench): Promise<void> {
  const { status, json, text } = await post('/emulation-output', packed)
  const output: unknown[] = json?.output ?? []
  const isRight = same(Object.keys(json ?? {}), ['output']) && output.every((line) => typeof line === 'string')
  holds('/emulation-output answers `output`, a list of texts', status === 200 && isRight && output.length > 0, text)
  for (const part of [
    'went to code it had written',
    '"http://evil.example.test/c2/gate.php"',
    'CreateFileA("C:\\\\Temp\\\\dropped.bin"',
    'WriteFile(',
    'RegSetValueExA(',
    'LoadLibraryA("ws2_32.dll")',
    'MessageBoxA(',
    'ended (exit)',
  ])
    holds(
      `emulation shows ${part}`,
      output.some((line) => String(line).includes(part)),
      output.slice(-25),
    )
}

async function generated({ holds, packed, post }: Bench): Promise<void> {
  const path = '/generate-partial-yara-rules'
  const textsIn = ({ json }: Reply): string[] => json?.rule?.strings.map(([, definition]: Json) => definition) ?? []
  const plain = await post(path, packed)
  const { rule } = plain.json ?? {}
  const isPair = (pair: Json) => pair.length === 2 && pair.every((text: unknown) => typeof text === 'string')
  holds('a rule has a name', plain.status === 200 && /^\w+$/.test(rule?.name), plain.text)
  holds('a rule has pairs of a name and a definition', rule?.strings.length > 0 && rule.strings.every(isPair), rule)
  holds('a rule has the date', /^\d{4}-\d\d-\d\d$/.test(rule?.meta.date), rule?.meta)
  for (const hash of ['md5', 'sha256', 'sha512'])
    holds(`${hash}sum is that of the file`, rule?.meta[`${hash}sum`] === createHash(hash).update(packed).digest('hex'))
  holds('a rule has no condition section', !plain.text.includes('condition'), plain.text)
  const inner = await post(path, packed, unpacking)
  const has = (reply: Reply, text: string) => textsIn(reply).some((definition) => definition.includes(text))
  holds('is_unpacking_required=true takes the unpacked form', has(inner, 'evil.example.test'), inner.text)
  const outer = await post(path, packed, [['is_unpacking_required', 'false']])
  holds('is_unpacking_required=false takes the file as it is', !has(outer, 'evil.example.test'), textsIn(outer))
  holds('and is the default', outer.status === 200 && same(outer.json, plain.json), [outer.text, plain.text])
  const wrong = await post(path, packed, [['is_unpacking_required', 'maybe']])
  holds('is_unpacking_required is true or false', wrong.status === 400 && isError(wrong, 400), wrong.text)
  const long = await post(path, packed, [...unpacking, ['minimum_string_length', '30']])
  const quoted = textsIn(long).flatMap((definition) => /^"((?:[^"\\]|\\x..|\\.)*)"/.exec(definition)?.[1] ?? [])
  const lengths = quoted.map((text) => text.replaceAll(/\\x..|\\./g, '.').length)
  holds('minimum_string_length is kept to', lengths.length > 0 && Math.min(...lengths) >= 30, quoted)
  for (const length of ['abc', '-5', '1000000']) {
    const refused = await post(path, packed, [['minimum_string_length', length]])
    holds(`minimum_string_length=${length} is 400`, refused.status === 400 && isError(refused, 400), refused.text)
  }
  const ignored = (count: number) =>
    Array.from({ length: count }, (_, index) => ['strings_to_ignore', `other ${index}`] as const)
  const url = 'http://evil.example.test/c2/gate.php'
  const without = await post(path, packed, [...unpacking, ['strings_to_ignore', url], ...ignored(999)])
  holds('1,000 strings_to_ignore are taken', without.status === 200, without.text)
  holds('strings_to_ignore are left out', has(without, 'MagicMarker') && !has(without, url), textsIn(without))
  const many = await post(path, packed, ignored(1_001))
  holds('1,001 strings_to_ignore are 400', many.status === 400 && isError(many, 400), many.text)
}

async function applied({ holds, packed, original, workshop, post, apply }: Bench): Promise<void> {
  const inner = await apply(packed, [magic, never], unpacking)
  const { result } = inner.json ?? {}
  holds('rules that match the unpacked form succeed', inner.status === 200 && result?.is_success === true, inner.text)
  holds(
    'matches are those in the file, and those in its unpacked form',
    same(
      result?.matched_yara_rules.map((list: Json) => list.map(({ rule }: Json) => rule)),
      [[], ['magic']],
    ),
    result,
  )
  const information = result?.matched_yara_rules[1]?.[0]?.string_information
  holds(
    'a match says which strings were found, and where',
    /^0x[0-9a-f]+:\$a: MagicMarker/.test(information?.[0]),
    information,
  )
  holds('the command is named', typeof result?.yara_command === 'string' && result.yara_command.length > 0)
  const outer = await apply(packed, [magic])
  holds(
    'without unpacking the packed file does not match',
    same(outer.json?.result.matched_yara_rules, [[]]),
    outer.text,
  )
  holds('a program that is not packed matches as it is', same(namesIn(await apply(original, [magic])), ['magic']))
  holds('rules in Base64 are taken', same(namesIn(await apply(original, [base64(magic), base64(never)])), ['magic']))
  const text = Buffer.from('just text MagicMarker-1234567890 evil.example.test')
  holds('rules apply to any file', same(namesIn(await apply(text, [magic])), ['magic']))
  const order = await post('/apply-yara-rules', text, [...unpacking, ['rules', magic]])
  const why = order.json?.result.error_message
  holds(
    'what cannot be unpacked is no success and says why',
    order.json?.result.is_success === false && why,
    order.text,
  )
  const ten = await apply(original, always(10))
  holds('10 rules are applied', ten.status === 200 && namesIn(ten).length === 10, ten.text)
  const eleven = await apply(original, always(11))
  holds('11 rules are 400', eleven.status === 400 && isError(eleven, 400), eleven.text)
  const inOne = await apply(original, [always(11).join('\n')])
  holds('11 rules in one field are 400', inOne.status === 400 && inOne.text.includes('11 rules'), inOne.text)
  holds('no rules are 400', (await apply(original, [])).status === 400)
  const broken = await apply(original, ['rule x { condition: '])
  const { is_success, error_message } = broken.json?.result ?? {}
  holds('a broken rule is 200 with is_success false', broken.status === 200 && is_success === false, broken.text)
  holds('a broken rule has an error_message', error_message?.includes('error'), error_message)
  const modules = [
    'import "pe" rule ispe { condition: pe.is_pe and pe.number_of_sections > 3 }',
    'import "hash" rule hashed { condition: hash.md5(0, filesize) != "" }',
    'import "math" rule mixed { condition: math.entropy(0, filesize) > 1 }',
    'import "elf" rule noelf { condition: not defined elf.type }',
  ]
  const matched = namesIn(await apply(original, modules)).toSorted()
  holds('the modules pe, hash, math and elf are there', same(matched, ['hashed', 'ispe', 'mixed', 'noelf']), matched)
  const including = await apply(original, ['include "/etc/passwd" rule x { condition: true }'])
  const isRefused = including.json?.result.is_success === false && !including.text.includes('root:')
  holds('include is refused', isRefused, including.text)

  const other = workshop.compile(32, downloader(8))
  const ruleOf = async (fields: Fields, name: string) => {
    const { json } = await post('/generate-partial-yara-rules', packed, fields)
    const strings = json.rule.strings.map((pair: string[]) => pair.join(' = ')).join('\n')
    return `rule ${name} { strings: ${strings} condition: all of them }`
  }
  const ofFile = await ruleOf([], 'outer')
  const ofInner = await ruleOf(unpacking, 'inner')
  holds('a generated rule matches its file', same(namesIn(await apply(packed, [ofFile])), ['outer']))
  holds('that of the unpacked form matches it', same(namesIn(await apply(packed, [ofInner], unpacking)), ['inner']))
  holds('and the program before it was packed', same(namesIn(await apply(original, [ofInner])), ['inner']))
  holds('and no other program', same(namesIn(await apply(other, [ofInner, ofFile])), []))
}

async function cleaned({ call, holds, instance, url }: Bench): Promise<void> {
  const { blobs } = instance.development.node.platform
  const kept = async () => (await blobs.list('unpack-analysis/', { limit: 100 })).items.length
  holds('uploads are kept until they are cleaned up', (await kept()) > 0)
  const { status, bytes } = await call(`${url}/clean`, { method: 'HEAD' })
  holds('HEAD /clean is 204 without a body', status === 204 && bytes.length === 0, status)
  holds('nothing is left of the uploads', (await kept()) === 0, await kept())
  holds('/clean takes HEAD alone', (await call(`${url}/clean`)).status === 405)
}
