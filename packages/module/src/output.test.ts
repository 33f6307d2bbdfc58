import { expect, test } from 'vitest'
import { printable, table } from './output.ts'
import { suggestion } from './suggestion.ts'

test('columns are as wide as their widest cell; tables too wide become paragraphs', () => {
  const rows = [
    ['S4', 'http://127.0.0.1:4000/braille-translation'],
    ['', 'http://127.0.0.1:4000/platform'],
  ]
  expect(table(['', 'service'], rows, 80).split('\n')).toEqual([
    '    service',
    '--  -----------------------------------------',
    'S4  http://127.0.0.1:4000/braille-translation',
    '    http://127.0.0.1:4000/platform',
  ])
  expect(table(['letter', 'service'], rows, 40)).toBe(
    'letter   S4\nservice  http://127.0.0.1:4000/braille-translation\n\nservice  http://127.0.0.1:4000/platform',
  )
})

test('suggests a similar name, if there is one', () => {
  const names = ['backup', 'banking', 'braille-translation', 'functions']
  expect(suggestion('bakcup', names)).toBe(" Did you mean 'backup'?")
  expect(suggestion('Braile-translation', names)).toBe(" Did you mean 'braille-translation'?")
  expect(suggestion('payments', names)).toBe('')
  expect(suggestion('fucntion', names)).toBe(" Did you mean 'functions'?")
  expect(suggestion('x', names)).toBe('')
})

test('escapes control characters in untrusted text, and keeps JSON equivalent', () => {
  const hostile = 'a\u001b[2Jb\u009b31mc\u0007\r\u202e'
  expect(printable(hostile)).toBe('a\\u001b[2Jb\\u009b31mc\\u0007\\u000d\\u202e')
  expect(printable('two\nlines\tand \u001b[1mbold\u001b[22m'), 'of our own').toBe(
    'two\nlines\tand \u001b[1mbold\u001b[22m',
  )
  const json = JSON.stringify({ name: hostile })
  expect(JSON.parse(printable(json))).toEqual({ name: hostile })
  const rows = [[hostile, '/notes\n2026-01-01  acme  root  forged row']]
  expect(table(['who', 'what'], rows).split('\n')).toHaveLength(3)
  expect(table(['who', 'what'], rows).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
