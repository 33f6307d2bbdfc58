import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { root, textOf } from './sources.ts'

/**
 * House words for which the field has better ones: docs/develop/glossary.md. Each may occur at most as often as it does today;
 * when an occurrence is removed, lower its number here.
 */
const identifiers: Readonly<Record<string, number>> = {
  '(?:most|longest|usual|shortest|fewest)[A-Z]\\w*': 6, // orders, not limits: `mostTelling`, `longestFirst`
  '\\w*[aA]tOnce': 0,
  'strangers?': 7,
  'held|Held': 50,
}
const prose: Readonly<Record<string, number>> = {
  whoever: 0,
  somebody: 0,
  nobody: 12,
  'strangers?': 0,
  'what is': 5,
  'as it is': 5,
  'for ever': 0,
}

const files = execFileSync('git', ['ls-files', '*.ts', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .slice(0, -1)
const isOwn = (file: string) => !file.endsWith('words.test.ts') && file !== 'CHANGELOG.md'
const code = files.filter((file) => file.endsWith('.ts') && isOwn(file)).map(textOf)
const comments = code.flatMap((text) => text.match(/\/\*\*?[\s\S]*?\*\/|(?<=^|[\s;{}(,])\/\/ .*$/gm) ?? [])
const pages = files.filter((file) => file.endsWith('.md') && isOwn(file)).map(textOf)

const count = (texts: readonly string[], pattern: RegExp) =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)

test.each(Object.entries(identifiers))('identifier %s occurs at most %i times', (pattern, max) => {
  expect(count(code, new RegExp(`\\b(?:${pattern})\\b`, 'g'))).toBeLessThanOrEqual(max)
})

test.each(Object.entries(prose))('"%s" occurs in comments and pages at most %i times', (words, max) => {
  expect(count([...comments, ...pages], new RegExp(`\\b${words}\\b`, 'gi'))).toBeLessThanOrEqual(max)
})
