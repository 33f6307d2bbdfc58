import { expect, test } from 'vitest'
import { Random } from '../text/random.ts'
import { Regexes, regexProblem } from './regexes.ts'

const find = (pattern: string, text: string) =>
  new Regexes({ regex_entities: [{ name: 'e', regexPattern: pattern, roles: [] }] })
    .find(text)
    .map(({ start, end }) => text.slice(start, end))

test('expressions match anywhere, ignoring case', () => {
  expect(find('hrf-[0-9]{4}', 'forms HRF-1234 and hrf-99999')).toEqual(['HRF-1234', 'hrf-9999'])
  expect(find("(?'year'\\d{4})", 'in 1999')).toEqual(['1999'])
  expect(find('x*', 'abc')).toEqual([])
})

test('expressions that need more than linear time are refused with a reason, and the others work', () => {
  for (const pattern of ['(?=a)b', '(?<!a)b', '(a)\\1', '(', 'a'.repeat(6000), '((a{1,30}){1,30}){1,30}'])
    expect(regexProblem(pattern)).toBeTypeOf('string')
  const regexes = new Regexes({
    regex_entities: [
      { name: 'bad', regexPattern: '(?=a)', roles: [] },
      { name: 'good', regexPattern: 'b+', roles: [] },
    ],
  })
  expect(regexes.problems).toEqual([{ entity: 'bad', message: expect.stringContaining('(?=') }])
  expect(regexes.find('abb')).toMatchObject([{ model: 'good', start: 1, end: 3 }])
})

/** Random nested and overlapping repetitions, which take exponential time with backtracking. */
function evil(random: Random, depth = 0): string {
  const atoms = ['a', '.', '\\w', '[a-z]', '(a|a)', '(a|aa)', '(.*)', '(a*)', '(\\w|a)']
  const repeats = ['*', '+', '*?', '+?', '{1,20}', '{2,}']
  const pick = (list: readonly string[]) => list[random.below(list.length)] ?? ''
  const inner =
    depth > 2 || random.next() < 0.3 ? pick(atoms) : `(${evil(random, depth + 1)}|${evil(random, depth + 1)})`
  return `${inner}${pick(repeats)}${random.next() < 0.5 ? pick(atoms) + pick(repeats) : ''}`
}

test('1,000 evil expressions terminate on a text of 500 characters', () => {
  const random = new Random(11)
  const text = `${'a'.repeat(499)}!`
  const start = process.cpuUsage()
  let accepted = 0
  for (let i = 0; i < 1000; i++) {
    const pattern = `^(${evil(random)})+b$`
    const regexes = new Regexes({ regex_entities: [{ name: 'e', regexPattern: pattern, roles: [] }] })
    if (regexes.problems.length === 0) accepted++
    expect(regexes.find(text)).toEqual([])
  }
  expect(accepted).toBeGreaterThan(300)
  const seconds = process.cpuUsage(start).user / 1e6
  console.log(`${accepted} of 1,000 evil expressions ran in ${seconds.toFixed(1)} s of CPU, the others refused`)
  // With backtracking, a single one would take longer.
  expect(seconds).toBeLessThan(600)
})
