import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What deploy/prometheus alerts on: budgets of objectives, and a runbook for each alert.
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')
const alerts = await read('deploy/prometheus/alerts.yaml')
const rules = await read('deploy/prometheus/objectives.yaml')
const runbooks = await read('docs/operate/runbooks.md')
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const run = promisify(execFile)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-objectives-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('each alert has a runbook that names its severity', () => {
  const severities = matches(alerts, /severity: (page|warn)/g)
  const expected = matches(alerts, /alert: (\w+)/g).map((name, index) => `## ${name}: ${severities[index]}`)
  const sections = [...runbooks.matchAll(/^## (\w+)\n\n\*(\w+)\.\*/gm)].map(
    ([, name, severity]) => `## ${name}: ${severity}`,
  )
  expect(expected.length).toBeGreaterThan(15)
  expect(sections.sort()).toEqual(expected.sort())
  expect(matches(runbooks, /^## (\w+)/gm)).toHaveLength(sections.length)
})

test('every series that alerts on budgets compare is recorded', () => {
  const recorded = matches(rules, /record: (icosa:\S+)/g)
  const compared = new Set(matches(alerts, /(icosa:[a-z]+:[a-z_]+\d+[mhd])/g))
  expect(compared.size).toBe(22)
  expect([...compared].filter((name) => !recorded.includes(name))).toEqual([])
})

async function objectives(content: string) {
  const from = join(folder, 'objectives.json')
  await writeFile(from, content)
  return run(join(root, 'node_modules/.bin/icosa'), ['objectives', '--from', from]).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  )
}
const all = { availability: [{ target: 0.99 }], latency: [{ target: 0.9, seconds: 1 }] }

test('own objectives replace those of the platform', async () => {
  const banking = { services: ['banking'], target: 0.9999 }
  const given = await objectives(JSON.stringify({ ...all, availability: [banking, { target: 0.995 }] }))
  expect(given).toContain(
    'expr: (icosa:errors:count5m{service=~"banking"} / 0.0001 or icosa:errors:count5m{service!~"banking"} / 0.005) / icosa:requests:count5m',
  )
  expect(given).toContain('le="1"')
})

test.each([
  ['{', /is not JSON/],
  [JSON.stringify({ ...all, latency: [{ target: 0.9, seconds: 0.7 }] }), /seconds is one of .*, not 0.7/],
  [JSON.stringify({ ...all, availability: [{ target: 1 }] }), /availability\/0\/target/],
  [JSON.stringify({ ...all, availability: [{ target: 0.9, service: 'banking' }] }), /'?service'?/],
  [JSON.stringify({ ...all, availability: [{ target: 0.9, services: ['bank'] }] }), /no service 'bank'/],
])('objectives %s are rejected', async (content, reason) => {
  expect(await objectives(content)).toMatch(reason)
})

/** Counters that grow by so much a minute for two hours: calm for the first, then as given. */
const series = (labels: string, requests: number, inTime: number) => [
  `      - series: icosa_request_duration_seconds_count{${labels}}\n        values: '0+100x60 6000+${requests}x60'`,
  ...['0.5', '5'].map(
    (le) =>
      `      - series: icosa_request_duration_seconds_bucket{${labels},le="${le}"}\n        values: '0+100x60 6000+${inTime}x60'`,
  ),
]
const firing = (name: string, service: string) =>
  `          - labels: ALERTS{alertname="${name}",alertstate="firing",service="${service}",severity="page"}\n            value: 1`

test.runIf(process.env.NIGHTLY)('Prometheus fires the alerts on budgets, and only those', async () => {
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'prometheus'], { stdio: 'ignore' })
  const files = ['alerts', 'objectives'].map((name) => join(root, `deploy/prometheus/${name}.yaml`))
  await run('promtool', ['check', 'rules', ...files])
  const failing = ['service="banking",operation="a",status="500"', 'service="backup",operation="a",status="500"']
  const page = [
    `rule_files: [${files.join(', ')}]`,
    'evaluation_interval: 1m',
    'tests:',
    '  - interval: 1m',
    '    input_series:',
    ...series('service="banking",operation="a",status="200"', 100, 100),
    `      - series: icosa_request_duration_seconds_count{${failing[0]}}\n        values: '0+0x60 0+5x60'`,
    // One error in an hour of a rarely used service must not page anyone.
    `      - series: icosa_request_duration_seconds_count{${failing[1]}}\n        values: '0x80 1x40'`,
    ...series('service="job-scheduler",operation="a",status="200"', 100, 70),
    ...series('service="functions",operation="invokeFunction",status="200"', 100, 0),
    '    promql_expr_test:',
    `      - expr: ALERTS{alertname=~"Icosa.*Budget.*",severity="page"}`,
    '        eval_time: 90m',
    '        exp_samples:',
    firing('IcosaErrorBudgetBurns', 'banking'),
    firing('IcosaLatencyBudgetBurns', 'job-scheduler'),
  ].join('\n')
  const file = join(folder, 'test.yaml')
  await writeFile(file, page)
  await run('promtool', ['test', 'rules', file])
})
