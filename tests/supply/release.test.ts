import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { touchedTests } from '../../scripts/changed.ts'
import { notesOf, problemsOf } from '../../scripts/release.ts'
import { textOf } from '../architecture/sources.ts'

const changelog = '# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 0.1.0\n\nThe first.\n'

test('a release without notes, a contact or a new version is refused', () => {
  expect(problemsOf('0.2.0', changelog, 'security@icosa.test', '0.1.0')).toEqual([])
  expect(problemsOf('0.1.0', changelog.replace('- Faster.\n', ''), textOf('SECURITY.md'), '0.1.0')).toEqual([
    '0.1.0 is the current version.',
    'CHANGELOG.md has nothing below "Unreleased".',
    'SECURITY.md still has the placeholder for a contact.',
  ])
  expect(problemsOf('v0.2', changelog, '', '0.1.0')).toEqual(['"v0.2" is no version such as 0.2.0.'])
})

test('the notes of a release are those of its section', () => {
  expect(notesOf(changelog, '## Unreleased')).toBe('- Faster.')
  expect(notesOf(changelog, '## 0.1.0')).toBe('The first.')
  expect(notesOf(textOf('CHANGELOG.md'), '## Unreleased')).not.toBe('')
})

test('a change touches the tests of its workspace that import it', () => {
  const ofBreaker = touchedTests(['packages/kernel/src/db/connection/circuit-breaker.ts'])
  expect(ofBreaker).toContain('packages/kernel/src/db/connection/outage.test.ts')
  expect(ofBreaker.every((file) => file.startsWith('packages/kernel/'))).toBe(true)
  expect(touchedTests(['packages/kernel/README.md', 'docs/operate/README.md'])).toEqual([])
  expect(touchedTests(['tests/supply/release.test.ts'])).toEqual(['tests/supply/release.test.ts'])
  const ofMigration = touchedTests(['services/backup/migrations/0001_initial.sql'])
  expect(ofMigration).toContain('services/backup/src/selections/selections.test.ts')
})

test('a change of any workspace touches tests', () => {
  const folders = ['packages', 'services', 'apps'].flatMap((top) =>
    readdirSync(new URL(`../../${top}/`, import.meta.url)).map((name) => `${top}/${name}`),
  )
  expect(folders.filter((folder) => touchedTests([`${folder}/package.json`]).length === 0)).toEqual([])
  expect(touchedTests(['apps/console/src/style.css'])).toContain('tests/console/console.test.ts')
  expect(touchedTests(['apps/console/README.md'])).toEqual([])
})
