import { expect, test } from 'vitest'
import { sources, textOf } from './sources.ts'

/** Without an address, Node listens on all interfaces. */
test('every listening socket binds to an explicit address', () => {
  const production = sources.filter((file) => !/\.(test|check)\.ts$|\/testing\//.test(file))
  const calls = production.flatMap((file) =>
    textOf(file)
      .split('\n')
      .filter((line) => /\b(server|socket)\w*(\(\))?\??\.(listen|bind)\(|\)\.listen\(/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(calls.length).toBeGreaterThan(8)
  const named = /\.(listen|bind)\((\{ host|.+, *['"a-z])/
  expect(calls.filter((call) => !named.test(call))).toEqual([])
})
