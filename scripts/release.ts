/**
 * `npm run release -- prepare 0.2.0` writes the version and the changelog's heading, commits and signs a tag.
 * `npm run release -- check v0.2.0` builds the package of a tag twice, compares the two byte for byte, and writes
 * `dist/notes.md`; the release workflow publishes its output.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.ts'

const manifestFile = join(root, 'apps/server/package.json')
const changelogFile = join(root, 'CHANGELOG.md')
const unreleased = '## Unreleased\n'

/** Files of the test kits that name the version. */
const kitFiles = ['clients/python/pyproject.toml', 'clients/python/icosa/__init__.py', 'clients/go/process.go']

const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: root, stdio: 'inherit' })
const output = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: root, encoding: 'utf8' })

function refuse(why: string): never {
  console.error(why)
  process.exit(1)
}

/** The lines below a version's heading. */
export function notesOf(changelog: string, heading: string): string {
  const [, after = ''] = changelog.split(`${heading}\n`)
  return (after.split(/^## /m)[0] ?? '').trim()
}

/** Reasons why a commit cannot be released. */
export function problemsOf(version: string, changelog: string, security: string, current: string): string[] {
  const problems: string[] = []
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`"${version}" is no version such as 0.2.0.`)
  if (version === current) problems.push(`${version} is the current version.`)
  if (notesOf(changelog, unreleased.trim()) === '') problems.push('CHANGELOG.md has nothing below "Unreleased".')
  if (security.includes('security@example.org')) problems.push('SECURITY.md still has the placeholder for a contact.')
  return problems
}

function prepare(version: string): void {
  const changelog = readFileSync(changelogFile, 'utf8')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const problems = problemsOf(version, changelog, readFileSync(join(root, 'SECURITY.md'), 'utf8'), manifest.version)
  if (output('git', 'status', '--porcelain') !== '') problems.push('There are changes that are not committed.')
  if (problems.length > 0) refuse(problems.join('\n'))
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(manifestFile, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  writeFileSync(changelogFile, changelog.replace(unreleased, `${unreleased}\n## ${version}, ${today}\n`))
  for (const file of kitFiles.map((name) => join(root, name)))
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"${manifest.version}"`, `"${version}"`))
  run('npm', 'install', '--package-lock-only', '--ignore-scripts')
  run('npm', 'run', 'check')
  run('git', 'commit', '--all', '--message', `release: ${version}`)
  run('git', 'tag', '--sign', `v${version}`, '--message', `Icosa ${version}`)
  console.log(`Now: git push --follow-tags`)
}

/** Builds the package; returns its file and hash. */
function build(version: string): { readonly file: string; readonly hash: string } {
  run('npm', 'run', 'package')
  const file = `icosa-${version}.tgz`
  return {
    file,
    hash: createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex'),
  }
}

function check(tag: string): void {
  const { version } = JSON.parse(readFileSync(manifestFile, 'utf8'))
  if (tag !== `v${version}`) refuse(`The tag is ${tag}, and apps/server/package.json says ${version}.`)
  const changelog = readFileSync(changelogFile, 'utf8')
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version},`))
  if (heading === undefined) refuse(`CHANGELOG.md has no section for ${version}.`)
  const [first, second] = [build(version), build(version)]
  if (first.hash !== second.hash) refuse(`Two builds of one commit differ: ${first.hash} and ${second.hash}.`)
  writeFileSync(
    join(root, 'dist/notes.md'),
    `${notesOf(changelog, heading)}\n\nSHA-256 of ${first.file}: ${first.hash}\n`,
  )
  console.log(`${first.file} ${first.hash}, built twice`)
}

if (import.meta.main) {
  const [command, argument = ''] = process.argv.slice(2)
  if (command === 'prepare') prepare(argument)
  else if (command === 'check') check(argument)
  else refuse('npm run release -- prepare 0.2.0, or: npm run release -- check v0.2.0')
}
