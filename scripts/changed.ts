// Test files affected by a change: those of the changed workspaces that import a changed file, directly or not, and
// changed tests themselves. Dependent workspaces are left to CI.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { importsOf, root, sources } from '../tests/architecture/sources.ts'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

const isTest = (file: string) => file.endsWith('.test.ts')
const workspaceOf = (file: string) => /^(?:packages|services|apps)\/[^/]+\//.exec(file)?.[0]

/** Where workspaces are tested that have no tests of their own. */
const testsElsewhere: Readonly<Record<string, string>> = {
  'apps/console/': 'tests/console/',
  'packages/client/': 'packages/testing/src/example/notes/',
  'packages/statements/': 'services/sql-databases/src/queries/',
}

/** Files changed since the merge base with main, including uncommitted ones. */
function changedFiles(): string[] {
  const [base = 'HEAD'] = git('merge-base', 'HEAD', process.env.BASE ?? 'main')
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** Files that import one of these, directly or not. */
function importersOf(changed: readonly string[], among: readonly string[]): Set<string> {
  const importers = Map.groupBy(among.flatMap(importsOf), ({ of }) => of)
  const reached = new Set(changed)
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer.file)
  return reached
}

export function touchedTests(changed: readonly string[] = changedFiles()): string[] {
  const touched = changed.filter((file) => file.startsWith('tests/') && isTest(file))
  for (const [workspace, files] of Map.groupBy(changed, workspaceOf)) {
    if (workspace === undefined) continue
    const elsewhere = testsElsewhere[workspace]
    if (elsewhere !== undefined && files.some((file) => !file.endsWith('.md')))
      touched.push(...git('ls-files', elsewhere).filter(isTest))
    const own = sources.filter((file) => file.startsWith(workspace))
    const reached = importersOf(files, own)
    // A file that is no module (a migration, a template) may be read by any test.
    const isEverything = files.some((file) => !/\.(ts|md)$/.test(file))
    touched.push(...own.filter((file) => isTest(file) && (isEverything || reached.has(file))))
  }
  return touched.filter((file) => existsSync(new URL(file, root)))
}
