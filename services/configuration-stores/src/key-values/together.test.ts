import { expect, test } from 'vitest'
import { together } from './together.ts'

/** A database that answers when it is told to, with what it held when it was asked. */
function database() {
  const held = new Map<string, string>()
  const statements: { owner: string; questions: readonly string[]; answer(): void; fail(): void }[] = []
  const ask = together(({ id }: { id: string }, questions: readonly string[]) => {
    const answers = questions.map((question) => held.get(question))
    return new Promise<(string | undefined)[]>((resolve, reject) => {
      const fail = () => reject(new Error('The connection broke.'))
      statements.push({ owner: id, questions, answer: () => resolve(answers), fail })
    })
  })
  return { held, ask, sent: (place: number) => statements[place] as (typeof statements)[number], statements }
}

const store = { id: 'store' }
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('questions that wait are asked together, and each gets its own answer', async () => {
  const { held, ask, sent, statements } = database()
  for (const key of ['a', 'b', 'c', 'd']) held.set(key, key.toUpperCase())
  const answers = Promise.all(['a', 'b', 'c', 'none', 'd'].map((key) => ask(store, key)))
  expect(statements.map(({ questions }) => questions)).toEqual([['a'], ['b']])
  sent(0).answer()
  await settled()
  expect(sent(2).questions).toEqual(['c', 'none', 'd'])
  sent(2).answer()
  sent(1).answer()
  expect(await answers).toEqual(['A', 'B', 'C', undefined, 'D'])
  expect(statements).toHaveLength(3)
})

test('an answer knows of what was there when it was asked for, whatever was under way', async () => {
  const { held, ask, sent } = database()
  held.set('a', 'before')
  const early = [ask(store, 'a'), ask(store, 'a')]
  held.set('a', 'after')
  const late = ask(store, 'a')
  sent(0).answer()
  sent(1).answer()
  await settled()
  sent(2).answer()
  expect(await Promise.all(early)).toEqual(['before', 'before'])
  expect(await late).toBe('after')
})

test('a statement that fails fails for those who are in it, and the others go on', async () => {
  const { held, ask, sent } = database()
  held.set('a', 'A')
  const [first, second, third, fourth] = ['a', 'a', 'a', 'a'].map((key) => ask(store, key))
  sent(0).fail()
  await expect(first).rejects.toThrow('The connection broke.')
  sent(2).fail()
  await expect(third).rejects.toThrow('The connection broke.')
  await expect(fourth).rejects.toThrow('The connection broke.')
  sent(1).answer()
  expect(await second).toBe('A')
  const again = ask(store, 'a')
  sent(3).answer()
  expect(await again).toBe('A')
})

test('no statement is about two stores, or has more than a hundred questions', async () => {
  const { ask, sent, statements } = database()
  const busy = Promise.all(Array.from({ length: 250 }, (_, index) => ask(store, `key ${index}`)))
  const other = ask({ id: 'another store' }, 'a')
  expect(statements.map(({ owner }) => owner)).toEqual(['store', 'store', 'another store'])
  sent(2).answer()
  await other
  for (let place = 0; place < statements.length; place++) {
    sent(place).answer()
    await settled()
  }
  await busy
  expect(statements.map(({ questions }) => questions.length)).toEqual([1, 1, 1, 100, 100, 48])
})
