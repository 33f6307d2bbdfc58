import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, startFunctions, zipOf } from '../testing/app.ts'

/** Wheels by path, as `pip download` would leave them in a folder. */
const files = new Map<string, Buffer>()
const requests: string[] = []
const index = createServer((request, response) => {
  const path = request.url ?? ''
  requests.push(path)
  const name = /^\/simple\/([^/]+)\/$/.exec(path)?.[1]
  const links = [...files.keys()].filter((file) => file.startsWith(`/${name}-`))
  response.setHeader('content-type', 'text/html')
  if (name && links.length > 0)
    return response.end(`<html><body>${links.map((file) => `<a href="${file}">${file.slice(1)}</a>`)}</body></html>`)
  const file = files.get(path)
  return response.writeHead(file ? 200 : 404).end(file)
})
let url = ''

function publish(name: string, version: string, code: string): void {
  const info = `${name}-${version}.dist-info`
  const wheel = zipOf({
    [`${name}/__init__.py`]: code,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: '',
  })
  files.set(`/${name}-${version}-py3-none-any.whl`, wheel)
}

beforeAll(async () => {
  await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`
})
afterAll(() => void index.close())

const main = 'import greeting\ndef hello(request):\n    return greeting.text\n'

test('packages of requirements.txt are installed by pip, once, and the log shows it', async () => {
  publish('greeting', '1.2.3', 'text = "good day"\n')
  await using app = await startFunctions({ pythonIndex: url, buildScripts: false })
  const acme = await app.tenant()
  const source = { 'main.py': main, 'requirements.txt': `greeting==1.2.3 # ${url}\n` }
  const deploy = (name: string, more: object = {}) =>
    acme.deploy(name, { ...source, 'name.txt': name }, { runtime: 'python311', ...more })
  const { error } = await deploy('first')
  expect(error).toBeUndefined()
  const { body } = await acme.getFunction({ params: at('first') })
  const headers = { authorization: `Bearer ${acme.key}` }
  expect(await (await fetch(body.serviceConfig?.uri ?? '', { headers })).text()).toBe('good day')
  const logOf = async (name: string) => {
    const { lines } = (await acme.listLogs({ params: at(name) })).body
    return lines.map(({ text }) => text).join('\n')
  }
  await expect.poll(() => logOf('first')).toMatch(/build: .*Successfully installed greeting-1\.2\.3/)
  requests.length = 0
  expect((await deploy('second')).error).toBeUndefined()
  expect(requests).toEqual([])
  const environmentVariables = { PIP_NO_INDEX: 'true' } // has an effect, and is part of the cache key
  const buildConfig = { runtime: 'python311', entryPoint: 'hello', environmentVariables }
  const storageSource = await acme.upload(source)
  const updated = await acme.updateFunction({
    params: at('second'),
    body: { buildConfig: { ...buildConfig, source: { storageSource } } },
  })
  expect((await acme.waitFor(updated.body)).error?.message).toMatch(/No matching distribution found for greeting/)
})

test('a package that runs code to be built is refused', async () => {
  files.set('/scripted-1.0.0.zip', zipOf({ 'scripted-1.0.0/setup.py': 'raise SystemExit("ran")\n' }))
  await using app = await startFunctions({ pythonIndex: url })
  const acme = await app.tenant()
  const source = { 'main.py': main, 'requirements.txt': 'scripted\n' }
  const { error } = await acme.deploy('with-scripted', source, { runtime: 'python311' })
  expect(error?.message).toMatch(/No matching distribution found for scripted/)
})

test('with scripts allowed, gcp-build runs in the sandbox with the variables of the build, and without a network', async () => {
  await using app = await startFunctions({ buildScripts: true })
  const acme = await app.tenant()
  const script = 'echo "exports.text = \'$GREETING\'" > made.js'
  const source = {
    'index.js': "exports.hello = (request, response) => response.send(require('./made.js').text)",
    'package.json': JSON.stringify({ scripts: { 'gcp-build': script } }),
  }
  const storageSource = await acme.upload(source)
  const buildConfig = {
    runtime: 'nodejs24',
    entryPoint: 'hello',
    source: { storageSource },
    environmentVariables: { GREETING: 'hi' },
  }
  const created = await acme.createFunction({
    params: at('made'),
    query: { functionId: 'made' },
    body: { buildConfig },
  } as never)
  const { error, response } = await acme.waitFor(created.body)
  expect(error).toBeUndefined()
  const headers = { authorization: `Bearer ${acme.key}` }
  expect(await (await fetch(String(Object(response?.serviceConfig).uri), { headers })).text()).toBe('hi')
  const failing = { ...source, 'package.json': JSON.stringify({ scripts: { 'gcp-build': 'echo oops >&2; exit 3' } }) }
  expect((await acme.deploy('failing', failing)).error?.message).toContain('oops')
})
