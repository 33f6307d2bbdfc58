import { sized } from '@icosa/testing'
import { afterAll, expect, test } from 'vitest'
import { Workshop } from '../testing/build.ts'
import { openTestEngine } from '../testing/engine.ts'
import { mutated, seededRandom } from '../testing/mutate.ts'
import { downloader } from '../testing/programs.ts'

const workshop = new Workshop()
const engine = openTestEngine()
afterAll(async () => {
  await engine.close()
  workshop[Symbol.dispose]()
})

const count = sized(300, 20_000)

test(`${count} programs with something wrong in them are read, refused or stopped: none ends the engine`, async () => {
  const random = seededRandom(17)
  const packed = ([32, 64] as const).map((bits) => workshop.pack(workshop.compile(bits, downloader()), '--nrv2b'))
  const outcomes: Record<string, number> = {}
  for (let done = 0; done < count; done += 50) {
    const files = Array.from({ length: Math.min(50, count - done) }, (_, index) =>
      mutated(packed[index % packed.length] as Buffer, random),
    )
    for (const answer of await engine.all(files, 50)) {
      const name = 'report' in answer ? `emulated: ${answer.report.stopped.why}` : Object.keys(answer).join()
      outcomes[name] = (outcomes[name] ?? 0) + 1
    }
  }
  console.log(outcomes)
  expect(Object.values(outcomes).reduce((sum, one) => sum + one, 0)).toBe(count)
  expect(outcomes.malformed).toBeGreaterThan(0)
}, 3_600_000)
