import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Paths in a row; those that begin with `src/` are relative to the service that the row names. */
function pathsIn(row: string): string[] {
  const named = [...row.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path).filter((path) => path.includes('/'))
  const service = named.map((path) => /^services\/[\w-]+\//.exec(path)?.[0]).find(Boolean) ?? ''
  return named.map((path) => (path.startsWith('src/') ? service + path : path))
}

test('every test file or folder that SECURITY.md names exists and contains tests', () => {
  const rows = readFileSync(`${root}SECURITY.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
  expect(rows.length).toBeGreaterThan(15)
  const missing = rows.flatMap((row) => {
    const paths = pathsIn(row.split(' | ').at(-1) ?? '')
    if (paths.length === 0) return [row]
    return paths.filter(
      (path) =>
        !existsSync(root + path) || (!path.endsWith('.ts') && globSync(`${root}${path}/**/*.test.ts`).length === 0),
    )
  })
  expect(missing).toEqual([])
})
