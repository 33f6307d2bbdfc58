import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Without Helm to render the chart, the templates are searched for the most common mistakes.
const chart = fileURLToPath(new URL('../../deploy/helm/icosa/', import.meta.url))
const textOf = (path: string) => readFileSync(join(chart, path), 'utf8')
const files = readdirSync(join(chart, 'templates')).map((name) => ({ name, text: textOf(`templates/${name}`) }))
const everything = files.map(({ text }) => text).join('\n')
const actions = (text: string) => [...text.matchAll(/\{\{-?\s*(.*?)\s*-?\}\}/gs)].map(([, action = '']) => action)
const all = (pattern: RegExp, text = everything) => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** Paths of all values, such as `api.replicas`. */
function pathsOf(yaml: string): Set<string> {
  const paths = new Set<string>()
  const parents: { readonly depth: number; readonly name: string }[] = []
  for (const line of yaml.split('\n')) {
    const [, indent = '', name] = /^( *)([\w-]+):/.exec(line) ?? []
    if (name === undefined) continue
    while ((parents.at(-1)?.depth ?? -1) >= indent.length) parents.pop()
    parents.push({ depth: indent.length, name })
    paths.add(parents.map((parent) => parent.name).join('.'))
  }
  return paths
}

test('every value that a template reads is in values.yaml, and every value there is read', () => {
  const paths = pathsOf(textOf('values.yaml'))
  const read = new Set(all(/\.Values\.([\w.]+)/g))
  expect(read.size).toBeGreaterThan(10)
  expect([...read].filter((path) => !paths.has(path))).toEqual([])
  const isRead = (path: string) =>
    [...read].some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`))
  expect([...paths].filter((path) => !isRead(path))).toEqual([])
})

test('every included template is defined, every block ends, and insertions are indented like their line', () => {
  const defined = all(/define "([\w.]+)"/g)
  expect(new Set(all(/include "([\w.]+)"/g))).toEqual(new Set(defined))
  for (const { name, text } of files) {
    const words = actions(text).map((action) => action.split(' ')[0])
    const count = (...some: string[]) => words.filter((word) => some.includes(word ?? '')).length
    expect(count('if', 'with', 'range', 'define'), name).toBe(count('end'))
    expect(text.split('{{').length, name).toBe(text.split('}}').length)
    expect(text, name).not.toContain('\t')
    for (const [, indent = '', depth] of text.matchAll(/^( *)\{\{-? (?:include|toYaml)[^\n]*nindent (\d+)/gm))
      expect(`${name} ${indent.length}`).toBe(`${name} ${depth}`)
  }
})

test('the chart has probes, disruption budgets, a migration before each upgrade and no privileges', () => {
  const kinds = all(/^kind: (\w+)$/gm).sort()
  expect(kinds).toEqual([
    ...['Deployment', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy'],
    ...['PodDisruptionBudget', 'PodDisruptionBudget', 'Service', 'Service', 'StatefulSet'],
  ])
  expect(all(/path: (\/\w+)/g).sort()).toEqual(['/healthz', '/healthz', '/readyz'])
  expect(textOf('templates/migrate.yaml')).toMatch(/helm\.sh\/hook: pre-install,pre-upgrade/)
  expect(all(/args:\s+- (\w+)/g).sort()).toEqual(['migrate', 'serve', 'worker', 'worker'])
  const pods = files.filter(({ text }) => text.includes('containers:'))
  expect(pods.map(({ name }) => name)).toEqual(['api.yaml', 'machines.yaml', 'migrate.yaml', 'worker.yaml'])
  for (const { name, text } of pods) {
    const component = name.replace('.yaml', '')
    for (const part of ['pod', 'container'])
      expect(text).toContain(`"icosa.${part}" (dict "root" . "component" "${component}")`)
  }
  // Required by the Pod Security profile `restricted`.
  const rights = ['runAsNonRoot: true', 'allowPrivilegeEscalation: false', 'drop: [ALL]', 'type: RuntimeDefault']
  for (const right of [...rights, 'readOnlyRootFilesystem: true', 'automountServiceAccountToken: false'])
    expect(textOf('templates/_helpers.tpl')).toContain(right)
})

test('ports, folder and version match the image', () => {
  const dockerfile = readFileSync(join(chart, '../../Dockerfile'), 'utf8')
  const [, port] = /ICOSA_PORT=(\d+)/.exec(dockerfile) ?? []
  const [, metricsPort] = /ICOSA_METRICS_PORT=(\d+)/.exec(dockerfile) ?? []
  expect(all(/containerPort: (\d+)/g)).toEqual([port, metricsPort])
  expect(new Set(all(/- --port\s+- "(\d+)"/g))).toEqual(new Set([port]))
  expect(new Set(all(/prometheus\.io\/port: '(\d+)'/g))).toEqual(new Set([metricsPort]))
  expect(textOf('templates/service.yaml'), 'metrics name tenants').not.toMatch(/metrics|9464/)
  expect(dockerfile).toContain('ICOSA_DATA=/var/lib/icosa')
  expect(everything).toContain('mountPath: /var/lib/icosa')
  const { version } = JSON.parse(readFileSync(join(chart, '../../../apps/server/package.json'), 'utf8'))
  expect(textOf('Chart.yaml')).toContain(`appVersion: ${version}`)
})
