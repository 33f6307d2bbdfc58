import { WorkerLost } from '@icosa/compute'
import { seededBelow, sized } from '@icosa/testing'
import { afterAll, expect, test } from 'vitest'
import { Workshop } from '../testing/build.ts'
import { openTestEngine } from '../testing/engine.ts'
import { linuxDownloader } from '../testing/linux/programs.ts'
import { downloader } from '../testing/programs.ts'

const workshop = new Workshop()
const engine = openTestEngine()
afterAll(async () => {
  await engine.close()
  workshop[Symbol.dispose]()
})

const count = sized(150, 20_000)

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

const extremes = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fffe, 0x1000_0000]

/** Mutates a file, mostly its headers. */
function mutated(file: Buffer, random: (below: number) => number, headersSize = 0x400): Buffer {
  const copy = Buffer.from(file)
  if (random(8) === 0) return copy.subarray(0, random(copy.length))
  const changes = 1 + random(6)
  for (let change = 0; change < changes; change++) {
    const at = random(random(4) === 0 ? copy.length - 4 : Math.min(headersSize, copy.length - 4))
    if (random(2) === 0) copy.writeUInt8(random(256), at)
    else copy.writeUInt32LE(extremes[random(extremes.length)] ?? 0, at)
  }
  return copy
}
