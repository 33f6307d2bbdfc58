import { accessSync, constants, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { touchedTests } from '../../scripts/changed.ts'
import { notesOf, problemsOf } from '../../scripts/release.ts'
import { root, textOf } from '../architecture/sources.ts'

const changelog = '# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 0.1.0\n\nThe first.\n'

test('a release is refused for want of notes, a contact, or a new version', () => {
  expect(problemsOf('0.2.0', changelog, 'security@icosa.test', '0.1.0')).toEqual([])
  expect(problemsOf('0.1.0', changelog.replace('- Faster.\n', ''), textOf('SECURITY.md'), '0.1.0')).toEqual([
    '0.1.0 is the current version.',
    'CHANGELOG.md says nothing below "Unreleased".',
    'SECURITY.md still has the placeholder for a contact.',
  ])
  expect(problemsOf('v0.2', changelog, '', '0.1.0')).toEqual(['"v0.2" is no version such as 0.2.0.'])
})

test('the notes of a release are those of its section', () => {
  expect(notesOf(changelog, '## Unreleased')).toBe('- Faster.')
  expect(notesOf(changelog, '## 0.1.0')).toBe('The first.')
  expect(notesOf(textOf('CHANGELOG.md'), '## Unreleased')).not.toBe('')
})

const workflows = readdirSync(new URL('.github/workflows/', root)).map((file) => `.github/workflows/${file}`)
const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> }

test.each(workflows)('%s names actions by hash, grants little, and runs what there is', (file) => {
  const text = textOf(file)
  expect(text).toMatch(/^permissions: \{ contents: read \}$/m)
  for (const [, action = ''] of text.matchAll(/uses: (.+)/g))
    expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  const commands = [...text.matchAll(/- run: (.+)/g)].map(([, command = '']) => command)
  const named = commands.flatMap((command) => /npm run ([\w:]+)/.exec(command)?.[1] ?? [])
  const parts = [...text.matchAll(/^ +part: \[(.+)\]$/gm)].flatMap(([, list = '']) =>
    list.split(', ').map((part) => /[\w:]+/.exec(part)?.[0] ?? ''),
  )
  for (const name of [...named, ...parts]) expect(scripts).toHaveProperty([name])
  for (const command of commands) {
    const [program] = /^\.ci\/run|^scripts\/\w+/.exec(command) ?? []
    if (program) accessSync(new URL(program, root), constants.X_OK)
  }
})

test('a change touches the tests of its workspace that import it', () => {
  const ofBreaker = touchedTests(['packages/kernel/src/db/connection/circuit-breaker.ts'])
  expect(ofBreaker).toContain('packages/kernel/src/db/connection/outage.test.ts')
  expect(ofBreaker.every((file) => file.startsWith('packages/kernel/'))).toBe(true)
  expect(touchedTests(['packages/kernel/README.md', 'docs/operate.md'])).toEqual([])
  expect(touchedTests(['tests/supply/release.test.ts'])).toEqual(['tests/supply/release.test.ts'])
  const ofMigration = touchedTests(['services/backup/migrations/0001_initial.sql'])
  expect(ofMigration).toContain('services/backup/src/selections/selections.test.ts')
})
