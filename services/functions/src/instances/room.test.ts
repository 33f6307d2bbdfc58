import { expect, test } from 'vitest'
import { openRoom } from './room.ts'

/** Memory of 100 bytes in which every instance has 25, ended one by one as room is made. */
function roomOf(tenants: readonly string[]) {
  const running = [...tenants]
  const ending: string[] = []
  const room = openRoom({
    bytes: 100,
    waitMs: 60_000,
    makeRoom({ tenant }, fromOwn) {
      const at = running.findIndex((one) => !fromOwn || one === tenant)
      if (at >= 0) ending.push(...running.splice(at, 1))
      return at >= 0
    },
    leaving: (tenant) => 25 * ending.filter((one) => tenant === undefined || one === tenant).length,
  })
  for (const tenant of tenants) void room.take({ tenant, bytes: 25, isFirst: false })
  return {
    ...{ room, running, ending },
    /** The next one that was asked to end is gone. */
    end() {
      room.give(ending.shift() as string, 25)
    },
  }
}

test('no more instances are ended than those who wait need', async () => {
  const { room, running, ending, end } = roomOf(['a', 'b', 'a', 'b'])
  const waiting = [1, 2].map(() => room.take({ tenant: 'c', bytes: 25, isFirst: true }))
  expect(ending).toEqual(['a', 'b'])
  room.look()
  end()
  await waiting[0]
  room.look()
  expect(running).toEqual(['a', 'b']) // for the second one, b's is about to end
  end()
  await waiting[1]
  expect(running).toEqual(['a', 'b'])
})

test('if what ends is too small, another one ends', async () => {
  const { room, running, end } = roomOf(['a', 'b', 'a', 'b'])
  const large = room.take({ tenant: 'c', bytes: 50, isFirst: true })
  expect(running).toHaveLength(3)
  room.look()
  expect(running).toHaveLength(2)
  room.look()
  end()
  end()
  await large
  expect(running).toHaveLength(2)
})

test('a tenant with too much ends its own', async () => {
  const { room, ending, end } = roomOf(['b', 'a', 'a', 'a'])
  const more = room.take({ tenant: 'a', bytes: 25, isFirst: true })
  expect(ending).toEqual(['a'])
  end()
  await more
})
