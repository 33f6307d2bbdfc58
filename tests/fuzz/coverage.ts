import { Session } from 'node:inspector'

/**
 * Detects inputs that reach new code, by V8's block coverage. Functions that were compiled before it started have no
 * blocks, so it starts before the target is loaded.
 */
export class Coverage {
  readonly #session = new Session()
  readonly #seen = new Set<string>()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Blocks first reached since the last call, which takes milliseconds: too long for every input. */
  more(): string[] {
    const blocks: string[] = []
    this.#session.post('Profiler.takePreciseCoverage', (_, coverage) => {
      for (const { url, functions } of coverage?.result ?? []) {
        if (!url.startsWith('file://') || url.includes('/tests/fuzz/')) continue
        for (const { startOffset, count } of functions.flatMap(({ ranges }) => ranges))
          if (count > 0) blocks.push(`${url} ${startOffset}`)
      }
    })
    return blocks.filter((block) => !this.#seen.has(block))
  }

  add(blocks: readonly string[]): void {
    for (const block of blocks) this.#seen.add(block)
  }
}
