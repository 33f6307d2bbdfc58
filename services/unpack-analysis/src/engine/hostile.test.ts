import { WorkerLost } from '@icosa/compute'
import { seededBelow, sized } from '@icosa/testing'
import { afterAll, expect, test } from 'vitest'
import { Workshop } from '../testing/build.ts'
import { openTestEngine } from '../testing/engine.ts'
import { linuxDownloader } from '../testing/linux/programs.ts'
import { mutated } from '../testing/mutate.ts'
import { downloader } from '../testing/programs.ts'

const workshop = new Workshop()
const engine = openTestEngine()
afterAll(async () => {
  await engine.close()
  workshop[Symbol.dispose]()
})

const count = sized(300, 20_000)

/** Reports crashes of the emulator as an outcome, as the service does. */
async function outcomesOf(files: readonly Uint8Array[]): Promise<string[]> {
  try {
    const answers = await engine.all(files, 50)
    return answers.map((answer) =>
      'report' in answer ? `emulated: ${answer.report.stopped.why}` : Object.keys(answer).join(),
    )
  } catch (error) {
    if (!(error instanceof WorkerLost) || error.why !== 'crash') throw error
    if (files.length === 1) return ['crashed the emulator']
    const outcomes: string[] = []
    for (const file of files) outcomes.push(...(await outcomesOf([file])))
    return outcomes
  }
}

test(`${count} malformed programs are parsed, refused or stopped, and hardly one crashes the emulator`, async () => {
  const random = seededBelow(17)
  const originals = [
    ...([32, 64] as const).map((bits) => workshop.compile(bits, downloader())),
    workshop.compileLinux(linuxDownloader()),
  ]
  const packed = originals.map((original) => workshop.pack(original, '--nrv2b'))
  const outcomes: Record<string, number> = {}
  for (let done = 0; done < count; done += 50) {
    const files = Array.from({ length: Math.min(50, count - done) }, (_, index) =>
      mutated(packed[index % packed.length] as Buffer, random),
    )
    for (const name of await outcomesOf(files)) outcomes[name] = (outcomes[name] ?? 0) + 1
  }
  console.log(outcomes)
  expect(Object.values(outcomes).reduce((sum, occurrences) => sum + occurrences, 0)).toBe(count)
  expect(outcomes.malformed).toBeGreaterThan(0)
  expect(outcomes['crashed the emulator'] ?? 0).toBeLessThanOrEqual(count / 1_000)
})
