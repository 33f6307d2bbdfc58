import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root, textOf } from '../architecture/sources.ts'
import { groups } from '../mutation/groups.ts'

interface Workflow {
  readonly permissions: object
  readonly jobs: Readonly<Record<string, Job>>
}
interface Job {
  readonly steps: readonly { readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[]
  readonly strategy?: { readonly matrix: Matrix }
}
interface Matrix {
  readonly part?: readonly string[]
  readonly shard?: readonly string[]
  readonly include?: readonly Readonly<Record<string, string>>[]
}

const workflows = readdirSync(new URL('.github/workflows/', root)).map((file) => {
  const text = textOf(`.github/workflows/${file}`)
  return { file, text, ...(parse(text) as Workflow) }
})
const dockerfile = textOf('deploy/Dockerfile')
const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> }

/** Commands of a workflow, once for each part of its matrix. */
const commandsOf = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ steps, strategy }) =>
    steps.flatMap(({ run = '' }) =>
      (strategy?.matrix.part ?? [''])
        // biome-ignore lint/suspicious/noTemplateCurlyInString: syntax of GitHub
        .map((part) => run.replace('${{ matrix.part }}', part))
        .filter((command, position, all) => command !== '' && all.indexOf(command) === position),
    ),
  )

/** Replacements for parts of steps that a test lacks the rights, tokens or time to run. Empty: the part is skipped. */
const rehearsals: readonly { readonly of: RegExp; readonly instead: string; readonly why: string }[] = [
  { of: /^apt-get update .*/, instead: '', why: 'it would change the machine' },
  { of: /^\.ci\/run$/, instead: 'bash -n .ci/run', why: 'it would run this test' },
  { of: /^scripts\/setup$/, instead: 'bash -n scripts/setup', why: 'it would change the machine' },
  { of: /^npm ci$/, instead: 'npm ci --dry-run --ignore-scripts', why: 'the README is followed with it' },
  { of: /test:nightly$/, instead: 'test:nightly -- tests/supply/release.test.ts', why: 'it would run this test' },
  { of: /statements$/, instead: 'statements -- tests/statements/braille-translation.test.ts', why: 'it takes an hour' },
  { of: /fuzz -- --seconds 60$/, instead: 'fuzz -- zip --seconds 1', why: 'it takes a quarter of an hour' },
  { of: /mutation -- .*/, instead: 'mutation -- conditions', why: 'it takes an hour' },
  { of: /npm run test:s3$/, instead: 'vitest list --filesOnly --config vitest.s3.config.ts', why: 'it installs Ceph' },
  { of: /--provenance/, instead: '--dry-run', why: 'only GitHub can attest where a package was built' },
  {
    of: /^pipx run --spec build\S+ pyproject-build/,
    instead: 'python3 -m build --no-isolation',
    why: 'PyPI is not here',
  },
  { of: /^pipx run --spec twine\S+ twine upload/, instead: 'ls', why: 'it would publish' },
  {
    of: /^gh api .*/,
    instead: 'git check-ref-format "refs/tags/clients/go/$GITHUB_REF_NAME"',
    why: 'it would publish',
  },
  { of: /^gh release create \S+ (.*)--notes-file/, instead: 'ls $1', why: 'there is no release to create' },
]
const rehearsed = (command: string) =>
  rehearsals.reduce((result, { of, instead }) => (of.test(command) ? result.replace(of, instead) : result), command)

test.each(workflows)('$file pins actions by hash, grants read access only, and runs existing scripts', (workflow) => {
  expect(workflow.permissions).toEqual({ contents: 'read' })
  for (const [, action = ''] of workflow.text.matchAll(/uses: (.+)/g))
    expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  for (const command of commandsOf(workflow)) {
    const [, script] = /npm run ([\w:]+)/.exec(command) ?? []
    const [program] = /^\.ci\/run|^scripts\/\w+/.exec(command) ?? []
    if (script) expect(scripts).toHaveProperty([script])
    else if (program) accessSync(new URL(program, root), constants.X_OK)
    else expect(rehearsed(command), 'the command is neither a script nor rehearsed').not.toBe(command)
  }
})

test('every rehearsal replaces part of a step', () => {
  const commands = workflows.flatMap(commandsOf)
  expect(rehearsals.filter(({ of }) => !commands.some((command) => of.test(command)))).toEqual([])
})

const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs))

test('the parts of a matrix exist: shards, mutation groups, stages of the image', () => {
  for (const { strategy } of jobs) {
    const { shard, part = [], include = [] } = strategy?.matrix ?? {}
    expect(shard).toEqual(shard?.map((_, index) => `${index + 1}/${shard.length}`))
    const mutated = part.flatMap((command) => /^mutation -- (.*)/.exec(command)?.[1]?.split(' ') ?? [])
    expect(Object.keys(groups)).toEqual(expect.arrayContaining(mutated))
    for (const { target } of include) expect(dockerfile).toMatch(new RegExp(`^FROM .* AS ${target}$`, 'm'))
  }
  const files = jobs.flatMap(({ steps }) => steps.flatMap(({ with: { file } = {} }) => file ?? []))
  expect(files).toEqual(['deploy/Dockerfile'])
})

describe.runIf(process.env.NIGHTLY)('each step of each workflow', () => {
  let checkout = ''
  const { version } = JSON.parse(textOf('apps/server/package.json')) as { readonly version: string }

  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), 'icosa-workflows-'))
    const from = fileURLToPath(root)
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${from}`, checkout])
    const modules = execFileSync('find', ['.', '-name', 'node_modules', '-prune'], { cwd: from, encoding: 'utf8' })
    for (const folder of modules.trim().split('\n'))
      execFileSync('cp', ['-a', join(from, folder), join(checkout, folder)])
    const changelog = join(checkout, 'CHANGELOG.md')
    const heading = new RegExp(`^## ${version}.*$`, 'm')
    writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(heading, `## ${version}, 2026-01-01`))
  })
  afterAll(() => rmSync(checkout, { recursive: true, force: true }))

  test.each(workflows.flatMap((workflow) => commandsOf(workflow).map((command) => [workflow.file, command])))(
    '%s: %s',
    (_, command = '') => {
      const { DATABASE_URL: __, VITEST: ___, ...bare } = process.env
      const env = {
        ...bare,
        PATH: `${join(checkout, 'node_modules/.bin')}:${bare.PATH}`,
        GITHUB_REF_NAME: `v${version}`,
      }
      const started = performance.now()
      execFileSync('bash', ['-euo', 'pipefail', '-c', rehearsed(command)], { cwd: checkout, env, stdio: 'inherit' })
      console.log(`${rehearsed(command) || 'nothing'}: ${((performance.now() - started) / 1_000).toFixed(1)} s`)
    },
  )
})
