import { expect, test } from 'vitest'
import { table } from './output.ts'
import { suggestion } from './suggestion.ts'

test('a table has columns as wide as their widest cell, and becomes paragraphs where it does not fit', () => {
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

test('a name that was meant is found, and none where none is near', () => {
  const names = ['backup', 'banking', 'braille-translation', 'functions']
  expect(suggestion('bakcup', names)).toBe(" Did you mean 'backup'?")
  expect(suggestion('Braile-translation', names)).toBe(" Did you mean 'braille-translation'?")
  expect(suggestion('payments', names)).toBe('')
  expect(suggestion('fucntion', names)).toBe(" Did you mean 'functions'?")
  expect(suggestion('x', names)).toBe('')
})
